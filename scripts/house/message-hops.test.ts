import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callerOf, MESSAGE_HOPS } from "./message-hops.ts";

const packages = join(import.meta.dirname, "../../packages");
const textOf = (file: string) => readFileSync(join(packages, file), "utf8");

it.each(MESSAGE_HOPS.map((hop, index) => ({ ...hop, index })))("$file declares $name", ({ name, file }) => {
  const declared = new RegExp(`(?:function\\*?|class|const) ${name}\\b|^ {2}(?:static )?(?:async )?${name}\\(`, "m");
  expect(textOf(file)).toMatch(declared);
});

const calls = MESSAGE_HOPS.flatMap((callee, index) => {
  const caller = callerOf(index);
  return caller === null ? [] : [{ caller, callee, call: callee.call ?? `${callee.name}(` }];
});

it("every hop but the two HTTP requests has a caller in another file", () => {
  expect(calls.length).toBe(MESSAGE_HOPS.length - 2);
  for (const { caller, callee } of calls) expect(caller.file).not.toBe(callee.file);
});

it.each(calls)("$caller.file calls $callee.name of $callee.file", ({ caller, callee, call }) => {
  const code = textOf(caller.file)
    .split("\n")
    .filter((line) => !/^\s*(?:import|\*|\/\/|\/\*)/.test(line) && !line.includes(`function ${callee.name}`));
  expect(code.join("\n")).toContain(call);
});
