/** The definition of a command, and the parsing of its arguments. */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { type ExitCode, usageError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The usage text: how to call the command, without the word `cairn`, and what its options do. */
  readonly usage: string;
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;
  /** The conversation or scope that `words` name, for a command that is audited even without `--scope`. */
  readonly audits?: (words: readonly string[]) => AuditedUse;
}

interface AuditedUse {
  readonly action: string;
  readonly conversation: string | null;
  readonly turn: string | null;
}

/** Parses options and positional arguments; an unknown, missing or superfluous argument is a usage error. */
export function readArgs<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  names: readonly string[] = [],
) {
  const parsed = parse(args, options);
  const missing = names[parsed.positionals.length];
  if (missing !== undefined) throw usageError(`${missing} is missing.`);
  const extra = parsed.positionals[names.length];
  if (extra !== undefined) throw usageError(`Unexpected argument ${JSON.stringify(extra)}.`);
  return { values: parsed.values, positionals: parsed.positionals };
}

function parse<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageError(error instanceof Error ? (error.message.split(". ", 1)[0] ?? "") : String(error));
  }
}

/** A whole number of at least `least`, and at most `most` if given. */
export function readCount(name: string, value: string, least: number, most = Number.POSITIVE_INFINITY): number {
  if (!/^\d{1,15}$/.test(value) || Number(value) < least || Number(value) > most) {
    const upTo = Number.isFinite(most) ? ` to ${most}` : "";
    throw usageError(`${name} must be a whole number from ${least}${upTo}, not ${JSON.stringify(value)}.`);
  }
  return Number(value);
}

/** Reads the value of `--port`. */
export function readPort(value: string): number {
  return readCount("--port", value, 0, 65_535);
}
