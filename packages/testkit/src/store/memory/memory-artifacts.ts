/** How the reference store saves artifacts: kinds that are composed on read are refused. */
import { type ConversationStore, type StoredArtifact, storeError } from "@cairn/store";
import type { Json } from "@cairn/timeline";
import { asJson, checkTime, withoutPrefix } from "./memory-arguments.ts";
import type { MemoryConversation } from "./memory-data.ts";

const COMPOSED_KINDS = new Set(["conv.timeline.v1", "conv:sources_pool", "turn.log", "conv.range.summary"]);

export function saveArtifact(
  { artifacts, savedBefore, journal }: MemoryConversation,
  artifact: Parameters<ConversationStore["saveArtifact"]>[1],
  now: number,
): StoredArtifact {
  const kind = withoutPrefix(artifact.kind);
  if (kind === "" || COMPOSED_KINDS.has(kind)) throw storeError("bad_argument", `The kind ${kind} is not saved.`);
  checkTime(artifact.ts);
  const saved = {
    id: `saved:${artifacts.length + 1}`,
    kind: `artifact:${kind}`,
    turn_id: artifact.turn_id ?? null,
    ts: artifact.ts ?? new Date(now).toISOString(),
    content_str: artifact.content_str ?? "",
    payload: asJson<Json>("payload", artifact.payload),
  };
  artifacts.push(saved);
  savedBefore.set(saved.id, journal.length + 1);
  return structuredClone(saved);
}
