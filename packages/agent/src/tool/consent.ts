/**
 * The hash that binds an approval to its content.
 *
 * A person approves exactly this call of this conversation with exactly these parameters. The request for approval
 * contains their hash, the answer repeats it, and the call runs only if both equal the hash of what is about to run. An
 * approval from another conversation, through a fork or an import, has a different hash.
 */
import { createHash } from "node:crypto";
import type { ConversationKey } from "@cairn/store";
import type { EventBody } from "@cairn/timeline";

export interface ConsentSubject {
  readonly turnId: string;
  readonly callId: string;
  readonly toolId: string;
  /** With every reference bound. */
  readonly params: unknown;
}

export function consentHash(key: ConversationKey, { turnId, callId, toolId, params }: ConsentSubject): string {
  return hashOf(["call", ...partsOf(key), turnId, callId, toolId, params]);
}

/** The hash for a tool that a person allows for the rest of a conversation. */
export function grantHash(key: ConversationKey, toolId: string): string {
  return hashOf(["tool", ...partsOf(key), toolId]);
}

export interface ConsentAnswer {
  readonly approve: boolean;
  /** Whether later calls of the tool in this conversation are approved as well. */
  readonly remember?: boolean;
  readonly ts: string;
}

/** The event that answers a request for approval. Its key belongs to the request, so only the first answer counts. */
export function answerApproval(
  key: ConversationKey,
  asked: EventBody<"approval.requested">,
  { approve, remember = false, ts }: ConsentAnswer,
): EventBody<"approval.given"> {
  const { call_id, hash, tool_id } = asked;
  const grant = approve && remember && typeof tool_id === "string" ? { grant: grantHash(key, tool_id) } : {};
  const named = hash === undefined ? {} : { hash };
  return {
    key: `approval-${call_id}${hash === undefined ? "" : `-${hash}`}`,
    call_id,
    approve,
    ts,
    ...named,
    ...grant,
  };
}

function partsOf({ tenant, project, user, conversation }: ConversationKey): string[] {
  return [tenant, project, user, conversation];
}

function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts, inOrder)).digest("hex");
}

/** Sorts keys, so that the hash does not depend on their order. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
