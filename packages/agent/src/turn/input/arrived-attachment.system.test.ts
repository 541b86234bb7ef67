/** Tests the types and the token cost of attachments when they arrive. */
import { deflateSync } from "node:zlib";
import { TurnBench } from "@cairn/testkit/turns";
import { type BlobRef, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";

const png = (width: number, height: number) => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), size, Buffer.alloc(20)]);
};

/** A PDF whose pages are in a compressed object stream, as most programs write them now. */
function packedPdf(pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, page) => `${page + 3} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    ...Array.from({ length: pages }, () => "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"),
  ];
  let at = 0;
  const offsets = objects.map((object, index) => {
    const offset = `${index + 1} ${at}`;
    at += object.length + 1;
    return offset;
  });
  const first = offsets.join(" ").length + 1;
  const packed = deflateSync(Buffer.from(`${offsets.join(" ")} ${objects.join(" ")}`));
  const stream = objects.length + 1;
  const head = Buffer.from(
    `%PDF-1.5\n${stream} 0 obj\n<</Type/ObjStm/N ${objects.length}/First ${first}/Filter/FlateDecode/Length ${packed.length}>>stream\n`,
  );
  const tail = Buffer.from("\nendstream\nendobj\n");
  const table = head.length + packed.length + tail.length;
  const rows = Buffer.alloc((stream + 2) * 4);
  for (let object = 1; object < stream; object++)
    rows.writeUInt32BE(0x02000000 | (stream << 8) | (object - 1), object * 4);
  rows.writeUInt32BE(0x01000000 | ("%PDF-1.5\n".length << 8), stream * 4);
  rows.writeUInt32BE((0x01000000 | (table << 8)) >>> 0, (stream + 1) * 4);
  const xref = deflateSync(rows);
  return Buffer.concat([
    ...[head, packed, tail],
    Buffer.from(
      `${stream + 1} 0 obj\n<</Type/XRef/Size ${stream + 2}/W[1 2 1]/Root 1 0 R/Filter/FlateDecode/Length ${xref.length}>>stream\n`,
    ),
    ...[xref, Buffer.from(`\nendstream\nendobj\nstartxref\n${table}\n%%EOF`)],
  ]);
}

/** The block of an attachment, its tokens, its description, and what the model sees of it. */
async function attach(name: string, mime: string, bytes: Uint8Array | null, blob = "gone") {
  await using bench = await TurnBench.open();
  const ref: string = bytes === null ? blob : (await bench.store.putBlob(bench.key, [bytes])).ref;
  const attachment = { name, mime, blob: ref as BlobRef, size_bytes: bytes?.length ?? 1 };
  const input = {
    key: "i",
    mode: "turn" as const,
    message: "Look",
    attachments: [attachment],
    ts: "2026-02-09T10:00:00Z",
  };
  await bench.append(makeEvent("input.received", input));
  bench.simulator.script([{ reply: { text: "Seen." } }]);
  expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
  const { state } = await bench.store.load(bench.key);
  const entry = state.window.find(({ block }) => block.type === "user.attachment");
  const described = state.window.find(({ block }) => block.type === "user.attachment.meta")?.block.text;
  return {
    block: entry?.block,
    tokens: entry?.tokens,
    described: JSON.parse(described ?? "{}"),
    shown: JSON.stringify(bench.simulator.requests[0]?.body),
    rows: state.pool.size,
  };
}

describe("an attachment", () => {
  it("an attachment that is a picture is measured in pixels", async () => {
    const { block, tokens, shown } = await attach("a.png", "image/png", png(280, 140));
    expect(block).toMatchObject({ mime: "image/png", meta: { width: 280, height: 140 } });
    expect(tokens).toBe(50);
    expect(shown).toContain('"media_type":"image/png"');
  });

  it.each([
    ["in clear", Buffer.from("%PDF-1.4\n1 0 obj<</Type/Page>>endobj 2 0 obj<</Type/Page>>endobj\n%%EOF"), 2],
    ["packed away", packedPdf(7), 7],
  ])("that is a PDF with its pages %s is measured in pages", async (_, bytes, pages) => {
    const { block, tokens } = await attach("a.pdf", "application/pdf", bytes);
    expect(block?.meta).toMatchObject({ pages });
    expect(tokens).toBe(pages * 2_000);
  });

  it("has the type of its bytes, whatever type it was sent with", async () => {
    const { block, described, shown } = await attach("a.bin", "application/octet-stream", png(28, 28));
    expect(block?.mime).toBe("image/png");
    expect(described.mime).toBe("image/png");
    expect(shown).toContain('"type":"image"');
  });

  it.each([
    ["a picture no model takes", "image/heic", Buffer.from([0, 1, 2, 3]), "application/octet-stream"],
    ["a drawing in text", "image/svg+xml", Buffer.from("<svg/>"), "text/plain"],
    ["a PDF that is none", "application/pdf", Buffer.from("hello"), "text/plain"],
    [
      "a picture that is too large",
      "image/png",
      Buffer.concat([png(9, 9), Buffer.alloc(4_000_000)]),
      "application/octet-stream",
    ],
    ["bytes that are gone", "image/png", null, "application/octet-stream"],
  ])("that is %s is described and not shown", async (_, mime, bytes, stored) => {
    const { block, described, shown } = await attach("a", mime, bytes);
    expect(block?.mime).toBe(stored);
    expect(described).toMatchObject({ mime, summary: expect.stringMatching(/\.$/) });
    expect(shown).toContain(`summary: ${described.summary}`);
    expect(shown).not.toMatch(/"type":"(image|document)"/);
  });

  it("an attachment that is text stays as it was sent, and is only described", async () => {
    const { block, described, rows } = await attach("a.csv", "text/csv", Buffer.from("a,b"));
    expect(block).toMatchObject({ mime: "text/csv" });
    expect(described.summary).toBeUndefined();
    expect(rows).toBe(1);
  });
});
