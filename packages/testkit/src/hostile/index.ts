/** Files and servers that do harm to whoever trusts them. */
export type { HostileFile } from "./hostile-file.ts";
export { hostileFiles } from "./hostile-files.ts";
export { xrefBomb } from "./hostile-pdf.ts";
