import { hostileText } from "@cairn/testkit/conversation";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeRules } from "./escape.ts";
import { isHeaderAt } from "./header/header-at.ts";

const { cut: cutPayload, payload: escapePayload } = escapeRules();

describe("a payload that is cut", () => {
  it("is escaped as the beginning of the whole text, wherever after the first line it is cut", () => {
    const text = fc.array(hostileText, { maxLength: 4 }).map((parts) => ["first line", ...parts].join("\n"));
    fc.assert(
      fc.property(text, fc.nat(), (whole, at) => {
        const end = "first line".length + (at % (whole.length + 1 - "first line".length));
        const cut = escapePayload(cutPayload(whole, end));
        // A cut after the words of a header turns a longer word into a header.
        const lineStart = whole.slice(0, end).search(/[^\n\r\v\f\x85\u2028\u2029]*$/);
        if (isHeaderAt(whole, lineStart) || !isHeaderAt(whole.slice(0, end), lineStart))
          expect(escapePayload(whole).startsWith(cut)).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it("contains no header that only lacked its end", () => {
    expect(escapePayload(cutPayload("a\n[USER MESSAGE]\nb", "a\n[USER MESSAGE".length))).toBe("a\n\\[USER MESSAGE");
    expect(escapePayload(cutPayload("a\n[users]", 4))).toBe("a\n[u");
    expect(escapePayload(cutPayload("a\n\\\n[TURN turn_9]", 3))).toBe("a\n\\");
  });
});
