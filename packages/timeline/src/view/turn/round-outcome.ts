/**
 * How a call went, as a person should see it. The journal only records whether the runtime could settle the call. A
 * program that ended with an error, and a fetch that missed one of its pages, settle as `ok`, because their results
 * report the failure to the model. This file reads those results, so that every view shows failures as failures, also
 * those of old journals.
 */
import { isJsonObject, parseJsonObject } from "../../base/json.ts";
import type { Block } from "../../block/block.ts";
import { callIdIn } from "../../block/call.ts";
import type { Digest } from "../../block/digest.ts";
import { readExecReport } from "../../exec/read-report.ts";
import { callOfPath } from "../../path/owner.ts";
import type { ToolTraits } from "../../tool/tool-traits.ts";
import type { OutcomeView, RoundView } from "./turn-view.ts";

type Failure = OutcomeView & { readonly kind: "failed" | "partly_failed" };

/** Errors of calls that were not made because a person or a policy did not allow them. */
const REFUSALS: ReadonlySet<string> = new Set(["approval_denied", "tool_unavailable"]);

/** The outcome of a round, from its status and the failures in its results; of an open call, only the failures. */
export function settledOutcome(round: RoundView): OutcomeView | null {
  const { status, error, outcome } = round;
  if (status === "running" || status === "waiting_approval") return outcome;
  if (error !== null && REFUSALS.has(error.code)) return { kind: "refused", reason: shorten(error.message) };
  if (status === "ok") return outcome ?? { kind: "ok", reason: null };
  if (status === "error" && outcome?.kind === "partly_failed" && hasContent(round)) return outcome;
  const why = error === null ? null : shorten(error.message === "" ? error.code : error.message);
  return { kind: "failed", reason: why ?? (status === "interrupted" ? "The call was interrupted." : null) };
}

/** The failure that a result reports; null if it reports none. `digest`: the digest that the block contains, if any. */
export function failureIn({ report }: ToolTraits, block: Block, digest: Digest | null): OutcomeView | null {
  if (digest !== null) return failureOfArtifact(digest);
  const text = block.text ?? "";
  // A read shows the results of other calls. Such a result reports the outcome of its own call.
  if (block.path === undefined || !block.path.startsWith("tc:") || callOfPath(block.path) !== callIdIn(block, true))
    return null;
  if (report === "program") return failureOfProgram(text);
  if (report === "pages") return failureOfFetch(text);
  return report === "paths" ? failureOfRead(text) : null;
}

/** The failure that a notice reports of a call that still returned a result. */
export function failureInNotice(code: string, message: string): OutcomeView | null {
  const isFailure = code.startsWith("tool_call_error.") || code === "tool_call_warning.search_failed";
  return isFailure ? { kind: "partly_failed", reason: shorten(message) } : null;
}

/** The more serious of two outcomes; the first if they are equal. */
export function graver(known: OutcomeView | null, found: OutcomeView | null): OutcomeView | null {
  if (found === null || known?.kind === "failed" || known?.kind === "refused") return known;
  return known?.kind === "partly_failed" && found.kind === "partly_failed" ? known : found;
}

/** The failure of one of several files that a call was about. */
function failureOfArtifact({ artifact_path, error }: Digest): Failure | null {
  if (artifact_path === undefined || error === undefined) return null;
  return { kind: "partly_failed", reason: shorten(`${artifact_path}: ${error.message || error.code}`) };
}

function failureOfProgram(text: string): Failure | null {
  const report = readExecReport(text);
  if (report === null) return null;
  if (report.runtimeError !== null) return { kind: "failed", reason: shorten(report.runtimeError) };
  const [first] = report.failed;
  if (first === undefined) return null;
  return { kind: report.succeeded === 0 ? "failed" : "partly_failed", reason: shorten(first) };
}

/** Reads the result of a fetch, a JSON object with an entry for each address. */
function failureOfFetch(text: string): Failure | null {
  const pages = text.includes('"error"') ? Object.entries(parseJsonObject(text) ?? {}) : [];
  const failed = pages.flatMap(([url, page]) =>
    isJsonObject(page) && isJsonObject(page.error) ? [`${url}: ${wordsOf(page.error)}`] : [],
  );
  if (failed[0] === undefined) return null;
  if (failed.length === pages.length) return { kind: "failed", reason: shorten(failed[0]) };
  return { kind: "partly_failed", reason: shorten(`${failed.length} of ${pages.length} pages: ${failed[0]}`) };
}

/** The status of a read: which paths were requested, which are missing, and which cannot be read. */
function failureOfRead(text: string): Failure | null {
  const status = parseJsonObject(text);
  const missing = [...listIn(status?.missing), ...listIn(status?.missing_skills)];
  const unreadable = listIn(status?.unreadable);
  if (missing.length + unreadable.length === 0) return null;
  const failed = new Set([...missing, ...unreadable]);
  // Comparing paths is not enough: a path may name several rows of which some exist, and a row may stand for a file.
  const isNothingRead = status?.total_tokens === 0 && listIn(status.exists_in_visible_context).length === 0;
  const isAll = isNothingRead || listIn(status?.paths).every((path) => failed.has(path));
  const words = [missing, unreadable].flatMap((paths, at) =>
    paths.length === 0 ? [] : [`${at === 0 ? "Not found" : "Unreadable"}: ${paths.join(", ")}`],
  );
  return { kind: isAll ? "failed" : "partly_failed", reason: shorten(words.join(". ")) };
}

/** Whether a call returned content. For a read, this follows from its status. */
function hasContent({ traits, results, files }: RoundView): boolean {
  return traits.showsAgain === true || files.length > 0 || results.length > 0;
}

function listIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

function wordsOf(error: Readonly<Record<string, unknown>>): string {
  return [error.message, error.code].find((word): word is string => typeof word === "string" && word !== "") ?? "";
}

const MAX_REASON_LENGTH = 300;

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_REASON_LENGTH ? line : `${line.slice(0, MAX_REASON_LENGTH - 1).toWellFormed()}…`;
}
