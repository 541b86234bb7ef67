import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { wireToolNames } from "./tool-name.ts";

it("a dot becomes two underscores and back", () => {
  const names = wireToolNames(["react.read", "exec_tools.execute_code_python", "ask_user"]);
  expect(names.toWire("react.read")).toBe("react__read");
  expect(names.toWire("ask_user")).toBe("ask_user");
  expect(names.fromWire("exec_tools__execute_code_python")).toBe("exec_tools.execute_code_python");
});

it("an unknown name is returned unchanged", () => {
  const names = wireToolNames(["react.read"]);
  for (const name of ["react__nothing", "react.read", "", "__proto__", "a".repeat(1_000)])
    expect(names.fromWire(name)).toBe(name);
});

it("two tools that would get the same wire name get different ones, and a tool whose name is already valid keeps it", () => {
  const names = wireToolNames(["a.b", "a__b", "a b", "a_b"]);
  const wire = ["a.b", "a__b", "a b", "a_b"].map(names.toWire);
  expect(new Set(wire).size).toBe(4);
  expect(wire[1]).toBe("a__b");
});

it("wire names of any tools are valid, distinct and reversible, in any order of registration", () => {
  const name = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", ".", "_", "-", "é", " "), minLength: 1, maxLength: 90 }),
    fc.string({ unit: anyCharacter, minLength: 1 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (list) => {
      const names = wireToolNames(list);
      const reversed = wireToolNames([...list].reverse());
      const wire = list.map(names.toWire);
      expect(new Set(wire).size).toBe(list.length);
      for (const [at, spelled] of wire.entries()) {
        expect(spelled).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(names.fromWire(spelled)).toBe(list[at]);
        expect(reversed.toWire(list[at] ?? "")).toBe(spelled);
      }
    }),
    { numRuns: runs },
  );
});
