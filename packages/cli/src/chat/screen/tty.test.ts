import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { Tty } from "./tty.ts";

/** A terminal of a job that cannot be stopped, because the signal has no effect. */
function newTty() {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  const done: string[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => done.push(`raw: ${isRaw}`) });
  const terminal = { stdin, stdout: new PassThrough(), stderr: new PassThrough(), env: {}, cwd: "." };
  const tty = new Tty(terminal, { onLeave: () => done.push("leave"), onReturn: () => done.push("return") });
  onTestFinished(() => {
    tty.close();
    kill.mockRestore();
  });
  tty.open();
  return { tty, kill, done };
}

it("after Ctrl-Z in a job that cannot stop, the chat takes the terminal again", async () => {
  const { tty, kill, done } = newTty();
  tty.suspend();
  expect(kill).toHaveBeenCalledExactlyOnceWith(0, "SIGTSTP");
  expect(done).toEqual(["raw: true", "return", "leave", "raw: false"]);
  await turn();
  expect(done.slice(4)).toEqual(["raw: true", "return"]);
});

it("a chat that is closed after Ctrl-Z leaves the terminal as it was", async () => {
  const { tty, done } = newTty();
  tty.suspend();
  tty.close();
  await turn();
  expect(done.at(-1)).toBe("raw: false");
});
