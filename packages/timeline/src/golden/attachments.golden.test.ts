/** Attachments when they arrive: each file has a header. Pictures and PDFs are shown, other kinds read on demand. */
import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { printView } from "../../test/print-view.ts";

const turn = "turn_1";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

it("each kind of attachment has a header, and only pictures and PDFs have a part after it", async () => {
  const blocks: Block[] = [
    make.header(turn),
    make.prompt(turn, "What is in these?"),
    ...make.attachment(turn, { name: "notes.txt", mime: "text/plain", summary: "meeting notes", size_bytes: 812 }),
    ...make.attachment(turn, { name: "my menu.v2.pdf", mime: "application/pdf", base64: "JVBERi0xLjc=" }),
    ...make.attachment(turn, { name: "Grüße 日本.png", mime: "image/png", base64: "iVBORw0KGgo=" }),
    ...make.attachment(turn, { name: "letter.docx", mime: DOCX, summary: "a letter\nof two lines" }),
  ];
  await expect(printView({ blocks })).toMatchFileSnapshot("./attachments.txt");
});

it("bytes in the blob store are referenced by their hash until they are filled in", async () => {
  const [meta, file] = make.attachment(turn, { name: "scan.pdf", mime: "application/pdf" });
  if (meta === undefined || file === undefined) throw new Error("an attachment is two blocks");
  const stored: Block = { ...file, meta: { ...file.meta, blob: `sha256:${"0123456789abcdef".repeat(4)}` } };
  const blocks = [make.header(turn), make.prompt(turn, "Read this."), meta, stored];
  await expect(printView({ blocks })).toMatchFileSnapshot("./attachment-blob.txt");
});
