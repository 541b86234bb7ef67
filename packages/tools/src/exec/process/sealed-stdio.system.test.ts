import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

/** A process that inherited descriptor 40, and starts another process with the given descriptors. */
function startedWith(stdio: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-descriptor-"));
  const secret = join(folder, "secret");
  writeFileSync(secret, "inherited");
  const descriptor = openSync(secret, "r");
  const module = new URL("./sealed-stdio.ts", import.meta.url).href;
  const code = `
    import { spawnSync } from "node:child_process";
    import { sealedStdio } from ${JSON.stringify(module)};
    const { stdout } = spawnSync("sh", ["-c", "cat /proc/self/fd/40"], { stdio: ${stdio}, encoding: "utf8" });
    process.stdout.write(stdout);`;
  try {
    const extra = Array.from({ length: 37 }, () => "ignore" as const);
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit", ...extra, descriptor],
      encoding: "utf8",
    });
    return stdout;
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}

it.skipIf(process.platform !== "linux")("a descriptor that this process inherited does not reach a sandbox", () => {
  expect(startedWith('["ignore", "pipe", "pipe"]')).toBe("inherited");
  expect(startedWith("sealedStdio()")).toBe("");
});
