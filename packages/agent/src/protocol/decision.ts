/**
 * Decisions: what a model's answer means. Text with calls is notes; text alone is the final answer. Anything that is
 * neither, or names a tool or parameters that do not exist, is a violation: the model is told and asked again.
 */
import { createHash } from "node:crypto";
import type { FinishReason, ModelPart, ModelUsage } from "../model/model.ts";
import { NO_USAGE } from "../model/model.ts";

/** What the model said, put together but not yet understood. */
export interface RawDecision {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly RawCall[];
  readonly reason: FinishReason;
  readonly usage: ModelUsage;
}

export interface RawCall {
  readonly name: string;
  /** JSON, as far as it came. */
  readonly params: string;
}

export interface DecidedCall {
  readonly toolId: string;
  readonly params: unknown;
}

export type Decision =
  | { readonly kind: "calls"; readonly notes: string; readonly calls: readonly DecidedCall[] }
  | { readonly kind: "answer"; readonly text: string; readonly followups: readonly string[] }
  | { readonly kind: "question"; readonly text: string }
  | { readonly kind: "violation"; readonly code: string; readonly message: string };

/** Puts the parts of an answer together and passes its text on as it comes. */
export async function gatherDecision(
  parts: AsyncIterable<ModelPart>,
  onText: (kind: "say" | "thinking", text: string) => void,
): Promise<RawDecision> {
  const text: string[] = [];
  const thinking: string[] = [];
  const calls = new Map<number, { name: string; params: string[] }>();
  let reason: FinishReason = "other";
  let usage = NO_USAGE;
  for await (const part of parts) {
    switch (part.type) {
      case "text":
        text.push(part.text);
        onText("say", part.text);
        break;
      case "thinking":
        thinking.push(part.text);
        onText("thinking", part.text);
        break;
      case "call":
        calls.set(part.index, { name: part.name, params: [] });
        break;
      case "params":
        calls.get(part.index)?.params.push(part.text);
        break;
      case "finish":
        reason = part.reason;
        usage = part.usage;
        break;
      default:
        part satisfies never;
    }
  }
  const gathered = [...calls.values()].map(({ name, params }) => ({ name, params: params.join("") }));
  return { text: text.join(""), thinking: thinking.join(""), calls: gathered, reason, usage };
}

/** Tells whether two decisions make the very same calls; null for one that makes none. */
export function fingerprintCalls({ calls }: RawDecision): string | null {
  return calls.length === 0 ? null : createHash("sha256").update(JSON.stringify(calls)).digest("hex");
}
