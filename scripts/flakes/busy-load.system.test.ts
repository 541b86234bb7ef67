import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const isLinux = process.platform === "linux";
const START = `
  const { BusyLoad } = await import(${JSON.stringify(import.meta.resolve("./busy-load.ts"))});
  const load = new BusyLoad(2);
  process.on("SIGTERM", () => { load[Symbol.dispose](); process.disconnect(); });
  process.send("started");
`;

describe.skipIf(!isLinux)(`the artificial load${isLinux ? "" : " (skipped: only Linux lists the children)"}`, () => {
  it.each(["SIGTERM", "SIGKILL"] as const)("is gone when its parent is ended by %s", async (signal) => {
    const parent = spawn(process.execPath, ["--input-type=module", "-e", START], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await once(parent, "message");
    const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8").trim().split(" ");
    expect(children).toHaveLength(2);
    parent.kill(signal);
    for (const child of children) await expect.poll(() => isRunning(Number(child))).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    // An ended process that its parent has not waited for is a zombie.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
