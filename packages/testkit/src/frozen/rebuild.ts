/** A past request as the current code rebuilds it from the journal: its receipt, and the bytes of its body. */
import { type Model, type PastRequest, resolveSpeller, spellRequest } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  type BlobRef,
  type CacheStrategy,
  type CacheTtl,
  isBlobRef,
  lowerView,
  makeReceipt,
  type ProviderId,
  type Receipt,
  type RequestChain,
  type SentTool,
  type WireTool,
} from "@cairn/timeline";

/** `previous`: the request before this one; null for the first. */
export function rebuildReceipt(past: PastRequest, previous: RequestChain | null): Receipt {
  const { n, started_at: startedAt, resets, tokens, usage, cost, renderer_version } = past.receipt;
  const tools = JSON.parse(past.tools) as SentTool[];
  const made = makeReceipt(
    past.view,
    {
      n,
      tools,
      system: past.system,
      startedAt,
      resets,
      tokens,
      ...(usage === undefined ? {} : { usage }),
      ...(cost === undefined ? {} : { cost }),
    },
    past.receipt.previous === null ? null : previous,
  );
  return { ...made, renderer_version };
}

/** Null when the request used no network. `model` is the model that was asked, unless another is named. */
export async function rebuildBody(
  store: ConversationStore,
  key: ConversationKey,
  past: PastRequest,
  model = past.model ?? "",
): Promise<string | null> {
  if (past.record.sent === null) return null;
  const { body } = await spellRequest(store, key, past, await spellerOf(model));
  return body;
}

const spellers = new Map<string, Promise<Model>>();

function spellerOf(name: string): Promise<Model> {
  const speller = spellers.get(name) ?? resolveSpeller(name);
  spellers.set(name, speller);
  return speller;
}

/** A model for whose package there is no simulator. Its requests are serialised and not sent. */
export const UNSENT_MODEL = "google:gemini-3.8-flash";

interface Lowering {
  readonly provider: ProviderId;
  readonly strategy: CacheStrategy;
  readonly ttl: CacheTtl;
}

export const LOWERINGS: readonly Lowering[] = (["anthropic", "bedrock", "openai", "automatic"] as const).flatMap(
  (provider) => [
    { provider, strategy: "seed", ttl: "5m" },
    { provider, strategy: "economic", ttl: "1h" },
  ],
);

/** The request in the wire form of another provider, such as Bedrock, whose package is not part of the project. */
export async function lowerPast(
  store: ConversationStore,
  key: ConversationKey,
  past: PastRequest,
  { provider, strategy, ttl }: Lowering,
): Promise<string> {
  const bytes = new Map<BlobRef, string>();
  for (const message of past.view)
    if (message.type !== "text" && message.blob !== undefined && isBlobRef(message.blob))
      bytes.set(
        message.blob,
        Buffer.concat(await Array.fromAsync(store.readBlob(key, message.blob))).toString("base64"),
      );
  const tools = JSON.parse(past.tools) as WireTool[];
  const input = {
    tools,
    system: past.system,
    strategy,
    ttl,
    cacheKey: key.conversation,
    bytesOf: (ref: BlobRef) => bytes.get(ref),
  };
  return JSON.stringify(lowerView(past.view, input, provider).body);
}

/** The name under which a set stores a request that was lowered or serialised for another provider. */
export function nameOfLowered(key: ConversationKey, n: number, { provider, strategy, ttl }: Lowering): string {
  return `${key.conversation} ${n} ${provider} ${strategy} ${ttl}`;
}

export function nameOfUnsent(key: ConversationKey, n: number): string {
  return `${key.conversation} ${n} ${UNSENT_MODEL}`;
}

/** Conversations whose requests are also stored in the wire forms of providers without a simulator. */
export function isLoweredForAll({ tenant, conversation }: ConversationKey): boolean {
  return tenant === "local" && /^(?:everything|media|pruned|compacted)-anthropic$/.test(conversation);
}
