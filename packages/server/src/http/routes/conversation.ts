/** The endpoint for one conversation as a person sees it: its last turns, live text, waiting messages and approvals. */
import { readStreamName } from "@cairn/agent";
import * as api from "@cairn/api";
import type { ConversationKey } from "@cairn/store";
import { readView } from "cairn-agent/turns";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import { MAX_PAGE_BYTES } from "../view-room.ts";
import { describeConversation } from "./describe-conversation.ts";
import { forkOrigin } from "./fork-origin.ts";
import type { ServerParts } from "./server-parts.ts";

export function conversationRoute(app: App, parts: ServerParts): void {
  const { store, live } = parts;
  endpoint(app, api.readConversation, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    const { before, limit } = query;
    await context.get("takeRoom")(key, 1);
    const from = before === undefined ? {} : { before };
    const view = await readView(store, key, { limit, maxBytes: MAX_PAGE_BYTES, ...from });
    const info = await store.getConversation(key);
    const conversation = await describeConversation(parts, key, info);
    const versions = await store.versions(key);
    const forked_from = await forkOrigin(store, key, info);
    const streams = await openStreams(key);
    return answer(200, { conversation, forked_from, listed: info.listed, versions, ...view, streams });
  });

  /** The live text of a turn in this process, or the saved text of a turn in another process. */
  async function openStreams(key: ConversationKey) {
    const here = live.openStreams(key);
    if (here.length > 0) return here.map(({ type: _, offset: __, ...stream }) => stream);
    return (await store.openStreams(key)).flatMap(({ stream, text }) => {
      const facts = readStreamName(stream);
      if (facts === null) return [];
      const where = { ...(facts.path === null ? {} : { path: facts.path }), ...facts.call };
      return [{ stream, turn_id: facts.turnId, kind: facts.kind, ...where, text }];
    });
  }
}
