/** The ranges themselves are in the table of attacks; this file tests rules that hold for every address. */
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { refusedRange } from "./address-rules.ts";

it("an IPv4 address gets the same verdict by itself, mapped into IPv6, behind NAT64, and in ISATAP", () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const v4 = bytes.join(".");
      const hex = Buffer.from(bytes).toString("hex");
      const low = `${hex.slice(0, 4)}:${hex.slice(4)}`;
      const judged = [`::ffff:${v4}`, `::ffff:${low}`, `64:ff9b::${low}`, `2606:4700::5efe:${low}`].map(refusedRange);
      expect(new Set(judged)).toEqual(new Set([refusedRange(v4)]));
    }),
    { numRuns: runs },
  );
});

it("any text is an address with a verdict, or is rejected", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6()), (text) => {
      expect(() => refusedRange(text)).not.toThrow();
    }),
    { numRuns: runs },
  );
});
