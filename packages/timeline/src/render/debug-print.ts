/** The render as text for people: messages in order, `=>[n]` after a checkpoint, a line for each picture. */
import type { MessageBlock } from "../message/message.ts";

export function debugPrint(messages: Iterable<MessageBlock>): string {
  const parts: string[] = [];
  let checkpoint = 0;
  for (const message of messages) {
    parts.push(printMessage(message));
    if (message.cache) parts.push(`=>[${++checkpoint}]\n\n`);
  }
  return parts.join("");
}

function printMessage(message: MessageBlock): string {
  if (message.type === "text") return message.text;
  const size = message.data === undefined ? `blob=${message.blob}` : `b64_len=${message.data.length}`;
  return `<${message.type} media_type=${message.media_type} ${size}>\n\n`;
}
