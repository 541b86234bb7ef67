/** Bytes are read through a conversation that refers to them, never by their hash alone. */
import { createHash } from "node:crypto";
import type { BlobRef } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { bytesOf, codeOf, type OpenStore, useStore } from "./opened-store.ts";

const hashOf = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export function referringSuite(open: OpenStore): void {
  describe("blobs of a conversation", () => {
    const bench = useStore(open);

    it("can be read whole and in ranges", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const bytes = Uint8Array.from({ length: 200_000 }, (_, n) => (n * 31) & 0xff);
      const { ref, size } = await store.putBlob(key, [bytes.subarray(0, 3), bytes.subarray(3)]);
      expect([ref, size]).toEqual([hashOf(bytes), bytes.length]);
      expect(await store.statBlob(key, ref)).toBe(bytes.length);
      expect(Buffer.compare(await bytesOf(store.readBlob(key, ref)), bytes)).toBe(0);
      const ranges = [{ start: 5, end: 10 }, { start: 199_990 }, { end: 3 }, { start: 5, end: 5 }];
      for (const range of [...ranges, { start: 300_000 }, { start: 199_999, end: 300_000 }]) {
        const { start = 0, end = bytes.length } = range;
        expect(await bytesOf(store.readBlob(key, ref, { range }))).toEqual(bytes.slice(start, Math.max(start, end)));
      }
    });

    it("exclude bytes that this conversation has not stored, even if they exist", async () => {
      const { store, newKey } = bench();
      const [key, other] = [newKey(), newKey()];
      for (const each of [key, other]) await store.createConversation(each);
      const { ref } = await store.putBlob(other, [new TextEncoder().encode("somebody else's")]);
      expect(await codeOf(store.readBlob(key, ref))).toBe("not_found");
      expect(await store.statBlob(key, ref)).toBeNull();
      const none = `sha256:${"0".repeat(64)}` as const;
      expect(await codeOf(store.readBlob(key, none))).toBe("not_found");
      expect(await store.statBlob(key, none)).toBeNull();
    });

    it("refuse invalid addresses, whatever they contain", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const refs = [
        "",
        "sha256:",
        "sha256:../../etc/passwd",
        `sha256:${"A".repeat(64)}`,
        `md5:${"0".repeat(64)}`,
        "\0",
      ];
      for (const ref of refs as BlobRef[])
        expect(["not_found", "bad_argument"]).toContain(await codeOf(store.readBlob(key, ref)));
    });

    it("have no reference when the source fails or the call is aborted", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const bytes = new TextEncoder().encode("half of it only");
      const failing = async function* () {
        yield bytes;
        throw new Error("the upload broke");
      };
      await expect(store.putBlob(key, failing())).rejects.toThrow("the upload broke");
      expect(await store.statBlob(key, hashOf(bytes) as BlobRef)).toBeNull();
      const stop = new AbortController();
      const endless = async function* () {
        for (;;) {
          yield bytes;
          stop.abort(new Error("enough"));
        }
      };
      await expect(store.putBlob(key, endless(), { signal: stop.signal })).rejects.toThrow("enough");
    });

    it("can be stored twice, also at once and through several handles", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      await store.createConversation(key);
      const other = await another();
      const bytes = Uint8Array.from({ length: 50_000 }, (_, n) => n & 0xff);
      const puts = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? store : other).putBlob(key, [bytes]));
      expect(new Set((await Promise.all(puts)).map((put) => put.ref)).size).toBe(1);
      expect(await bytesOf(other.readBlob(key, hashOf(bytes) as BlobRef))).toEqual(bytes);
      await other.close();
    });

    it("may be empty", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const { ref, size } = await store.putBlob(key, []);
      expect(size).toBe(0);
      expect(await store.statBlob(key, ref)).toBe(0);
      expect(await bytesOf(store.readBlob(key, ref))).toEqual(new Uint8Array());
    });
  });
}
