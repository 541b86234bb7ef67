/**
 * A trial program that tries to make a link. Deno checks no permission when a link is followed, so programs must not
 * create links; Deno's WASI creates links without permission. If the kernel does not prevent this either, Deno is not a
 * sandbox.
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
  // This Deno has no WASI, or a different one.
}
if (lstatSync(files + "/way", { throwIfNoEntry: false }) !== undefined)
  throw new Error("its programs can make links, which lead past its permissions");
writeFileSync(files + "/trial", "works");
`;
