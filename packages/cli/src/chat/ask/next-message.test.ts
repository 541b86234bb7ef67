import { describe, expect, it } from "vitest";
import { nextMessage } from "./next-message.ts";

async function messagesOf(...lines: readonly string[]): Promise<string[]> {
  const left = [...lines];
  const source = { next: async () => left.shift() ?? null, close: () => undefined };
  const messages: string[] = [];
  for (let message = await nextMessage(source); message !== null; message = await nextMessage(source))
    messages.push(message);
  return messages;
}

describe("a message", () => {
  it("is a line", async () => {
    expect(await messagesOf("Hello", "", "What is ```this```?")).toEqual(["Hello", "", "What is ```this```?"]);
  });

  it("extends to the end of the code block it opens, including blank lines", async () => {
    expect(await messagesOf("Run this: ```python", "a = 1", "", "print(a)", "```", "Thanks")).toEqual([
      "Run this: ```python\na = 1\n\nprint(a)\n```",
      "Thanks",
    ]);
  });

  it("ends with the input when its block is never closed", async () => {
    expect(await messagesOf("Run ```", "print(1)")).toEqual(["Run ```\nprint(1)"]);
    expect(await messagesOf()).toEqual([]);
  });
});
