/**
 * All data that can be read of a conversation: its events, the content at each of its paths, its open streams, and its
 * requests as their receipts describe them. A frozen set contains these facts, and every later version must still read
 * all of them.
 */
import { recordedRequests } from "@cairn/agent";
import type { ConversationInfo, ConversationKey, ConversationStore, OpenStream, StoredEvent } from "@cairn/store";
import type { Artifact, Json, Receipt } from "@cairn/timeline";

export interface RequestFact {
  readonly n: number;
  readonly seq: number;
  readonly turn_id: string | null;
  readonly model: string | null;
  readonly purpose: string;
  readonly receipt: Receipt;
  /** SHA-256 of the body on the wire; null when the request used no network. */
  readonly body: string | null;
}

export interface JournalFacts {
  readonly key: ConversationKey;
  readonly info: Omit<ConversationInfo, "conversation">;
  readonly events: readonly StoredEvent[];
  readonly streams: readonly OpenStream[];
  /** Contents by path, with the version if the path has one. */
  readonly paths: Readonly<Record<string, Artifact>>;
  readonly requests: readonly RequestFact[];
  /** The composed artifacts: `conv.timeline.v1` and `conv:sources_pool`. */
  readonly payloads: Readonly<Record<string, Json>>;
}

const PAGE = 10_000;
const PAYLOADS = ["conv.timeline.v1", "conv:sources_pool"];

/** `paths`: the paths to read; default: all existing paths. */
export async function readFacts(
  store: ConversationStore,
  key: ConversationKey,
  paths?: readonly string[],
): Promise<JournalFacts> {
  const { conversation: _, ...info } = await store.getConversation(key);
  const events = await store.readEvents(key, { limit: PAGE });
  const found = await store.recent(key, { kinds: PAYLOADS, limit: PAYLOADS.length });
  return {
    key,
    info,
    events,
    streams: await store.openStreams(key),
    paths: await readPaths(store, key, paths ?? pathsOf(events)),
    requests: await readRequests(store, key),
    payloads: Object.fromEntries(found.map(({ id, payload }) => [id, payload])),
  };
}

/** The content at each path. Paths without content are left out. */
export async function readPaths(
  store: ConversationStore,
  key: ConversationKey,
  paths: Iterable<string>,
): Promise<Record<string, Artifact>> {
  const artifacts: Record<string, Artifact> = {};
  for (const path of paths) {
    const found = await store.findByPath(key, path);
    if (found !== null) artifacts[path] = found.artifact;
  }
  return artifacts;
}

export async function readRequests(store: ConversationStore, key: ConversationKey): Promise<RequestFact[]> {
  const requests: RequestFact[] = [];
  for await (const { n, seq, turnId, model, receipt, record } of recordedRequests(store, key)) {
    const { purpose, sent } = record;
    requests.push({ n, seq, turn_id: turnId, model, purpose, receipt, body: sent?.sha256 ?? null });
  }
  return requests;
}

/** Every path a block or a summary was written to, with its version, and all rows of the sources pool as one path. */
function pathsOf(events: readonly StoredEvent[]): Set<string> {
  const paths = new Set<string>();
  let lastSid = 0;
  for (const { event } of events) {
    if ("unknown" in event) continue;
    if (event.kind === "block.appended") addPath(paths, event.body.block.path, event.body.version);
    else if (event.kind === "compaction.committed") addPath(paths, event.body.summary.path, event.body.version);
    else if (event.kind === "sources.merged") lastSid = Math.max(lastSid, ...event.body.rows.map(({ sid }) => sid));
  }
  if (lastSid > 0) paths.add(`so:sources_pool[1-${lastSid}]`);
  return paths;
}

/** A path without a version means the latest version, which a resumed turn may replace. */
function addPath(paths: Set<string>, path: string | undefined, version: number): void {
  if (path !== undefined) paths.add(version === 0 ? path : `${path}@v${version}`);
}
