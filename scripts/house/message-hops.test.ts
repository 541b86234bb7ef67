import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MESSAGE_CONVERSIONS } from "./message-conversions.ts";
import { callerOf, MESSAGE_HOPS } from "./message-hops.ts";

const packages = join(import.meta.dirname, "../../packages");
const textOf = (file: string) => readFileSync(join(packages, file), "utf8");

const declarations = [...MESSAGE_HOPS, ...MESSAGE_CONVERSIONS].map((each, index) => ({ ...each, index }));

it.each(declarations)("$file declares $name", ({ name, file }) => {
  const declared = new RegExp(`(?:function\\*?|class|const) ${name}\\b|^ {2}(?:static )?(?:async )?${name}\\(`, "m");
  expect(textOf(file)).toMatch(declared);
});

const calls = MESSAGE_HOPS.flatMap((callee, index) => {
  const caller = callerOf(index);
  return caller === null ? [] : [{ caller, callee, call: callee.call ?? `${callee.name}(` }];
});

it("every hop has a caller in another file, except the two HTTP requests and the follower of the journal", () => {
  const without = MESSAGE_HOPS.filter((_, index) => callerOf(index) === null).map(({ name }) => name);
  expect(without).toEqual(["watch", "followConversation", "follow"]);
  for (const { caller, callee } of calls) expect(caller.file).not.toBe(callee.file);
});

it("every conversion is listed once for each file that calls it, and in a file of its own", () => {
  const pairs = MESSAGE_CONVERSIONS.map(({ name, from, file, what }) => `${file} ${name} ${from} ${what}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  for (const { file, from } of MESSAGE_CONVERSIONS) expect(from).not.toBe(file);
});

const conversions = MESSAGE_CONVERSIONS.map((callee) => ({
  caller: { file: callee.from },
  callee,
  call: callee.call ?? `${callee.name}(`,
}));

it.each([...calls, ...conversions])("$caller.file calls $callee.name of $callee.file", ({ caller, callee, call }) => {
  const code = textOf(caller.file)
    .split("\n")
    .filter((line) => !/^\s*(?:import|\*|\/\/|\/\*)/.test(line) && !line.includes(`function ${callee.name}`));
  expect(code.join("\n")).toContain(call);
});
