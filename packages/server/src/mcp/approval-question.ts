/** The question that asks a person for approval. The question shows everything that an approval would allow. */
import { escapeUnseen } from "@cairn/timeline";

const MAX_PARAMS = 4_000;

/** The question for an approval; null if it would not show all parameters, because nobody must approve hidden ones. */
export function approvalQuestion(tool: unknown, params: unknown): string | null {
  const shown = escapeUnseen(JSON.stringify(params) ?? "");
  if (shown === "" || shown.length > MAX_PARAMS) return null;
  return `Cairn asks for your approval to call ${escapeUnseen(String(tool))} with ${shown}`;
}
