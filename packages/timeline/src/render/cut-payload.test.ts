import { hostileText } from "@cairn/testkit/conversation";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPayload, escapePayload } from "./escape.ts";

describe("a payload that is cut", () => {
  it("is escaped as the beginning of the whole is, wherever behind the first line the cut goes", () => {
    const text = fc.array(hostileText, { maxLength: 4 }).map((parts) => ["first line", ...parts].join("\n"));
    fc.assert(
      fc.property(text, fc.nat(), (whole, at) => {
        const end = "first line".length + (at % (whole.length + 1 - "first line".length));
        expect(escapePayload(whole).startsWith(escapePayload(cutPayload(whole, end)))).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it("leaves no header that only its end was missing from", () => {
    expect(escapePayload(cutPayload("a\n[USER MESSAGE]\nb", "a\n[USER MESSAGE".length))).toBe("a\n\\[USER MESSAGE");
    expect(escapePayload(cutPayload("a\n[users]", 4))).toBe("a\n[u");
    expect(escapePayload(cutPayload("a\n\\\n[TURN turn_9]", 3))).toBe("a\n\\");
  });
});
