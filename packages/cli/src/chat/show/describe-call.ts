/** A call in one line: the tool and its most informative parameters. */
import { escapeUnseen } from "@cairn/timeline";

const MAX_LENGTH = 100;

export function describeCall(toolId: unknown, params: unknown): string {
  const tool = typeof toolId === "string" ? toolId : "a tool";
  const shown = typeof params === "object" && params !== null ? Object.values(params).map(shortly) : [];
  return clip(escapeUnseen([tool, ...shown.filter((text) => text !== "")].join(" ")));
}

const MAX_SHOWN_LINES = 8;
const MAX_SHOWN_CHARS = 400;

export interface DescribedParams {
  readonly lines: readonly string[];
  readonly isShortened: boolean;
}

/**
 * The parameters with which the call will run, for a person who approves them. Each begins on a new line with its name.
 * Control characters are shown by their codes, because a program may react to characters that a terminal hides.
 */
export function describeParams(params: unknown, showAll = false): DescribedParams {
  const entries = typeof params === "object" && params !== null ? Object.entries(params) : [];
  const described = entries.map(([name, value]) => describeParam(name, value, showAll));
  return {
    lines: described.flatMap(({ lines }) => lines),
    isShortened: described.some(({ isShortened }) => isShortened),
  };
}

function describeParam(name: string, value: unknown, showAll: boolean): DescribedParams {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  const start = showAll ? text : text.split("\n").slice(0, MAX_SHOWN_LINES).join("\n").slice(0, MAX_SHOWN_CHARS);
  const isShortened = start.length < text.length;
  const [first = "", ...rest] = start.toWellFormed().split("\n");
  const lines = [`  ${escapeUnseen(name)}: ${visible(first)}`, ...rest.map((line) => `    ${visible(line)}`)];
  return { lines: isShortened ? [...lines, `    … (${text.length} characters)`] : lines, isShortened };
}

/** A tab is not shown by its code, because it is visible as space and common in programs. */
function visible(line: string): string {
  return line.split("\t").map(escapeUnseen).join("\t");
}

function shortly(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return clip(text.split("\n", 1)[0] ?? "");
}

function clip(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
