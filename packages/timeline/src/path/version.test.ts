import { expect, test } from "vitest";
import { splitVersion } from "./version.ts";

test.each([
  ["fi:turn_1.files/a.md@v2", "fi:turn_1.files/a.md", 2],
  ["su:turn_1.conv.range.summary@v12", "su:turn_1.conv.range.summary", 12],
  ["a@v2@v3", "a@v2", 3],
  ["@v999999999", "", 999_999_999],
])("%s is version %3$i of %2$s", (path, base, version) => {
  expect(splitVersion(path)).toEqual({ path: base, version });
});

test.each(["", "1", "v1", "@v", "a@v0", "a@v01", "a@vx", "a@v1.md", "a@V1", "a@v9999999999", "a@v-1", "a@v1 "])(
  "%j carries no version",
  (path) => {
    expect(splitVersion(path)).toEqual({ path, version: null });
  },
);
