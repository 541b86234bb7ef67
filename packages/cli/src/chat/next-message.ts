/** Messages of a chat, one line each, except that a fenced code block belongs to the message of its line. */
import type { LineSource } from "./line-source.ts";

const FENCE = /```/g;
const MORE = "… ";

/** The next message; null at the end. An unclosed block ends with the input. */
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

/** Whether a line contains an opening fence without a closing one. */
function opens(line: string): boolean {
  return (line.match(FENCE)?.length ?? 0) % 2 === 1;
}
