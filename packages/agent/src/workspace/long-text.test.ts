import { setImmediate as nextTurn } from "node:timers/promises";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LongText } from "./long-text.ts";
import { decodeText } from "./media.ts";

async function textOf(bytes: Uint8Array): Promise<string | null> {
  const text = await LongText.open(bytes);
  return text === null ? null : (await Array.fromAsync(text.pieces())).join("");
}

describe("LongText", () => {
  const encodings: readonly (readonly [string, Buffer])[] = [
    ["UTF-8", Buffer.from("äöü €uro 😀\n".repeat(200_000))],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${"é".repeat(1_200_000)}`)],
    ["UTF-16", Buffer.from(`\ufeff${"é😀".repeat(400_000)}`, "utf16le")],
    ["Windows-1252", Buffer.concat([Buffer.alloc(2_000_000, "plain "), Buffer.from([0xe9])])],
    ["a byte of zero", Buffer.concat([Buffer.alloc(2_000_000, "plain "), Buffer.alloc(1)])],
    ["a control character", Buffer.concat([Buffer.alloc(2_000_000, "plain "), Buffer.from([0xe9, 1])])],
  ];

  it.each(encodings)("decodes a file in pieces to the same text as in one step: %s", async (_, bytes) => {
    expect((await textOf(bytes)) === decodeText(bytes)).toBe(true);
  });

  it("decodes any bytes to the same text as in one step", async () => {
    const byte = fc.oneof(fc.constantFrom(0xff, 0xfe, 0xef, 0xbb, 0xbf, 10, 65, 66), fc.nat(255));
    const any = fc.array(byte).map((each) => Uint8Array.from(each));
    await fc.assert(
      fc.asyncProperty(any, async (bytes) => {
        expect(await textOf(bytes)).toBe(decodeText(bytes));
      }),
      { numRuns: runs },
    );
  });

  it("lets other work run between its pieces", async () => {
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; turns++) await nextTurn();
    })();
    await textOf(Buffer.alloc(8_000_000, "a b "));
    isDone = true;
    await others;
    expect(turns).toBeGreaterThan(7);
  });
});
