/**
 * A store in which every conversation is the last of a chain of branches: after an append the conversation is branched
 * at its end, and the conversation before is deleted. So every read goes through several parts of a journal, all of
 * them deleted except the last. The suites run on it as on any store.
 */
import type { ConversationInfo, ConversationKey, Lease } from "@cairn/store";
import { CairnError, encodeEvent } from "@cairn/timeline";
import { bySize } from "../../runs.ts";
import type { OpenStore, Store } from "./opened-store.ts";

/** Maximum number of branches in a chain: two give a first, a middle and a last part. Longer chains only take time. */
const MAX_DEPTH = bySize({ quick: 2, usual: 2, long: 4 });
const SUFFIX = /\0b\d+$/;

/** The name of the conversation under test in the store, and the data that a branch cannot inherit. */
interface Chain {
  name: string;
  depth: number;
  readonly first: Pick<ConversationInfo, "created_at" | "forked_from">;
  /** The lease as its holder knows it, and its current token. */
  lease: { readonly given: Lease; token: number; readonly ttlMs: number } | null;
  /** Bytes that no event names yet: a branch would not have them. */
  readonly puts: Set<string>;
  /** The promise of the last append, because appends run one after the other. */
  last: Promise<unknown>;
}

type Chains = Map<string, Chain>;

export function onBranches(open: OpenStore): OpenStore {
  return async (clock) => {
    const chains: Chains = new Map();
    const opened = await open(clock);
    const wrap = (store: Store) => branchingStore(store, chains);
    return {
      ...opened,
      store: wrap(opened.store),
      another: async (its) => wrap(await opened.another(its)),
      openBackup: async (folder) => wrap(await opened.openBackup(folder)),
    };
  };
}

function branchingStore(store: Store, chains: Chains): Store {
  const idOf = ({ tenant, project, user, conversation }: ConversationKey) =>
    JSON.stringify([tenant, project, user, conversation]);
  const real = <K extends ConversationKey>(key: K): K => ({
    ...key,
    conversation: chains.get(idOf(key))?.name ?? key.conversation,
  });
  const tokenOf = (key: ConversationKey, token: number) => {
    const lease = chains.get(idOf(key))?.lease;
    return lease?.given.token === token ? lease.token : token;
  };
  const told = (key: ConversationKey, info: ConversationInfo): ConversationInfo => ({
    ...info,
    conversation: plainName(info.conversation),
    ...chains.get(idOf({ ...key, conversation: plainName(info.conversation) }))?.first,
  });
  const begin = (key: ConversationKey, info: ConversationInfo) => {
    const { created_at, forked_from } = info;
    chains.set(idOf(key), { name: key.conversation, depth: 0, first: { created_at, forked_from }, ...free() });
    return info;
  };

  /** Continues the conversation on a new branch, if its last event allows a cut. */
  async function move(key: ConversationKey): Promise<void> {
    const chain = chains.get(idOf(key));
    if (chain === undefined || chain.depth >= MAX_DEPTH || chain.puts.size > 0) return;
    if (Buffer.byteLength(key.conversation) > 500) return;
    const from = real(key);
    const { last_seq } = await store.getConversation(from);
    const name = `${key.conversation}\0b${chain.depth + 1}`;
    try {
      await store.branch(from, last_seq, name);
    } catch (error) {
      if (CairnError.is(error) && error.code === "not_settled") return;
      throw error;
    }
    Object.assign(chain, { name, depth: chain.depth + 1 });
    if (chain.lease !== null) {
      const { given, ttlMs } = chain.lease;
      chain.lease.token = (await store.acquireLease(real(key), given.holder, ttlMs)).token;
    }
    await store.deleteConversation(from);
  }

  const changes: Partial<Store> = {
    async createConversation(key, options) {
      const info = begin(key, await store.createConversation(key, options));
      if (options?.events !== undefined) await move(key);
      return info;
    },
    async importConversation(key, file, options) {
      return begin(key, await store.importConversation(real(key), file, options));
    },
    async deleteConversation(key, options) {
      await store.deleteConversation(real(key), options);
      chains.delete(idOf(key));
    },
    async fork(key, seq, target, options) {
      const made = { ...key, conversation: target };
      if (target === key.conversation) return store.fork(real(key), seq, real(key).conversation, options);
      const info = await store.fork(real(key), seq, real(made).conversation, options);
      const origin = info.forked_from;
      const first = chains.get(idOf(key))?.first.forked_from;
      const root = first?.root ?? plainName(key.conversation);
      return begin(made, { ...info, forked_from: origin && { conversation: key.conversation, seq, root } });
    },
    async append(key, events, options) {
      const chain = chains.get(idOf(key));
      const appending = (chain?.last ?? Promise.resolve()).then(async () => {
        const lease = options?.lease && { ...options.lease, token: tokenOf(key, options.lease.token) };
        const appended = await store.append(real(key), events, { ...options, ...(lease && { lease }) });
        for (const event of events) for (const blob of encodeEvent(event).blobs) chain?.puts.delete(blob);
        await move(key);
        return appended;
      });
      if (chain !== undefined) chain.last = appending.catch(() => undefined);
      return appending;
    },
    async putBlob(key, source, options) {
      const put = await store.putBlob(real(key), source, options);
      chains.get(idOf(key))?.puts.add(put.ref);
      return put;
    },
    async acquireLease(key, holder, ttlMs, options) {
      const given = await store.acquireLease(real(key), holder, ttlMs, options);
      const chain = chains.get(idOf(key));
      if (chain !== undefined) chain.lease = { given, token: given.token, ttlMs };
      return given;
    },
    async renewLease(key, token, ttlMs, options) {
      return { ...(await store.renewLease(real(key), tokenOf(key, token), ttlMs, options)), token };
    },
    async releaseLease(key, token, options) {
      await store.releaseLease(real(key), tokenOf(key, token), options);
      const chain = chains.get(idOf(key));
      if (chain?.lease?.given.token === token) chain.lease = null;
    },
    async appendStream(key, piece, options) {
      await store.appendStream(real(key), { ...piece, token: tokenOf(key, piece.token) }, options);
    },
    async dropStream(key, stream, options) {
      await store.dropStream(real(key), { ...stream, token: tokenOf(key, stream.token) }, options);
    },
    async getConversation(key, options) {
      return told(key, await store.getConversation(real(key), options));
    },
    async listConversations(scope, options) {
      const page = await store.listConversations(scope, options);
      return { ...page, items: page.items.map((info) => told({ ...scope, conversation: "" }, info)) };
    },
    async search(scope, query, options) {
      const only = options?.conversation;
      const within = only === undefined ? {} : { conversation: real({ ...scope, conversation: only }).conversation };
      const page = await store.search(scope, query, { ...options, ...within });
      return { ...page, items: page.items.map((hit) => ({ ...hit, conversation: plainName(hit.conversation) })) };
    },
    async *follow(key, options) {
      // A conversation that is created later under the same id has another chain.
      const chain = chains.get(idOf(key));
      const isMoved = (name: string) => chain !== undefined && chains.get(idOf(key)) === chain && chain.name !== name;
      for (let after = options?.after ?? 0; ; ) {
        const { conversation: name } = real(key);
        try {
          for await (const event of store.follow({ ...key, conversation: name }, { ...options, after })) {
            after = event.seq;
            yield event;
          }
          return;
        } catch (error) {
          if (!isMoved(name)) throw error;
        }
      }
    },
    async *conversations(options) {
      for await (const key of store.conversations(options)) yield plainKey(key);
    },
    async *unfinished(options) {
      const { among, ...rest } = options ?? {};
      for await (const each of store.unfinished({ ...rest, ...(among && { among: among.map(real) }) }))
        yield { ...each, key: plainKey(each.key) };
    },
  };
  return new Proxy(store, {
    get(target, name) {
      const changed = Reflect.get(changes, name);
      if (changed !== undefined) return changed;
      const method = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (first: unknown, ...rest: unknown[]) =>
        Reflect.apply(method, target, [isKey(first) ? real(first) : first, ...rest]);
    },
  });
}

function free(): Pick<Chain, "lease" | "puts" | "last"> {
  return { lease: null, puts: new Set(), last: Promise.resolve() };
}

function isKey(value: unknown): value is ConversationKey {
  return typeof value === "object" && value !== null && "conversation" in value && "tenant" in value;
}

function plainName(name: string): string {
  return name.replace(SUFFIX, "");
}

function plainKey(key: ConversationKey): ConversationKey {
  return { ...key, conversation: plainName(key.conversation) };
}
