import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MAX_HOPS, MESSAGE_HOPS } from "./message-hops.ts";

const packages = join(import.meta.dirname, "../../packages");
const textOf = (file: string) => readFileSync(join(packages, file), "utf8");

it("a message takes at most 40 hops", () => {
  expect(MESSAGE_HOPS.length).toBeLessThanOrEqual(MAX_HOPS);
});

it.each(MESSAGE_HOPS.map((hop, index) => ({ ...hop, index })))("$file declares $name", ({ name, file }) => {
  const declared = new RegExp(`(?:function\\*?|class|const) ${name}\\b|^ {2}(?:static )?(?:async )?${name}\\(`, "m");
  expect(textOf(file)).toMatch(declared);
});

const calls = MESSAGE_HOPS.flatMap((hop, index) => {
  const callers = MESSAGE_HOPS.slice(0, index).filter(({ name }) => hop.from === undefined || name === hop.from);
  const caller = callers.at(-1);
  return hop.by !== undefined || caller === undefined ? [] : [{ caller, callee: hop }];
});

it.each(calls)("$caller.file names $callee.name, which it calls", ({ caller, callee }) => {
  expect(textOf(caller.file)).toMatch(new RegExp(`\\b${callee.name}\\b`));
});
