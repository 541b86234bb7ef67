import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unwrapEnvelope } from "./unwrap.ts";

describe("unwrapEnvelope", () => {
  test("a failed built-in keeps its ret and its error without managed", () => {
    const error = { code: "e1", message: "no", where: "x", managed: true };
    expect(unwrapEnvelope({ ok: false, error, ret: { a: 1 } }, true)).toEqual({
      output: { a: 1 },
      error: { code: "e1", message: "no", where: "x" },
    });
  });

  test.each<[string, unknown, boolean, unknown]>([
    ["a built-in's output is ret", { ok: true, ret: [1] }, true, [1]],
    ["a built-in without ret gives null", { ok: true, extra: 1 }, true, null],
    ["an external tool's output is ret if it has one", { ok: true, ret: 1, extra: 2 }, false, 1],
    ["a ret of null is a ret", { ok: true, ret: null, extra: 2 }, false, null],
    ["a false ret is a ret", { ok: true, ret: false, extra: 2 }, false, false],
    ["an external tool without ret gives the rest", { ok: true, error: null, a: 1, b: 2 }, false, { a: 1, b: 2 }],
    ["an external tool with nothing else gives an empty object", { ok: true, error: null }, false, {}],
    ["ok decides against an error that stands beside it", { ok: true, error: { code: "e" }, a: 1 }, false, { a: 1 }],
  ])("%s", (_, value, builtin, output) => {
    expect(unwrapEnvelope(value, builtin)).toEqual({ output, error: null });
  });

  test("every field of an error except managed is kept", () => {
    const error = { code: "e", message: "m", where: "w", details: { managed: 1 }, extra: [1], managed: false };
    expect(unwrapEnvelope({ ok: false, error }, false).error).toEqual({
      code: "e",
      message: "m",
      where: "w",
      details: { managed: 1 },
      extra: [1],
    });
  });

  test.each<[string, unknown, string, RegExp]>([
    ["missing", undefined, "tool_error", /without saying why/],
    ["null", null, "tool_error", /without saying why/],
    ["a text", "disk full", "tool_error", /^disk full$/],
    ["a blank text", " ", "tool_error", /without saying why/],
    ["a list", [1], "tool_error", /without saying why/],
    ["true", true, "tool_error", /without saying why/],
    ["empty", {}, "tool_error", /without saying why/],
    ["a numbered code", { code: 404, message: "gone" }, "404", /^gone$/],
    ["odd fields", { code: {}, message: [] }, "tool_error", /without saying why/],
  ])("a failure whose error is %s still has a code and a message", (_, error, code, message) => {
    const unwrapped = unwrapEnvelope({ ok: false, error }, true).error;
    expect(unwrapped?.code).toBe(code);
    expect(unwrapped?.message).toMatch(message);
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a text", "ok"],
    ["a list", [{ ok: true }]],
    ["no ok", { ret: 1 }],
    ["an ok that is a number", { ok: 1, ret: 1 }],
    ["an ok that is a text", { ok: "true" }],
  ])("%s is a malformed envelope", (_, value) => {
    for (const builtin of [true, false]) {
      const { output, error } = unwrapEnvelope(value, builtin);
      expect(output).toBeNull();
      expect(error?.code).toBe("malformed_envelope");
    }
  });

  test("keys named like object internals are plain data", () => {
    const { output } = unwrapEnvelope(JSON.parse('{"ok":true,"__proto__":{"x":1},"constructor":2}'), false);
    expect(JSON.stringify(output)).toBe('{"__proto__":{"x":1},"constructor":2}');
  });

  test("any value is unwrapped, and no error shows managed", () => {
    const envelope = fc.record(
      { ok: fc.boolean(), error: fc.anything(), ret: fc.anything() },
      { requiredKeys: ["ok"] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), envelope), fc.boolean(), (value, builtin) => {
        const { error } = unwrapEnvelope(value, builtin);
        if (error === null) return;
        expect(typeof error.code).toBe("string");
        expect(error.message).not.toBe("");
        expect(Object.hasOwn(error, "managed")).toBe(false);
      }),
      { numRuns: runs },
    );
  });
});
