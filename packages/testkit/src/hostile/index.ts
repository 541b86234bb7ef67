export { contentBomb, fontBomb, pageTreeLoop, xrefBomb } from "./hostile-pdf.ts";
