/** The question that asks a person for approval. It shows everything that the answer approves. */
import { escapeUnseen } from "@cairn/timeline";

const MAX_PARAMS = 4_000;

/** The question for an approval; null if it would leave parameters out, which nobody must approve unseen. */
export function approvalQuestion(tool: unknown, params: unknown): string | null {
  const shown = escapeUnseen(JSON.stringify(params) ?? "");
  if (shown === "" || shown.length > MAX_PARAMS) return null;
  return `Cairn asks for your approval to call ${escapeUnseen(String(tool))} with ${shown}`;
}
