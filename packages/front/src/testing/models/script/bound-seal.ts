/**
 * Seals of thinking for newer models. Such a signature is valid only after the same system text, tools and messages for
 * which it was made. Cache markers may differ.
 */
import { hashText } from "@cairn/timeline";
import { sealFor } from "./seal.ts";

/** The parts of a body that come before an answer. */
export interface Sealed {
  readonly model: string;
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: readonly unknown[];
}

/** The signature of thinking that follows these messages. */
export function signatureOf(thinking: string, { model, system, tools, messages }: Sealed): string {
  if (!isBound(model)) return sealFor(thinking);
  const before = JSON.stringify({ system, tools, messages }, (key, value) =>
    key === "cache_control" ? undefined : value,
  );
  return sealFor(`${thinking} after ${hashText(before)}`);
}

/** https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks (2026-11-16). */
export function isBound(model: string): boolean {
  return /^claude-(?:(?:opus|sonnet|haiku)-5-5|(?:fable|mythos)-5-[12])/.test(model);
}
