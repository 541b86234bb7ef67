import { describe, expect, it } from "vitest";
import { decodeText, inspectBinary, mimeOfName } from "./media.ts";

describe("the type of a file", () => {
  it("is recognised by its name", () => {
    expect(mimeOfName("turn_1/files/Report.MD")).toBe("text/markdown");
    expect(mimeOfName("a.b/c")).toBe("text/plain");
    expect(mimeOfName("x.constructor", "application/octet-stream")).toBe("application/octet-stream");
  });

  it("is recognised by its bytes, for content that a model is shown", async () => {
    expect(await inspectBinary(Buffer.from("<svg/>"))).toBeNull();
    expect(await inspectBinary(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toMatchObject({ mime: "image/jpeg", meta: {} });
    expect(await inspectBinary(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(4_000_000)]))).toBeNull();
    expect(await inspectBinary(new Uint8Array())).toBeNull();
  });

  it("includes the number of pages of a document", async () => {
    const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Page>>endobj 2 0 obj<</Type/Page>>endobj\n%%EOF");
    expect(await inspectBinary(pdf)).toEqual({ mime: "application/pdf", tokens: 4_000, meta: { pages: 2 } });
  });
});

describe("decodeText", () => {
  it("reads UTF-8, UTF-16 with a byte order mark, and older encodings", () => {
    expect(decodeText(Buffer.from("a é 😀"))).toBe("a é 😀");
    expect(decodeText(Buffer.from("\ufeffa"))).toBe("\ufeffa");
    expect(decodeText(Buffer.from("\ufeffa é", "utf16le"))).toBe("a é");
    expect(decodeText(Buffer.from("caf\xe9 au lait", "latin1"))).toBe("café au lait");
    expect(decodeText(new Uint8Array())).toBe("");
  });

  it("never treats binary content as text", () => {
    for (const bytes of [[0], [0x50, 0x4b, 3, 4, 0], [0x80, 0x81, 0x82], [1, 0xff]])
      expect(decodeText(Uint8Array.from(bytes))).toBeNull();
  });
});
