import { createHash } from "node:crypto";
import { anyCharacter } from "@cairn/testkit/any-character";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageBlock } from "../message/message.ts";
import { hashMessage, hashText } from "./hash.ts";

const reference = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const encoder = new TextEncoder();

describe("hashText", () => {
  it("gives the published digests", () => {
    expect(hashText("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hashText("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("agrees with another implementation on any text, lone surrogates included", () => {
    const units = fc.array(fc.oneof(fc.nat({ max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 })), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 400 }), units.map(fromUnits)), (text) => {
        expect(hashText(text)).toBe(reference(encoder.encode(text)));
      }),
      { numRuns: runs },
    );
  });

  it.each(["a", "é", "日", "𝒳", "\ud800"])("agrees at every length around a block and a buffer of %s", (unit) => {
    const lengths = [...Array(140).keys()];
    for (const width of [1, 2, 3, 4])
      for (let off = -70; off <= 70; off++) lengths.push(Math.floor(32_768 / width) + off);
    for (const length of lengths) {
      const text = unit.repeat(length);
      expect(hashText(text)).toBe(reference(encoder.encode(text)));
    }
  });

  it("agrees when a wide character straddles the end of the buffer", () => {
    for (let lead = 32_760; lead <= 32_772; lead++)
      for (const unit of ["é", "日", "𝒳", "\udc00"]) {
        const text = `${"x".repeat(lead)}${unit.repeat(30)}`;
        expect(hashText(text)).toBe(reference(encoder.encode(text)));
      }
  });

  it("agrees on a million characters on one line", () => {
    const text = "0123456789日".repeat(100_000);
    expect(hashText(text)).toBe(reference(encoder.encode(text)));
  });

  it("takes time in proportion to the text", () => {
    expect(growthOnDoubling((size) => "é[x".repeat(size), hashText, 100_000)).toBeLessThan(3);
  });
});

describe("hashMessage", () => {
  const png = Buffer.from("not really a picture");
  const data = png.toString("base64");
  const picture = (fields: Partial<MessageBlock>) =>
    ({ type: "image", media_type: "image/png", ...fields }) as MessageBlock;

  it("ignores the cache mark", () => {
    expect(hashMessage({ type: "text", text: "a", cache: true })).toBe(hashMessage({ type: "text", text: "a" }));
    expect(hashMessage(picture({ data, cache: true }))).toBe(hashMessage(picture({ data })));
  });

  it("identifies a picture by its bytes, whether they are inline or in a blob", () => {
    expect(hashMessage(picture({ data }))).toBe(hashMessage(picture({ blob: `sha256:${reference(png)}` })));
    const large = Buffer.alloc(100_001, 7);
    expect(hashMessage(picture({ data: large.toString("base64") }))).toBe(
      hashMessage(picture({ blob: `sha256:${reference(large)}` })),
    );
  });

  it("distinguishes every other difference, also between values that are not base64", () => {
    const messages: MessageBlock[] = [
      { type: "text", text: "" },
      { type: "text", text: "a" },
      { type: "text", text: "a " },
      picture({}),
      picture({ data }),
      picture({ data: `${data}\n` }),
      picture({ data: "!!" }),
      picture({ data: "A" }),
      picture({ data: "QQ==QQ==" }),
      picture({ data: "QR==" }),
      picture({ data: "QQ==" }),
      picture({ data: "QQ" }),
      picture({ type: "document", data }),
      picture({ media_type: "image/jpeg", data }),
      picture({ media_type: "image/png base64:", data: "x" }),
      picture({ data: "base64: x" }),
    ];
    expect(new Set(messages.map(hashMessage)).size).toBe(messages.length);
  });

  it("hashes a message once, however often it is asked", () => {
    let reads = 0;
    const message = {
      type: "text" as const,
      get text() {
        reads++;
        return "x";
      },
    };
    expect(hashMessage(message)).toBe(hashMessage(message));
    expect(reads).toBe(1);
  });
});

function fromUnits(units: readonly number[]): string {
  return units.map((unit) => String.fromCharCode(unit)).join("");
}
