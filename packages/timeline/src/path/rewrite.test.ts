import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CairnError } from "../base/error.ts";
import { resolvePath } from "./resolve.ts";
import { rewriteNotice, rewritePath } from "./rewrite.ts";

test.each([
  ["turn_123/files/output.csv", "turn_9/files/output.csv"],
  ["output.csv", "turn_9/files/output.csv"],
  ["data/output.csv", "turn_9/files/data/output.csv"],
  ["files/data/output.csv", "turn_9/files/data/output.csv"],
  ["fi:turn_1.files/a.md", "turn_9/files/a.md"],
  ["fi:turn_9.files/a.md", "turn_9/files/a.md"],
  ["fi:turn_1.files/a.md@v2", "turn_9/files/a.md"],
  ["turn_1/attachments/menu.pdf", "turn_9/files/menu.pdf"],
  ["turn_9/attachments/menu.pdf", "turn_9/files/menu.pdf"],
  ["attachments/menu.pdf", "turn_9/files/menu.pdf"],
  ["fi:turn_9.user.attachments/my menu.v2.pdf", "turn_9/files/my menu.v2.pdf"],
  ["fi:report.md", "turn_9/files/report.md"],
  ["fi:files/report.md", "turn_9/files/report.md"],
  ["turn_1/report.md", "turn_9/files/report.md"],
  ["turn_9/files/a//b", "turn_9/files/a/b"],
  ["turn_9/files/a@v2", "turn_9/files/a"],
  ["turn_9/files/a@v1@v2", "turn_9/files/a"],
  ["turn_1", "turn_9/files/turn_1"],
  ["a..b", "turn_9/files/a..b"],
])("%s is rewritten to %s", (path, physical) => {
  const logical = physical.replace("turn_9/files/", "fi:turn_9.files/");
  expect(rewritePath(path, "turn_9")).toMatchObject({ logical, physical, rewritten: true });
});

test.each(["turn_9/files/output.csv", "turn_9/files/a b/c.d", "turn_9/files/turn_1/files/x", "turn_9/files/files/x"])(
  "%s is canonical and stays unchanged",
  (path) => {
    expect(rewritePath(path, "turn_9")).toMatchObject({ physical: path, rewritten: false });
  },
);

test.each([
  ["../a", "unsafe_path"],
  ["..@v1", "unsafe_path"],
  ["turn_9/files/../../x", "unsafe_path"],
  ["fi:turn_1.files/..", "unsafe_path"],
  ["/etc/passwd", "unsafe_path"],
  ["fi:/etc/passwd", "unsafe_path"],
  ["C:/x", "unsafe_path"],
  ["a\\b", "unsafe_path"],
  ["a\0", "unsafe_path"],
  ["", "bad_path"],
  ["files/", "bad_path"],
  ["turn_1/files", "bad_path"],
  ["turn_1/files/", "bad_path"],
  ["@v2", "bad_path"],
  ["fi:turn_1.code.x", "bad_path"],
  ["ar:turn_1.user.prompt", "bad_path"],
  ["tc:turn_1.a.result", "bad_path"],
  ["so:sources_pool[1]", "bad_path"],
  ["su:turn_1.conv.range.summary", "bad_path"],
  ["sk:pdf", "bad_path"],
])("%j is refused with %s", (path, code) => {
  expect(() => rewritePath(path, "turn_9")).toThrow(expect.objectContaining({ code }));
});

test("the current turn must be a turn id", () => {
  for (const turn of ["", "9", "turn_", "turn_9/..", "../turn_9", null as never])
    expect(() => rewritePath("a", turn)).toThrow(expect.objectContaining({ code: "bad_path" }));
});

test("a rewrite notice carries from and to", () => {
  expect(rewriteNotice("a.md", "turn_9/files/a.md")).toMatchObject({
    code: "protocol_violation.path_rewritten",
    from: "a.md",
    to: "turn_9/files/a.md",
  });
});

const piece = fc.constantFrom(
  ...["fi:", "ar:", "turn_1", "turn_9", "files", "attachments", ".files/", ".user.attachments/", "/", "/", ".", ".."],
  ...["\\", "\0", "C:", "a", "b c", "é", "\udc00", "@v1", "@v2", "%2e%2e", "\n"],
);
const anyPath = fc.oneof(
  fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join("")),
  fc.string({ unit: anyCharacter }),
);

test("any write goes below the current turn's files, where its logical path finds it, or is a typed error", () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      try {
        const { logical, physical, rel, rewritten } = rewritePath(path, "turn_9");
        expect(physical).toBe(`turn_9/files/${rel}`);
        expect(rel).not.toBe("");
        expect(rel).not.toMatch(/[\\\0]/);
        expect(rel.split("/").some((segment) => segment === "" || segment === "." || segment === "..")).toBe(false);
        expect(rewritten).toBe(physical !== path);
        expect(resolvePath(logical)).toEqual({ logical, physical });
        expect(rewritePath(physical, "turn_9").rewritten).toBe(false);
      } catch (error) {
        if (!CairnError.is(error)) throw error;
        expect(["bad_path", "unsafe_path"]).toContain(error.code);
      }
    }),
    { numRuns: runs },
  );
});
