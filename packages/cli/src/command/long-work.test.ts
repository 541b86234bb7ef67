import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { describeBytes, describeProgress, doLongWork } from "./long-work.ts";
import type { Terminal } from "./terminal.ts";

function terminalOf(isTTY: boolean): { terminal: Terminal; written: () => string } {
  const stderr = Object.assign(new PassThrough().setEncoding("utf8"), { isTTY });
  const terminal = { stdin: new PassThrough(), stdout: new PassThrough(), stderr, env: {}, cwd: "/" };
  return { terminal, written: () => String(stderr.read() ?? "") };
}

describe("long work", () => {
  it("shows its progress in a terminal, and removes the line afterwards", async () => {
    const { terminal, written } = terminalOf(true);
    let shown = "";
    await doLongWork(terminal, "Copying", async ({ report }) => {
      report(50, 100);
      while (!shown.includes("Copying")) {
        await wait(20);
        shown += written();
      }
    });
    expect(shown).toContain("50 % of 100 B");
    expect(written().endsWith("\r\x1b[K")).toBe(true);
  });

  it("shows nothing in a pipe, nor when it is done in a moment", async () => {
    const piped = terminalOf(false);
    await doLongWork(piped.terminal, "Copying", () => wait(500));
    expect(piped.written()).toBe("");
    const quick = terminalOf(true);
    expect(await doLongWork(quick.terminal, "Copying", async () => 7)).toBe(7);
    expect(quick.written()).toBe("");
  });

  it("stops cleanly on Ctrl-C", async () => {
    const { terminal } = terminalOf(false);
    const work = doLongWork(terminal, "Copying", (_, signal) => wait(60_000, undefined, { signal }));
    process.emit("SIGINT");
    await expect(work).rejects.toMatchObject({ code: "interrupted" });
    expect(process.listenerCount("SIGINT")).toBe(0);
  });

  it.each([
    [{ done: 0, total: null, ms: 1_500 }, "Copying… 1 s"],
    [{ done: 2_500_000, total: null, ms: 0 }, "Copying… 2.5 MB 0 s"],
    [{ done: 1, total: 2, ms: 0 }, `Copying ${"█".repeat(12)}${"░".repeat(12)} 50 % of 2 B 0 s`],
    [{ done: 9, total: 2, ms: 0 }, `Copying ${"█".repeat(24)} 100 % of 2 B 0 s`],
  ])("of %j reads %s", (progress, line) => {
    expect(describeProgress("Copying", progress)).toBe(line);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [123_456_789, "123 MB"],
    [5e15, "5000 TB"],
  ])("%d bytes read %s", (bytes, text) => {
    expect(describeBytes(bytes)).toBe(text);
  });
});
