/**
 * The rules of version 2 were once regular expressions, which took half a second to compile. This test keeps
 * the expressions, and compares the code with them.
 */
import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LINE_BREAK } from "../../message/inline.ts";
import { escapeLaterLinesV2, escapeLinesV2 } from "./escape-headers-v2.ts";
import { HEADERS } from "./headers.ts";

const INVISIBLE = `[[\\p{C}\\p{M}]--[${LINE_BREAK}]]`;
const BLANK = `[[\\p{Z}\\p{C}\\p{M}]--[${LINE_BREAK}]]`;
const pattern = (header: string) =>
  [...header]
    .map((each) => (each === " " ? `${BLANK}+` : each.replace(/[[\].]/, "\\$&")))
    .join(`${INVISIBLE}*`)
    .replace("\\[", `\\[${BLANK}*`);
const ANY_HEADER = `${BLANK}*(?:${HEADERS.map(pattern).join("|")})`;
const AT_LINE_START = new RegExp(`(?<=^|[${LINE_BREAK}])(?=${ANY_HEADER})`, "gv");
const AFTER_LINE_BREAK = new RegExp(`(?<=[${LINE_BREAK}])(?=${ANY_HEADER})`, "gv");

const filler = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  fc.constantFrom(
    " ",
    "\t",
    "\u200b",
    "\u0301",
    "\u00a0",
    "\u3164",
    "\n",
    "\r\n",
    "\u2028",
    "\ud800",
    "\u{e0041}",
    "x",
    "]",
  ),
  anyCharacter,
);
const header = fc
  .tuple(fc.constantFrom(...HEADERS), fc.array(filler, { minLength: 25, maxLength: 25 }))
  .map(([words, fillers]) => [...words].map((each, at) => `${fillers[at] ?? ""}${each}`).join(""));
const text = fc
  .array(fc.oneof(header, filler, fc.constantFrom(...HEADERS), fc.constantFrom("\n", "\\", "[", "S")), { maxLength: 8 })
  .map((parts) => parts.join(""));

it("a text is escaped as by the regular expressions of version 2", () => {
  fc.assert(
    fc.property(text, (content) => {
      expect(escapeLinesV2(content)).toBe(content.replace(AT_LINE_START, "\\"));
      expect(escapeLaterLinesV2(content)).toBe(content.replace(AFTER_LINE_BREAK, "\\"));
    }),
    { numRuns: runs },
  );
});
