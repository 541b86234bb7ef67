/** Reads messages from a pipe, one a line. A fenced code block belongs to the message in which it begins. */
import type { LineSource } from "./line-source.ts";

const FENCE = /```/g;
/** The next message; null at the end. An unclosed block ends with the input. */
export async function nextMessage(lines: LineSource): Promise<string | null> {
  const first = await lines.next("");
  if (first === null) return null;
  const message = [first];
  for (let isOpen = hasOpenFence(first); isOpen; ) {
    const line = await lines.next("");
    if (line === null) break;
    message.push(line);
    if (hasOpenFence(line)) isOpen = false;
  }
  return message.join("\n");
}

/** Whether a text contains an opening fence without a closing one. */
export function hasOpenFence(line: string): boolean {
  return (line.match(FENCE)?.length ?? 0) % 2 === 1;
}
