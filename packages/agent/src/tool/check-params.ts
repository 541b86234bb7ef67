/** Checks parameters against a tool's schema. The message has one line per issue, so that a model can correct them. */
import type { z } from "zod";
import type { Tool } from "./tool.ts";

export type CheckedParams<P> =
  | { readonly ok: true; readonly params: P }
  | { readonly ok: false; readonly message: string };

const MAX_ISSUES = 10;
const MAX_ISSUE_LENGTH = 300;

/** `accepts` returns true for an issue to ignore, for example because the value is still a reference. */
export function checkParams<P>(
  tool: Tool<P>,
  params: unknown,
  accepts: (issue: z.core.$ZodIssue) => boolean = () => false,
): CheckedParams<P> {
  let parsed: z.ZodSafeParseResult<P>;
  try {
    parsed = tool.params.safeParse(params);
  } catch (error) {
    // Code in the schema may throw, and deeply nested parameters may overflow the stack.
    return { ok: false, message: `The parameters of ${tool.id} cannot be checked: ${clip(messageOf(error))}` };
  }
  if (parsed.success) return { ok: true, params: parsed.data };
  const issues = parsed.error.issues.filter((issue) => !accepts(issue));
  if (issues.length === 0) return { ok: true, params: params as P };
  const lines = issues.slice(0, MAX_ISSUES).map((issue) => `- ${placeOf(issue.path)}: ${clip(expectationOf(issue))}`);
  if (issues.length > MAX_ISSUES) lines.push(`- and ${issues.length - MAX_ISSUES} more`);
  return { ok: false, message: `The parameters of ${tool.id} do not match its schema:\n${lines.join("\n")}` };
}

function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "(all parameters)";
  return clip(
    path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key)}`)).join(""),
  );
}

/** The message of a union says only "Invalid input", so the messages of its alternatives are used. */
function expectationOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue.message;
  const messages = issue.errors.flatMap((alternative) => alternative.slice(0, 1).map((each) => each.message));
  return [...new Set(messages)].join(", or: ");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "an unknown error";
}

function clip(text: string): string {
  return text.length > MAX_ISSUE_LENGTH ? `${text.slice(0, MAX_ISSUE_LENGTH)}…` : text;
}
