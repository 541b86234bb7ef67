/**
 * A trial program that tries to make a link. Deno asks no permission where a link is read through, so that none may be
 * made; its WASI makes them without asking. Where the kernel does not hold it back either, Deno holds nothing.
 */
export const NO_LINKS = `
import { lstatSync, writeFileSync } from "node:fs";
const files = OUTPUT_DIR + "/turn_0/files";
try {
  const { WASI } = await import("node:wasi");
  const wasi = new WASI({ version: "preview1", preopens: { "/": files } });
  const memory = new WebAssembly.Memory({ initial: 1 });
  wasi.initialize({ exports: { memory } });
  new TextEncoder().encodeInto("..way", new Uint8Array(memory.buffer));
  wasi.wasiImport.path_symlink(0, 2, 3, 2, 3);
} catch {
  // It has no WASI, or not this one.
}
if (lstatSync(files + "/way", { throwIfNoEntry: false }) !== undefined)
  throw new Error("its programs can make links, which lead past its permissions");
writeFileSync(files + "/trial", "works");
`;
