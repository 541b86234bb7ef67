/** Endpoints to create, list, search, rename and delete conversations. */
import { rm } from "node:fs/promises";
import * as api from "@cairn/api";
import { everyBranch, type Scope, type SearchHit } from "@cairn/store";
import { nullIfNotFound } from "@cairn/timeline";
import { workspaceFolder } from "cairn-agent/process";
import { createConversation, giveTitle } from "cairn-agent/turns";
import { agentsOf } from "../../auth/caller.ts";
import { findTitles, titleHolds } from "../../content/find-titles.ts";
import { type App, endpoint, keyOf, type ServerContext } from "../endpoint.ts";
import { describeConversation } from "./describe-conversation.ts";
import type { ServerParts } from "./server-parts.ts";

/** The part of a search (titles or texts) with which its cursor begins. */
const IN_TITLES = "titles:";
const IN_TEXTS = "texts:";

interface Snippet {
  /** The text that contains the words; null if only the title contains them. */
  readonly hit: SearchHit | null;
  readonly isNamed: boolean;
}

interface FoundSnippets {
  readonly snippets: ReadonlyMap<string, Snippet>;
  readonly next: string | null;
}

export function conversationRoutes(app: App, parts: ServerParts): void {
  const { store } = parts;

  endpoint(app, api.listConversations, async (context, { query }, answer) => {
    const scope = context.get("scope");
    const page = { limit: query.limit, ...(query.cursor === undefined ? {} : { cursor: query.cursor }) };
    if (query.q !== undefined && query.q.trim() !== "") return answer(200, await find(context, query.q, page));
    const { items, next } = await store.listConversations(scope, page);
    const conversations = await Promise.all(
      items.map((info) => describeConversation(parts, { ...scope, conversation: info.conversation }, info)),
    );
    return answer(200, { conversations, next_cursor: next });
  });

  /** Finds each conversation once, by its newest hit, titles first. Only the last page may be empty. */
  async function find(context: ServerContext, words: string, page: { limit: number; cursor?: string }) {
    const scope = context.get("scope");
    const { signal } = context.req.raw;
    const conversations: api.ListedConversation[] = [];
    let cursor: string | null = page.cursor ?? IN_TITLES;
    while (cursor !== null && conversations.length === 0) {
      const { snippets, next }: FoundSnippets = await findSnippets(scope, words, { ...page, cursor }, signal);
      cursor = next;
      for (const [conversation, { hit, isNamed }] of snippets) {
        const key = { ...scope, conversation };
        const info = await store.getConversation(key).catch(nullIfNotFound);
        // Conversations with a matching title were already listed.
        if (info === null || (!isNamed && titleHolds(info.title, words))) continue;
        const said =
          hit === null ? {} : { snippet: hit.excerpt, found: { turn_id: hit.turn_id, type: hit.type, path: hit.path } };
        conversations.push({ ...(await describeConversation(parts, key, info)), ...said });
      }
    }
    return { conversations, next_cursor: cursor };
  }

  /** Results by conversation: first conversations with a matching title, then those with a matching text. */
  async function findSnippets(
    scope: Scope,
    words: string,
    { limit, cursor }: { readonly limit: number; readonly cursor: string },
    signal: AbortSignal,
  ): Promise<FoundSnippets> {
    const snippets = new Map<string, Snippet>();
    if (cursor.startsWith(IN_TITLES)) {
      const from = cursor === IN_TITLES ? {} : { cursor: cursor.slice(IN_TITLES.length) };
      const { found, next } = await findTitles(store, scope, words, { limit, signal, ...from });
      for (const { conversation } of found) snippets.set(conversation, { hit: null, isNamed: true });
      if (next !== null) return { snippets, next: `${IN_TITLES}${next}` };
      if (found.length === limit) return { snippets, next: IN_TEXTS };
    }
    const from = cursor.startsWith(IN_TITLES) || cursor === IN_TEXTS ? {} : { cursor: cursor.replace(IN_TEXTS, "") };
    const { items, next } = await store.search(scope, words, {
      match: "all",
      forPeople: true,
      limit: limit - snippets.size,
      signal,
      ...from,
    });
    for (const item of items) {
      const { hit = null, isNamed = false } = snippets.get(item.conversation) ?? {};
      if (hit === null) snippets.set(item.conversation, { hit: item, isNamed });
    }
    return { snippets, next: next === null ? null : `${IN_TEXTS}${next}` };
  }

  endpoint(app, api.createConversation, async (context, { body }, answer) => {
    const agents = agentsOf(context.get("caller"), parts.agents);
    const conversation = await createConversation({ ...parts, agents }, context.get("scope"), body);
    context.set("created", conversation);
    return answer(201, { conversation_id: conversation });
  });

  endpoint(app, api.renameConversation, async (context, { params, body }, answer) => {
    const key = keyOf(context, params);
    await parts.room.check(key);
    await giveTitle(parts, key, body.title);
    return answer(200, await describeConversation(parts, key, await store.getConversation(key)));
  });

  endpoint(app, api.deleteConversation, async (context, { params, query }) => {
    const key = keyOf(context, params);
    const isTree = query.versions === "all";
    const gone = isTree ? await Array.fromAsync(everyBranch(store, key)) : [{ conversation: key.conversation }];
    await store.deleteConversation(key, { tree: isTree });
    for (const { conversation } of gone) {
      const folder = workspaceFolder(parts.settings.dataDir, { ...key, conversation });
      await rm(folder, { recursive: true, force: true });
    }
    return context.body(null, 204);
  });
}
