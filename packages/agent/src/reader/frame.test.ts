import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FrameReader, frameHead } from "./frame.ts";

it("the decoder returns the frames that were sent, however the pipe splits and joins them", () => {
  const frame = fc.record({ json: fc.jsonValue(), bytes: fc.uint8Array() });
  fc.assert(
    fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 40 })), (frames, cuts) => {
      const sent = Buffer.concat(frames.flatMap(({ json, bytes }) => [frameHead(json, bytes.length), bytes]));
      const reader = new FrameReader(1_000_000);
      const heard: { json: unknown; bytes: number[] }[] = [];
      const hear = (chunk: Uint8Array) => {
        for (const { json, bytes } of reader.push(chunk)) heard.push({ json, bytes: [...bytes] });
      };
      let at = 0;
      for (const cut of cuts) {
        hear(sent.subarray(at, at + cut));
        at += cut;
      }
      hear(sent.subarray(at));
      const expected = frames.map(({ json, bytes }) => ({ json: JSON.parse(JSON.stringify(json)), bytes: [...bytes] }));
      expect(heard).toEqual(expected);
    }),
    { numRuns: runs },
  );
});

it("the decoder rejects a frame over the limit before it is complete", () => {
  const reader = new FrameReader(100);
  expect(() => [...reader.push(frameHead("x", 1_000))]).toThrow(RangeError);
});
