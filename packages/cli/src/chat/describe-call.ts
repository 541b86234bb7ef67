/** A call in one line: the tool and its most informative parameters. */
import { plainLine } from "../command/terminal.ts";

const MAX_LENGTH = 100;

export function describeCall(toolId: unknown, params: unknown): string {
  const tool = typeof toolId === "string" ? toolId : "a tool";
  const shown = typeof params === "object" && params !== null ? Object.values(params).map(shortly) : [];
  return clip(plainLine([tool, ...shown.filter((text) => text !== "")].join(" ")));
}

/** All parameters as they will run, one per line: what a person approves. */
export function describeParams(params: unknown): string[] {
  const entries = typeof params === "object" && params !== null ? Object.entries(params) : [];
  return entries.flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
    const [first = "", ...rest] = text.split("\n");
    return [`  ${name}: ${first}`, ...rest.map((line) => `    ${line}`)].map(plainLine);
  });
}

function shortly(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return clip(text.split("\n", 1)[0] ?? "");
}

function clip(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
