/** The conformance suite of `BlobStore`. */
import type { BlobStore } from "@cairn/store";
import type { BlobRef } from "@cairn/timeline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bySize } from "../../runs.ts";
import { blobRefOf } from "./journal-script.ts";
import { bytesOf, codeOf, collect } from "./opened-store.ts";

export interface OpenedBlobs {
  readonly blobs: BlobStore;
  dispose(): Promise<void>;
}

export function blobStoreSuite(name: string, open: () => Promise<OpenedBlobs>): void {
  describe(`${name} keeps the contract of a blob store`, () => {
    let opened: OpenedBlobs | null = null;
    const store = (): BlobStore => {
      if (opened === null) throw new Error("The store is not open yet.");
      return opened.blobs;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => opened?.dispose());

    it("returns any bytes, however they were split, under their hash", async () => {
      const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(pieces, fc.nat({ max: 400 }), fc.nat({ max: 400 }), async (chunks, start, length) => {
          const bytes = new Uint8Array(Buffer.concat(chunks));
          const { ref, size } = await store().put("t", chunks);
          expect([ref, size]).toEqual([blobRefOf(bytes), bytes.length]);
          expect(await store().stat("t", ref)).toBe(bytes.length);
          expect(Buffer.compare(await bytesOf(store().get("t", ref)), bytes)).toBe(0);
          const range = await bytesOf(store().get("t", ref, { range: { start, end: start + length } }));
          expect(Buffer.compare(range, bytes.subarray(start, start + length))).toBe(0);
        }),
        // Each run waits for the disk several times, so there are a fifth of the usual number of runs.
        { numRuns: bySize({ quick: 20, usual: 60, long: 20_000 }) },
      );
    });

    const streamed = bySize({ quick: 16, usual: 32, long: 64 });
    it(`streams: a blob of ${streamed} MB passes in pieces and is never held whole`, async () => {
      const piece = Uint8Array.from({ length: 1 << 16 }, (_, n) => n & 0xff);
      const many = function* () {
        for (let n = 0; n < 16 * streamed; n++) yield piece;
      };
      const { ref, size } = await store().put("t", many());
      expect(size).toBe(streamed << 20);
      let read = 0;
      let largest = 0;
      for await (const chunk of store().get("t", ref)) {
        read += chunk.length;
        largest = Math.max(largest, chunk.length);
      }
      expect(read).toBe(size);
      expect(largest).toBeLessThanOrEqual(name.includes("reference") ? size : 1 << 22);
      await store().delete("t", ref);
    });

    it("does not share its buffer: a source may reuse its own", async () => {
      const buffer = new Uint8Array(4);
      const reusing = async function* () {
        for (const byte of [1, 2, 3]) {
          buffer.fill(byte);
          yield buffer;
        }
      };
      const { ref } = await store().put("t", reusing());
      expect(await bytesOf(store().get("t", ref))).toEqual(new Uint8Array([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]));
    });

    it("keeps tenants separate, whatever their names", async () => {
      const bytes = new TextEncoder().encode("one tenant's own");
      const tenants = [
        "a",
        "A",
        "a/b",
        "..",
        ".",
        "a\0",
        "ä",
        "a\u0308",
        "x".repeat(512),
        "🙂",
        "__proto__",
        "a%2Fb",
        "CON",
      ];
      const ref = blobRefOf(bytes);
      for (const [nth, tenant] of tenants.entries()) {
        expect(await store().stat(tenant, ref)).toBeNull();
        expect(await codeOf(store().get(tenant, ref))).toBe("not_found");
        await store().put(tenant, [bytes]);
        if (nth % 2 === 0) await store().delete(tenant, ref);
      }
      const sizes = await Promise.all(tenants.map((tenant) => store().stat(tenant, ref)));
      expect(sizes).toEqual(tenants.map((_, nth) => (nth % 2 === 0 ? null : bytes.length)));
    });

    it("removes bytes, and does nothing if there are none", async () => {
      const { ref } = await store().put("t", [new TextEncoder().encode("short-lived")]);
      await store().delete("t", ref);
      await store().delete("t", ref);
      expect(await store().stat("t", ref)).toBeNull();
      expect(await codeOf(store().get("t", ref))).toBe("not_found");
      await store().put("t", [new TextEncoder().encode("short-lived")]);
      expect(await store().stat("t", ref)).toBe(11);
    });

    it("leaves nothing to read when the source fails or the call is aborted", async () => {
      const bytes = new TextEncoder().encode("broken off");
      const failing = async function* () {
        yield bytes;
        throw new Error("broken");
      };
      await expect(store().put("t", failing())).rejects.toThrow("broken");
      expect(await store().stat("t", blobRefOf(bytes))).toBeNull();
      const signal = AbortSignal.abort(new Error("enough"));
      await expect(store().put("t", [bytes], { signal })).rejects.toThrow("enough");
      await expect(collect(store().get("t", blobRefOf(bytes), { signal }))).rejects.toThrow("enough");
      expect(await store().stat("t", blobRefOf(bytes))).toBeNull();
    });

    it("stores the same bytes many times at once", async () => {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 7) & 0xff);
      const puts = await Promise.all(Array.from({ length: 20 }, () => store().put("t", [bytes])));
      expect(new Set(puts.map((put) => put.ref))).toEqual(new Set([blobRefOf(bytes)]));
      expect(await bytesOf(store().get("t", blobRefOf(bytes)))).toEqual(bytes);
    });

    it("lets one reader stop early and another continue", async () => {
      const bytes = new Uint8Array(1 << 20).fill(7);
      const { ref } = await store().put("t", [bytes]);
      for await (const chunk of store().get("t", ref)) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect((await bytesOf(store().get("t", ref))).length).toBe(bytes.length);
    });

    it("refuses invalid addresses and ranges", async () => {
      const { ref } = await store().put("t", [new Uint8Array(3)]);
      for (const bad of [
        "",
        "sha256:",
        "sha256:../x",
        `sha256:${"A".repeat(64)}`,
        `sha1:${"0".repeat(64)}`,
      ] as BlobRef[])
        expect(await codeOf(store().get("t", bad))).toMatch(/^(bad_argument|not_found)$/);
      const ranges = [{ start: -1 }, { end: -1 }, { start: 0.5 }, { end: Number.NaN }];
      for (const range of ranges) expect(await codeOf(store().get("t", ref, { range }))).toBe("bad_argument");
    });
  });
}
