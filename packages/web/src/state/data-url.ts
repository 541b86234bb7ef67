/** Bytes as a `data:` address. */
export async function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error ?? new Error("The bytes could not be read."));
  reader.readAsDataURL(blob);
  return promise;
}
