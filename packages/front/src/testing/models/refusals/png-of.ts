/** A picture of a given size that consists of its header only, for examples of refusals. */
export function pngOf(width: number, height: number): string {
  const header = Buffer.alloc(33);
  header.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  header.writeUInt32BE(13, 8);
  header.write("IHDR", 12, "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header.toString("base64");
}
