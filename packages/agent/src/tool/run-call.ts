/**
 * Runs one call and collects its outcome. Never throws: an exception, a timeout, a malformed envelope and parameters
 * whose references cannot be replaced become an error result.
 *
 * The runtime stops waiting for a tool that ignores its signal after the timeout.
 */
import { type Artifact, CairnError, type Json, type ToolError, unwrapEnvelope } from "@cairn/timeline";
import { unlessAborted } from "../process/unless-aborted.ts";
import { decodeText } from "../workspace/media.ts";
import { type BoundRefs, bindRefs } from "./bind-refs.ts";
import { checkParams } from "./check-params.ts";
import { Asking } from "./question.ts";
import type { Scribe, Settlement, Tool, ToolContext } from "./tool.ts";
import { clipMessage, toolFailure } from "./tool-failure.ts";

export interface CallRun {
  readonly settle: Settlement;
  /** The outcome before its blocks are written. Writing can fail; the scribe's `finish` returns the final outcome. */
  readonly outcome: "ok" | "error";
  /** The value or error that the tool returned; absent if the tool writes its result itself or was not called. */
  readonly returned?: { readonly output: Json; readonly error: ToolError | null };
}

const TIMEOUT_MS = 120_000;
const MAX_TIMER_LENGTH = 2 ** 31 - 1;
/**
 * Maximum characters of a result that are stored. The view shows its share of the window, and the model can read the
 * rest by path. An event is stored, loaded and rendered in one step, so a longer result would delay other work.
 */
const MAX_OUTPUT_LENGTH = 4_000_000;

/** Parameters whose references are replaced. `refs`: the references; `internal`: the first one to internal content. */
export interface BoundCall {
  readonly params: unknown;
  readonly internal: string | null;
  readonly refs: BoundRefs;
}

/**
 * The parameters with their references replaced, or the outcome of the call if a reference cannot be replaced. `known`:
 * references that were already replaced.
 */
export async function bindCall(
  params: unknown,
  context: ToolContext,
  known?: BoundRefs,
): Promise<BoundCall | { readonly refused: CallRun }> {
  try {
    const lookup = { visible: context.visible, readText: (artifact: Artifact) => readText(artifact, context) };
    const bound = await bindRefs(params, lookup, known);
    return bound.ok ? bound : { refused: refused(bound.code, bound.message, bound.path) };
  } catch (error) {
    return { refused: failed(toolFailure(error)) };
  }
}

/** Ends a call that needs approval but has internal content, which the approver may not see. */
export function refuseInternal(path: string): CallRun {
  const shown = path.slice(0, 200);
  const why = "It is internal, so the person who must approve this call may not see it. Send other text.";
  return refused("param_ref_internal", `ref:${shown} cannot be bound. ${why}`, shown);
}

/**
 * `isBound`: a rule or an approval has already replaced the references, so the parameters are not searched for more.
 */
export async function runCall(
  tool: Tool,
  params: unknown,
  context: ToolContext,
  isBound = false,
): Promise<CallRun | Asking> {
  let ifStopped: Settlement | null = null;
  try {
    const bound = isBound ? { params } : await bindCall(params, context);
    if ("refused" in bound) return bound.refused;
    const checked = checkParams(tool, bound.params);
    if (!checked.ok) return refused("protocol_violation.bad_params", checked.message, null);
    const returned: unknown = await runInTime(tool, checked.params, {
      ...context,
      ifStopped: (write) => {
        ifStopped = write;
      },
    });
    if (returned instanceof Asking) return returned;
    if (typeof returned === "function") return { settle: guard(returned as Settlement), outcome: "ok" };
    return openEnvelope(returned, tool.builtin === true);
  } catch (error) {
    const failure = toolFailure(error);
    return {
      ...failed(failure, STOPPED.has(failure.code) ? ifStopped : null),
      returned: { output: null, error: failure },
    };
  }
}

/** Codes of the errors that stop a call from outside. */
const STOPPED: ReadonlySet<string> = new Set(["tool_cancelled", "tool_timeout"]);

/** The run of a call whose result a hook has replaced. */
export function resultRun(output: Json): CallRun {
  return openEnvelope({ ok: true, ret: output }, true);
}

/** A result from the application. JSON in it that names an artifact is data and not the digest of a file. */
export function outsideRun(output: Json): CallRun {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return resultRun(text.includes('"artifact_path"') ? { result: output } : output);
}

/** The result of a call that fails for a reason outside its tool. */
export function failRun(code: string, message: string): CallRun {
  return failed({ code, message });
}

/** Reads the whole text of an artifact, because the timeline may contain only a part of the text. */
async function readText(artifact: Artifact, { workspace, signal, resolve }: ToolContext): Promise<string | null> {
  const isVersion = /@v\d+$/.test(artifact.path);
  const bytes =
    artifact.physical_path === null || isVersion ? null : await workspace.read(artifact.physical_path, { signal });
  return bytes === null ? ((await resolve(artifact.path))?.text ?? artifact.text ?? null) : decodeText(bytes);
}

async function runInTime<P>(tool: Tool<P>, params: P, context: ToolContext): ReturnType<Tool<P>["run"]> {
  context.signal.throwIfAborted();
  const limit = Math.min(tool.timeout ?? TIMEOUT_MS, MAX_TIMER_LENGTH);
  const timeUp = new AbortController();
  const timer = setTimeout(() => {
    timeUp.abort(
      new CairnError("tool_timeout", `The call took longer than ${limit / 1000} s and was stopped.`, {
        timeout_ms: limit,
      }),
    );
  }, limit);
  const signal = AbortSignal.any([context.signal, timeUp.signal]);
  try {
    const run = async () => tool.run(params, { ...context, signal });
    return await unlessAborted(run(), signal);
  } catch (error) {
    // A tool that reacts to the signal ends with its own error, but the reason for the abort is more helpful.
    if (timeUp.signal.aborted) throw timeUp.signal.reason;
    throw context.signal.aborted ? cancelled() : error;
  } finally {
    clearTimeout(timer);
  }
}

function cancelled(): CairnError {
  return new CairnError("tool_cancelled", "The call was stopped before it finished.");
}

function openEnvelope(returned: unknown, builtin: boolean): CallRun {
  const { output, error } = unwrapEnvelope(returned, builtin);
  const text = typeof output === "string" ? output : JSON.stringify(output);
  const told = { returned: { output: output as Json, error } };
  if (error === null) return { settle: guard((scribe) => writeOutput(scribe, output, text)), outcome: "ok", ...told };
  const isEmpty = output === null || text === "{}" || text === '""';
  const settle = guard((scribe) => {
    scribe.fail({ ...error, message: clipMessage(error.message) });
    if (!isEmpty) writeOutput(scribe, output, text);
  });
  return { settle, outcome: "error", ...told };
}

function writeOutput(scribe: Scribe, output: unknown, text: string): void {
  const mime = typeof output === "string" ? "text/plain" : "application/json";
  if (text.length <= MAX_OUTPUT_LENGTH) {
    scribe.result(text, mime);
    return;
  }
  const message = `The result has ${text.length} characters; the first ${MAX_OUTPUT_LENGTH} were kept. Ask for less at a time.`;
  scribe.notice("tool_call_warning.result_truncated", message);
  scribe.result(`${text.slice(0, MAX_OUTPUT_LENGTH).toWellFormed()}...[truncated]`, "text/plain");
}

/** If a settlement throws, the result is an error and not a partial result. */
function guard(settle: Settlement): Settlement {
  return (scribe) => {
    try {
      const waiting: unknown = settle(scribe);
      if (!(waiting instanceof Promise)) return;
      waiting.catch(() => undefined); // The call has ended, so what its tool writes later is ignored.
      scribe.fail({
        code: "bad_settlement",
        message: "The function that the tool's `run` returned must be synchronous: it must not return a promise.",
      });
    } catch (error) {
      scribe.fail(toolFailure(error));
    }
  };
}

function refused(code: string, message: string, path: string | null): CallRun {
  const error = { code: code.replace("protocol_violation.", ""), message, ...(path ? { path } : {}) };
  const settle: Settlement = (scribe) => {
    if (code.startsWith("protocol_violation.")) scribe.notice(code, message, path ? { path } : {});
    scribe.fail(error);
  };
  return { settle, outcome: "error" };
}

function failed(error: ToolError, more: Settlement | null = null): CallRun {
  const settle: Settlement = (scribe) => {
    scribe.fail(error);
    more?.(scribe);
  };
  return { settle: guard(settle), outcome: "error" };
}
