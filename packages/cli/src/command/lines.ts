/**
 * Lines of a byte stream, split at "\n" only, because JSON may contain characters such as U+2028 that some line readers
 * treat as line ends. A "\r" before the "\n" is removed. At most one line is in memory.
 */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open: string[] = [];
  const close = (last: string): string => {
    const line = open.join("") + last;
    open = [];
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  for await (const chunk of input) {
    const pieces = (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })).split("\n");
    const rest = pieces.pop() ?? "";
    for (const piece of pieces) yield close(piece);
    if (rest !== "") open.push(rest);
  }
  const last = close(decoder.decode());
  if (last !== "") yield last;
}
