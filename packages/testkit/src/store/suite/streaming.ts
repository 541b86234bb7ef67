/** Text that is being written is stored outside the journal until its block is appended or the text is dropped. */
import { describe, expect, it } from "vitest";
import { make } from "../../conversation/index.ts";
import { codeOf, type OpenStore, useStore } from "./opened-store.ts";
import { Writer } from "./writer.ts";

export function streamingSuite(open: OpenStore): void {
  describe("open streams", () => {
    const bench = useStore(open);

    it("collect text that any handle can read, outside the journal", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      const { lease } = await Writer.create(store, key);
      const { token } = lease;
      await store.appendStream(key, { token, stream: "b", offset: 0, text: "Hel\ud83d" });
      await store.appendStream(key, { token, stream: "b", offset: 4, text: "\ude00lo \ud800\0" });
      await store.appendStream(key, { token, stream: "a", offset: 0, text: "" });
      const other = await another();
      expect(await other.openStreams(key)).toEqual([
        { stream: "a", text: "" },
        { stream: "b", text: "Hel\ud83d\ude00lo \ud800\0" },
      ]);
      await other.close();
      expect((await store.load(key)).seq).toBe(0);
    });

    it("ignore a piece that comes twice, and replace the text after the offset", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const { token } = (await Writer.create(store, key)).lease;
      const put = (offset: number, text: string) => store.appendStream(key, { token, stream: "s", offset, text });
      await put(0, "abc");
      await put(3, "def");
      await put(3, "def");
      expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "abcdef" }]);
      await put(1, "X");
      expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "aX" }]);
      await put(0, "new");
      expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "new" }]);
      await put(0, "");
      expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "" }]);
    });

    it("give a reader only the text after its offset, however it was split", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const { token } = (await Writer.create(store, key)).lease;
      const pieces = ["ab", "c😀", "def", ""];
      let offset = 0;
      for (const text of pieces) {
        await store.appendStream(key, { token, stream: "s", offset, text });
        offset += text.length;
      }
      await store.appendStream(key, { token, stream: "t", offset: 0, text: "other" });
      const whole = pieces.join("");
      for (let n = 0; n <= whole.length + 1; n++)
        expect(
          await store.openStreams(key, {
            known: new Map([
              ["s", n],
              ["gone", 3],
              ["\ud800", 1],
            ]),
          }),
        ).toEqual([
          { stream: "s", text: whole.slice(n) },
          { stream: "t", text: "other" },
        ]);
    });

    it("refuse a gap, a wrong offset and more than four megabytes", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const { token } = (await Writer.create(store, key)).lease;
      const put = (offset: number, text: string) =>
        codeOf(store.appendStream(key, { token, stream: "s", offset, text }));
      expect(await put(1, "x")).toBe("conflict");
      await store.appendStream(key, { token, stream: "s", offset: 0, text: "abc" });
      expect(await put(4, "x")).toBe("conflict");
      for (const offset of [-1, 0.5, Number.NaN]) expect(await put(offset, "x")).toBe("bad_argument");
      expect(await put(3, "x".repeat(4 * 1024 * 1024))).toBe("too_large");
      expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "abc" }]);
    });

    it("end when their block is appended, with the batch or not at all", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const { token } = writer.lease;
      for (const stream of ["s", "t"]) await store.appendStream(key, { token, stream, offset: 0, text: "live" });
      writer.timeline.contribute([make.prompt("turn_1", "landed")]);
      const events = writer.timeline.takeEvents();
      const wrong = { token, expectedSeq: 7 };
      expect(await codeOf(store.append(key, events, { lease: wrong, dropStreams: ["s"] }))).toBe("conflict");
      expect(await store.openStreams(key)).toHaveLength(2);
      await store.append(key, events, { lease: writer.expected, dropStreams: ["s", "never opened"] });
      expect(await store.openStreams(key)).toEqual([{ stream: "t", text: "live" }]);
    });

    it("are dropped by name, and dropping one that is not open does nothing", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const { token } = (await Writer.create(store, key)).lease;
      await store.appendStream(key, { token, stream: "s", offset: 0, text: "x" });
      await store.dropStream(key, { token, stream: "t" });
      await store.dropStream(key, { token, stream: "s" });
      await store.dropStream(key, { token, stream: "s" });
      expect(await store.openStreams(key)).toEqual([]);
    });

    it("are not dropped by a similar name", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const { token } = (await Writer.create(store, key)).lease;
      for (const stream of ["\ufffd", "a\0b"]) await store.appendStream(key, { token, stream, offset: 0, text: "x" });
      for (const stream of ["\ud800", "a", "a\0", "A\0B"]) await store.dropStream(key, { token, stream });
      expect((await store.openStreams(key)).map((open) => open.stream)).toEqual(["a\0b", "\ufffd"]);
    });

    it("stay readable after their writer crashed, for the next one to discard", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const dead = await Writer.create(store, key);
      await store.appendStream(key, { token: dead.lease.token, stream: "s", offset: 0, text: "half" });
      clock.tick(3_600_001);
      const { token } = await store.acquireLease(key, "next", 1_000);
      expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "half" }]);
      await store.dropStream(key, { token, stream: "s" });
      expect(await store.openStreams(key)).toEqual([]);
    });

    it("cannot be dropped without the lease", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const { token } = (await Writer.create(store, key)).lease;
      await store.appendStream(key, { token, stream: "s", offset: 0, text: "x" });
      expect(await codeOf(store.append(key, [], { dropStreams: ["s"] }))).toBe("lease_required");
      expect(await store.openStreams(key)).toHaveLength(1);
    });
  });
}
