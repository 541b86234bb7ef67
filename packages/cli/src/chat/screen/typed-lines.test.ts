import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MESSAGE_PROMPT } from "../ask/line-source.ts";
import { History } from "../input/history.ts";
import { ScreenOutput } from "./screen-output.ts";
import { TypedLines } from "./typed-lines.ts";

const PLACE = { width: 80, maxRows: 5 };
const QUESTION = "Allow shop.order? ";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Typed lines of a person at a terminal, and what Ctrl-C and Ctrl-Z did. */
async function newLines() {
  const done: string[] = [];
  const stdin = new PassThrough();
  const terminal = { stdin, stdout: new PassThrough(), stderr: new PassThrough(), env: {}, cwd: "." };
  const lines = new TypedLines(terminal, {
    output: new ScreenOutput(terminal),
    history: await History.open("/dev/null", () => undefined),
    completion: { commands: async () => [], argumentsOf: async () => null, cwd: ".", home: undefined },
    onEarly: (line) => done.push(`early: ${line}`) > 0,
    onInterrupt: () => done.push("interrupt"),
    onSuspend: () => done.push("suspend"),
  });
  const ask = (prompt: string) => {
    const asked = { answer: undefined as string | null | undefined };
    void lines.next(prompt).then((line) => {
      asked.answer = line;
    });
    return asked;
  };
  const type = async (keys: string) => {
    stdin.emit("data", Buffer.from(keys));
    await Promise.resolve();
  };
  return { lines, ask, type, done, row: () => lines.view(PLACE).rows.join("\n").trim() };
}

it("keys that were meant for a message do not answer a question, until the person pauses", async () => {
  const { ask, type, row } = await newLines();
  await type("I say ");
  const asked = ask(QUESTION);
  await type("y\r");
  vi.advanceTimersByTime(400);
  await type("y\r");
  vi.advanceTimersByTime(400);
  await type("\r");
  expect(asked.answer).toBeUndefined();
  expect(row()).toBe("(stop typing to answer the question)");
  vi.advanceTimersByTime(500);
  expect(row()).toBe(QUESTION.trim());
  await type("n\r");
  expect(asked.answer).toBe("n");
  expect(row()).toBe("> I say");
});

it("a question that appears just after a message was sent ignores keys, and Ctrl-C works meanwhile", async () => {
  const { ask, type, done } = await newLines();
  await type("order\r");
  vi.advanceTimersByTime(100);
  const asked = ask(QUESTION);
  await type("y\r\x03");
  expect(asked.answer).toBeUndefined();
  expect(done).toEqual(["early: order", "interrupt"]);
});

it("a question can be answered at once if nobody was typing, and so can the next question of a form", async () => {
  const { ask, type } = await newLines();
  await type("a draft");
  vi.advanceTimersByTime(5_000);
  const first = ask("Name: ");
  vi.advanceTimersByTime(500);
  await type("tea\r");
  expect(first.answer).toBe("tea");
  const second = ask("Count: ");
  await type("2\r");
  expect(second.answer).toBe("2");
  await type("\x03");
  vi.advanceTimersByTime(5_000);
  const third = ask(QUESTION);
  await type("y\r");
  expect(third.answer).toBe("y");
});

it("after Ctrl-D during a turn, Ctrl-C and Ctrl-Z still work, and other keys do not", async () => {
  const { ask, type, done } = await newLines();
  await type("\x04");
  await type("more\r\x03\x1a");
  expect(done).toEqual(["interrupt", "suspend"]);
  const asked = ask(MESSAGE_PROMPT);
  await Promise.resolve();
  expect(asked.answer).toBeNull();
});
