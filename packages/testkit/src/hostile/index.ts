/** Files and servers that harm programs that trust them. */

export { xrefBomb } from "./hostile-pdf.ts";
