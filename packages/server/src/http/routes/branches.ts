/** Endpoints for versions of turns: make another version, list a tree, and choose the conversation that lists show. */
import * as api from "@cairn/api";
import type { ConversationInfo, ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { limitsOf, newConversationId } from "cairn-agent/process";
import { agentOfTurn, branchBefore, branchTurn, nameVersion, versionNames } from "cairn-agent/turns";
import { agentsOf } from "../../auth/caller.ts";
import { BASE64_GROWTH } from "../../shares/request-limits.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import { describeConversation } from "./describe-conversation.ts";
import type { ServerParts } from "./server-parts.ts";
import { decodeFile } from "./turns.ts";

export function branchRoutes(app: App, parts: ServerParts): void {
  const { store, atOnce, queue, room, now } = parts;

  endpoint(
    app,
    api.branchConversation,
    async (context, { params, body }, answer) => {
      const key = keyOf(context, params);
      const conversation = newConversationId(now());
      const made = { ...key, conversation };
      const { before, message, model, reasoning } = body;
      if (message === null && body.attachments.length > 0)
        throw new CairnError(
          "bad_request",
          "Attachments need a message. Send them with the next message to the branch.",
        );
      const files = body.attachments.map(decodeFile);
      const agents = agentsOf(context.get("caller"), parts.agents);
      if (model !== undefined) agents.checkModel(model);
      if (agents.isLimited) agents.find(await agentOfTurn(store, key, before));
      const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, message?.length ?? 0);
      await room.check(key, size);
      await queue.admit(made);
      await context.get("intake").turn();
      const at = { store: atOnce, now };
      if (message === null) {
        await branchBefore(at, key, conversation, before);
        context.set("created", conversation);
        return answer(201, { conversation_id: conversation, turn_id: null, input_key: null, seq: null });
      }
      const taken = await branchTurn(at, key, conversation, { before, message, model, reasoning, files });
      room.note(key, size);
      context.set("created", conversation);
      context.set("turn", taken.turn_id);
      await queue.offer(made);
      return answer(201, { conversation_id: conversation, ...taken });
    },
    Math.ceil(limitsOf(parts.settings).upload_bytes * BASE64_GROWTH),
  );

  endpoint(app, api.listBranches, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    const page = { limit: query.limit, ...(query.cursor === undefined ? {} : { cursor: query.cursor }) };
    const { items, next } = await store.branches(key, page);
    const branches = await Promise.all(items.map((info) => describeBranch(key, info)));
    return answer(200, { branches, next_cursor: next });
  });

  endpoint(app, api.nameVersion, async (context, { params, body }) => {
    const key = keyOf(context, params);
    await room.check(key);
    await nameVersion(store, key, { turn: params.number, name: body.name });
    return context.body(null, 204);
  });

  endpoint(app, api.showConversation, async (context, { params }) => {
    await store.show(keyOf(context, params));
    return context.body(null, 204);
  });

  async function describeBranch(key: ConversationKey, info: ConversationInfo): Promise<api.Branch> {
    const { conversation, forked_from: origin, listed } = info;
    const branched_from = origin?.branch === true ? { conversation_id: origin.conversation, seq: origin.seq } : null;
    const branch = { ...key, conversation };
    const [described, names] = await Promise.all([
      describeConversation(parts, branch, info),
      versionNames(store, branch),
    ]);
    return { ...described, listed, branched_from, names };
  }
}
