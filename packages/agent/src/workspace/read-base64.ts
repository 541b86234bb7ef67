/** Reads bytes from a store as base64. */
export async function readBase64(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString("base64");
}
