/** The text of an EPUB book. Each document of its reading order, a chapter in most books, counts as a page. */
import { CairnError } from "@cairn/timeline/error";
import { writeHtml } from "./html.ts";
import type { PartWriter } from "./part-writer.ts";
import { attributeOf, walkXml } from "./xml.ts";
import { resolveEntry, type ZipArchive } from "./zip-archive.ts";

const MAX_DOCUMENTS = 5_000;

export function readEpub(archive: ZipArchive, writer: PartWriter): void {
  let packaged = "";
  walkXml(archive.require("META-INF/container.xml"), {
    open: (name, attributes) => {
      if (name === "rootfile" && packaged === "") packaged = attributeOf(attributes, "full-path") ?? "";
    },
  });
  const hrefs = new Map<string, string>();
  const order: string[] = [];
  walkXml(archive.require(packaged), {
    open: (name, attributes) => {
      if (name === "item") hrefs.set(attributeOf(attributes, "id") ?? "", attributeOf(attributes, "href") ?? "");
      else if (name === "itemref" && order.length < MAX_DOCUMENTS) order.push(attributeOf(attributes, "idref") ?? "");
    },
  });
  const folder = packaged.slice(0, packaged.lastIndexOf("/") + 1);
  const encrypted = encryptedEntries(archive);
  for (const [at, id] of order.entries()) {
    const entry = resolveEntry(folder, decoded(hrefs.get(id) ?? ""));
    if (encrypted.has(entry))
      throw new CairnError("unreadable", "The book is encrypted: its copy protection allows certain programs only.");
    writer.part({ page: at + 1 });
    writeHtml(archive.require(entry), writer, { hasTitle: false });
  }
}

/** The names of encrypted entries. In a book without copy protection, only fonts may be encrypted. */
function encryptedEntries(archive: ZipArchive): ReadonlySet<string> {
  const entries = new Set<string>();
  walkXml(archive.text("META-INF/encryption.xml") ?? "", {
    open: (name, attributes) => {
      if (name === "CipherReference") entries.add(resolveEntry("", decoded(attributeOf(attributes, "URI") ?? "")));
    },
  });
  return entries;
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href; // The name contains a percent sign that is not part of an encoding.
  }
}
