/**
 * Lines of a byte stream, split at "\n" only: JSON may contain U+2028 and other characters that some line readers take
 * for the end of a line. A "\r" before the "\n" belongs to the line end. Only the unfinished line is held in memory.
 */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: false });
  let open: string[] = [];
  const close = (last: string): string => {
    const line = open.join("") + last;
    open = [];
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  for await (const chunk of input) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const rest = pieces.pop() ?? "";
    for (const piece of pieces) yield close(piece);
    if (rest !== "") open.push(rest);
  }
  const last = close(decoder.decode());
  if (last !== "") yield last;
}
