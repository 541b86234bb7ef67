/** Draws the icon for a kind of file. */
import { FileCode2, FileImage, FileSpreadsheet, FileText, File as PlainFile, ScrollText } from "lucide-react";
import { fileKind } from "./file-kind.ts";

export function FileIcon({ name, mime }: { readonly name: string; readonly mime: string | null }) {
  switch (fileKind(name, mime)) {
    case "pdf":
      return <ScrollText aria-hidden="true" />;
    case "image":
    case "svg":
      return <FileImage aria-hidden="true" />;
    case "table":
      return <FileSpreadsheet aria-hidden="true" />;
    case "code":
    case "html":
      return <FileCode2 aria-hidden="true" />;
    case "markdown":
    case "text":
      return <FileText aria-hidden="true" />;
    default:
      return <PlainFile aria-hidden="true" />;
  }
}
