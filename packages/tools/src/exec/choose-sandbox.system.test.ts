import { describe, expect, it } from "vitest";
import { describeSandboxes, parseSandboxSetting, sandboxChooser } from "./choose-sandbox.ts";

describe("CAIRN_SANDBOX", () => {
  it("is auto by default", () => {
    expect([undefined, "", " ", "auto"].map(parseSandboxSetting)).toEqual(["auto", "auto", "auto", "auto"]);
    expect(["bubblewrap", " deno ", "none"].map(parseSandboxSetting)).toEqual(["bubblewrap", "deno", "none"]);
  });

  it.each(["docker", "AUTO", "deno,bubblewrap", "off"])("%j is refused with the valid values", (value) => {
    expect(() => parseSandboxSetting(value)).toThrow(
      expect.objectContaining({
        code: "bad_setting",
        message: expect.stringContaining("auto, bubblewrap, deno, none"),
      }),
    );
  });
});

describe("on a machine where no sandbox works", () => {
  it("none is chosen if none is requested", async () => {
    expect(await sandboxChooser({ sandbox: "none" })("python")).toEqual({
      sandbox: null,
      problem: "Running programs is switched off (CAIRN_SANDBOX is none).",
    });
  });

  it("every sandbox says for each language that it works, or what to install", async () => {
    const described = await describeSandboxes();
    expect(described.map(({ name, language }) => `${name} ${language}`)).toEqual([
      "bubblewrap python",
      "bubblewrap js",
      "deno python",
      "deno js",
    ]);
    for (const { check } of described)
      expect(check.ok ? check.detail : `${check.problem} ${check.remedy}`).toMatch(/\S+ \S+/);
  });
});
