import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { linearPattern } from "./linear-pattern.ts";
import { checkPatterns, uncheckedPatterns, withoutPatterns } from "./schema-patterns.ts";

const string = (pattern: string) => ({ type: "string", pattern });

describe("a pattern of a server", () => {
  it("a pattern of a server that backtracks for ever is matched in linear time", () => {
    const match = linearPattern("^(a+)+$");
    expect(match?.("a".repeat(1_000))).toBe(true);
    expect(match?.(`${"a".repeat(1_000)}!`)).toBe(false);
  });

  it("matches the same texts as JavaScript's engine", () => {
    const patterns = ["^[a-c]+$", "b{2,3}", "^(?:ab|c)*$", "\\d+-\\w", "^\\S+@\\S+\\.\\S+$", "a|^$", "[^a]\\/", "(?i)"];
    fc.assert(
      fc.property(
        fc.constantFrom(...patterns),
        fc.string({ unit: fc.constantFrom(..."abcAB1-@./ ") }),
        (pattern, text) => {
          const match = linearPattern(pattern);
          if (pattern !== "(?i)") expect(match?.(text)).toBe(new RegExp(pattern).test(text));
        },
      ),
      { numRuns: runs },
    );
  });

  it("with a lookaround or a back reference is not checked, and neither is one that takes too many steps", () => {
    for (const pattern of ["^(?=a)b", "(?<!a)b", "(a)\\1", "(", "x".repeat(1_001)]) {
      expect(linearPattern(pattern)).toBeNull();
      expect(uncheckedPatterns({ type: "object", properties: { a: string(pattern) } })).toEqual([pattern]);
      expect(checkPatterns({ properties: { a: string(pattern) } }, { a: "z" })).toEqual([]);
    }
    expect(linearPattern("(?:a{1,30}){1,30}b")?.("a".repeat(1_000_000))).toBeUndefined();
  });

  it("is found only at schema positions, not in a property named pattern", () => {
    const schema = {
      type: "object",
      properties: { pattern: { type: "string" }, list: { type: "array", items: { $ref: "#/$defs/code" } } },
      patternProperties: { "^x-": string("^1$") },
      additionalProperties: false,
      $defs: { code: string("^[A-Z]+$") },
    };
    const rest = withoutPatterns(schema);
    expect(JSON.stringify(rest)).not.toMatch(/\^|additionalProperties/);
    expect(rest).toMatchObject({ properties: { pattern: { type: "string" } } });
    expect(checkPatterns(schema, { pattern: "(a+)+", list: ["A", "b"], "x-a": "1" })).toEqual([
      { path: ["list", 1], message: "must match the pattern ^[A-Z]+$" },
    ]);
    expect(checkPatterns(schema, { "x-a": "2" })).toMatchObject([{ path: ["x-a"] }]);
  });

  it("can be removed from any schema without changing the other checks", () => {
    const schema = { type: "object", properties: { a: { ...string("^a+$"), maxLength: 3 }, b: { type: "integer" } } };
    const checked = z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]);
    expect(checked.safeParse({ a: "b", b: 1 }).success).toBe(true);
    expect(checked.safeParse({ a: "long" }).success).toBe(false);
    expect(checked.safeParse({ b: 1.5 }).success).toBe(false);
  });

  it("in a schema that refers to itself does not cause a loop", () => {
    const loop = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a", allOf: [{ $ref: "#/$defs/a" }] } } };
    expect(checkPatterns(loop, { a: 1 })).toEqual([]);
    const mutual = {
      allOf: [{ $ref: "#/$defs/a" }],
      $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
    };
    expect(checkPatterns(mutual, { a: 1 })).toEqual([]);
  });
});
