import { describe, expect, it } from "vitest";
import { isAllowed, librariesOfUsers } from "./licences.ts";

describe("isAllowed", () => {
  it.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0-or-later)", true],
    ["MIT AND OFL-1.1", true],
    ["AGPL-3.0-only", false],
    ["MIT AND GPL-3.0-only", false],
    ["SEE LICENSE IN LICENSE", false],
    ["", false],
    [null, false],
  ])("%j: %j", (licence, allowed) => {
    expect(isAllowed({ name: "library", licence })).toBe(allowed);
  });
});

describe("librariesOfUsers", () => {
  it("finds libraries of the bundle, of the web app, of peers, and what they depend on", () => {
    const names = librariesOfUsers().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["htmlparser2", "domhandler", "react", "pg", "pg-protocol", "pyodide"]),
    );
  });
});
