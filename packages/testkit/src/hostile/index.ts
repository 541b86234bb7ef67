/** Files and servers that harm programs that trust them. */
export type { HostileFile } from "./hostile-file.ts";
export { hostileFiles } from "./hostile-files.ts";
export { xrefBomb } from "./hostile-pdf.ts";
