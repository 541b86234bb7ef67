import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../run-command.ts";
import { errorCodes } from "./error-codes.ts";

const page = readFileSync(join(projectRoot, "docs/errors.md"), "utf8");
const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);

describe("docs/errors.md", () => {
  it("lists every error code of the published code once, and no other", () => {
    expect(listed.toSorted()).toEqual(errorCodes());
  });
});
