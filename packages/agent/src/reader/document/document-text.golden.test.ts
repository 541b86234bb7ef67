/** Tests the text that is read from documents of other programs. */
import { readFile } from "node:fs/promises";
import { documentFixture } from "@cairn/testkit/fixtures";
import { expect, it } from "vitest";
import type { DocumentFormat } from "./document.ts";
import { documentText } from "./document-text.ts";

it.each<[string, DocumentFormat]>([
  ["Vertrag Müller.docx", "zip"],
  ["lease.odt", "zip"],
  ["lease.epub", "zip"],
  ["lease.pdf", "pdf"],
  ["lease.html", "html"],
  ["sales.xlsx", "zip"],
  ["talk.pptx", "zip"],
])("%s", async (name, format) => {
  const { text } = await documentText(await readFile(documentFixture(name)), format);
  await expect(`${text}\n`).toMatchFileSnapshot(`golden/${name.normalize("NFKD").replace(/[^\w.]+/g, "-")}.txt`);
});
