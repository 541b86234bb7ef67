/**
 * The report of an exec run, as the model reads it: the runtime error or `none`, then the contract files that failed,
 * those that were produced, and the end of the program's log. Sections without entries are left out.
 *
 * The field `ok` of a file alone decides where a file is listed. Paths and file errors are kept on one line each, so
 * that none can imitate another entry; the runtime error's message and the log are unchanged.
 */
import { CairnError } from "../base/error.ts";
import { isJsonObject } from "../base/json.ts";

export interface ExecOutcome {
  /** The error that stopped the program, or null when it ran to its end. */
  readonly runtime_error?: { readonly code?: string | null; readonly message?: string | null } | null;
  /** The files that the call promised to write. */
  readonly files?: readonly ExecFile[] | null;
  /** The program's standard output and error. */
  readonly log?: string | null;
}

interface ExecFile {
  readonly path: string;
  readonly ok: boolean;
  readonly error?: string | null;
}

const LOG_TAIL_CHARACTERS = 4_000;

export function execReport(outcome: ExecOutcome): string {
  if (!isJsonObject(outcome)) throw badInput("the outcome must be an object");
  const files = outcome.files ?? [];
  if (!Array.isArray(files)) throw badInput("`files` must be a list");
  const failed: string[] = [];
  const succeeded: string[] = [];
  for (const [index, file] of files.entries()) {
    const { path, ok, error } = readFile(file, index);
    if (ok) succeeded.push(`- ${path}`);
    else failed.push(`- ${path}: ${error}`);
  }
  const report = [`Runtime error: ${describeRuntimeError(outcome.runtime_error)}`];
  if (failed.length > 0) report.push("File errors:", failed.join("\n"));
  if (succeeded.length > 0) report.push("Succeeded:", succeeded.join("\n"));
  const log = readText(outcome.log, "log");
  if (log.trim() !== "") report.push("Program log (tail):", tailOf(log));
  return report.join("\n");
}

function describeRuntimeError(error: unknown): string {
  if (error === undefined || error === null) return "none";
  if (!isJsonObject(error)) throw badInput("`runtime_error` must be an object or null");
  const code = readText(error.code, "runtime_error.code") || "execution_failed";
  const message = readText(error.message, "runtime_error.message");
  return message === "" ? code : `${code} — ${message}`;
}

function readFile(file: unknown, index: number): { path: string; ok: boolean; error: string } {
  const where = `files[${index}]`;
  if (!isJsonObject(file)) throw badInput(`\`${where}\` must be an object`);
  if (typeof file.path !== "string") throw badInput(`\`${where}.path\` must be a string`);
  if (typeof file.ok !== "boolean") throw badInput(`\`${where}.ok\` must be true or false`);
  const error = onOneLine(readText(file.error, `${where}.error`));
  return { path: onOneLine(file.path), ok: file.ok, error: error === "" ? "file not produced" : error };
}

function onOneLine(text: string): string {
  return text
    .split(/[\r\n]+/)
    .join(" ")
    .trim();
}

/** The last characters of the log, never beginning inside a surrogate pair. */
function tailOf(log: string): string {
  const start = Math.max(0, log.length - LOG_TAIL_CHARACTERS);
  const inside = start > 0 && isSurrogate(log, start, 0xdc00) && isSurrogate(log, start - 1, 0xd800);
  return log.slice(inside ? start + 1 : start);
}

function isSurrogate(text: string, index: number, half: 0xd800 | 0xdc00): boolean {
  return (text.charCodeAt(index) & 0xfc00) === half;
}

function readText(value: unknown, where: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw badInput(`\`${where}\` must be a string`);
  return value;
}

function badInput(problem: string): CairnError {
  return new CairnError("bad_input", `This exec outcome cannot be reported: ${problem}.`);
}
