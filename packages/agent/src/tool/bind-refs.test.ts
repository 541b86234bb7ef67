import { runs } from "@cairn/testkit/runs";
import { type Artifact, CairnError } from "@cairn/timeline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindRefs, type RefLookup } from "./bind-refs.ts";

const artifact = (path: string, text?: string): Artifact => ({
  path,
  mime: null,
  kind: null,
  visibility: null,
  physical_path: null,
  sources_used: [],
  version: 1,
  hidden: false,
  ...(text === undefined ? {} : { text }),
});
const lookup: RefLookup = {
  visible: (path) => {
    if (path === "bad") throw new CairnError("bad_path", "It is no path.");
    if (path === "fi:turn_1.files/big") return artifact(path, "x".repeat(1_000_000));
    if (path === "fi:turn_1.files/a.png") return artifact(path);
    return path === "fi:turn_1.files/a.md" ? artifact(path, "ref:fi:turn_1.files/b.md") : null;
  },
  readText: async ({ text }) => text ?? null,
};

describe("bindRefs", () => {
  it("binds only references that are whole texts, at any depth, and reads each once", async () => {
    const params = {
      a: "ref:fi:turn_1.files/a.md",
      b: [{ c: "ref: fi:turn_1.files/a.md", d: "see ref:fi:turn_1.files/a.md" }],
      n: 3,
    };
    expect(await bindRefs(params, lookup)).toEqual({
      ok: true,
      internal: null,
      refs: expect.any(Map),
      params: {
        a: "ref:fi:turn_1.files/b.md",
        b: [{ c: "ref:fi:turn_1.files/b.md", d: "see ref:fi:turn_1.files/a.md" }],
        n: 3,
      },
    });
  });

  it("refuses a reference that is not in view, not a path or not text", async () => {
    expect(await bindRefs({ a: "ref:fi:turn_1.files/z.md" }, lookup)).toMatchObject({
      ok: false,
      code: "protocol_violation.param_ref_not_visible",
      path: "fi:turn_1.files/z.md",
    });
    expect(await bindRefs({ a: "ref:bad" }, lookup)).toMatchObject({
      code: "protocol_violation.param_ref_not_visible",
    });
    expect(await bindRefs({ a: "ref:" }, lookup)).toMatchObject({ code: "protocol_violation.param_ref_not_visible" });
    expect(await bindRefs({ a: "ref:fi:turn_1.files/a.png" }, lookup)).toMatchObject({ code: "param_ref_not_text" });
  });

  it("binds no more than the size limit", async () => {
    expect(await bindRefs(Array(1_000).fill("ref:fi:turn_1.files/big"), lookup)).toMatchObject({
      code: "param_ref_too_large",
    });
  });

  it("survives hostile nesting and hostile names", async () => {
    let deep: unknown = "ref:fi:turn_1.files/a.md";
    for (let at = 0; at < 100_000; at++) deep = [deep];
    expect(await bindRefs(deep, lookup)).toMatchObject({ ok: false, code: "bad_params" });
    const bound = await bindRefs(JSON.parse('{"__proto__":"ref:fi:turn_1.files/a.md","x":1}'), lookup);
    expect(JSON.stringify(bound.ok && bound.params)).toBe('{"__proto__":"ref:fi:turn_1.files/b.md","x":1}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it("returns parameters without references unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        if (JSON.stringify(value).includes('"ref:')) return;
        expect(await bindRefs(value, lookup)).toEqual({ ok: true, params: value, internal: null, refs: new Map() });
      }),
      { numRuns: runs },
    );
  });
});
