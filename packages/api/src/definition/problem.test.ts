import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { statusOf } from "./problem.ts";

test("docs/errors.md gives the status of every code, or leaves it to the rule for others", () => {
  const page = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \|(?: (\d{3}) \|)?/gm)];
  const listed = rows.map(([, code = "", status]) => {
    const others = /^(?:bad_|unsafe_|selector_)/.test(code) ? 400 : 500;
    return { code, status: status === undefined ? others : Number(status) };
  });
  expect(listed.length).toBeGreaterThan(100);
  expect(listed).toEqual(listed.map(({ code }) => ({ code, status: statusOf(code) })));
});
