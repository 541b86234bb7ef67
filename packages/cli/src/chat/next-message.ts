/** Messages of a chat, made of lines: a line each, but a block of code between fences is one message with its line. */
import type { LineSource } from "./line-source.ts";

const FENCE = /```/g;
const MORE = "… ";

/** The next message; null at the end. A block that is never closed ends with the input. */
export async function nextMessage(lines: LineSource, prompt: string): Promise<string | null> {
  const first = await lines.next(prompt);
  if (first === null) return null;
  const message = [first];
  for (let isOpen = opens(first); isOpen; ) {
    const line = await lines.next(MORE);
    if (line === null) break;
    message.push(line);
    if (opens(line)) isOpen = false;
  }
  return message.join("\n");
}

/** Whether a line has a fence without its counterpart. */
function opens(line: string): boolean {
  return (line.match(FENCE)?.length ?? 0) % 2 === 1;
}
