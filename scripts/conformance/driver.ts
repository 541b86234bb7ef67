/**
 * The conformance driver: it reads JSON lines and writes one JSON line for each, in order. The driver lets any program
 * check the engine from outside. A line that cannot be answered gets an error line, and the driver continues.
 */
import { CairnError } from "@cairn/timeline";
import { ZodError } from "zod";
import { OPERATIONS } from "./operations.ts";

/** Answers one line with one line. Never throws. */
export async function answerLine(line: string): Promise<string> {
  let id: unknown = null;
  try {
    const request = parseObject(line);
    id = request.id ?? null;
    const { op } = request;
    if (typeof op !== "string") throw new CairnError("bad_request", "`op` must be a string.");
    const run = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
    if (run === undefined) throw new CairnError("unknown_op", `There is no operation ${JSON.stringify(op)}.`);
    return JSON.stringify({ id, ok: true, out: await run(request.in ?? {}) });
  } catch (error) {
    return JSON.stringify({ id, ok: false, error: describeError(error) });
  }
}

function parseObject(line: string): Record<string, unknown> {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    throw new CairnError("bad_request", "The line is not JSON.");
  }
  if (typeof request !== "object" || request === null || Array.isArray(request))
    throw new CairnError("bad_request", "A request is an object with `id`, `op` and `in`.");
  return request as Record<string, unknown>;
}

/** Describes an error for an answer. An error that is not typed is a bug, and is reported with its message. */
function describeError(error: unknown): { code: string; message: string; details?: unknown } {
  if (CairnError.is(error)) return { code: error.code, message: error.message, details: error.details };
  if (error instanceof ZodError) {
    const issue = error.issues[0];
    return { code: "bad_request", message: `\`in.${issue?.path.join(".") ?? ""}\`: ${issue?.message ?? "not valid"}` };
  }
  return { code: "internal", message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}
