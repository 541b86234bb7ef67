/** Endpoints for the model requests of a conversation, with their bytes. */
import { type Model, type PastRequest, rebuildRecorded, resolveSpeller, spellRequest } from "@cairn/agent";
import * as api from "@cairn/api";
import { CairnError } from "@cairn/timeline";
import { describeRequest } from "cairn-agent/turns";
import { readAnswer } from "../../content/request-answer.ts";
import { RequestLists } from "../../content/request-lists.ts";
import { describeMessages, describeUnseen } from "../../content/request-messages.ts";
import { readTurnCalls } from "../../content/turn-calls.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

export function requestRoutes(app: App, { store, agents, loadTokenizer }: ServerParts): void {
  const lists = new RequestLists(store);
  endpoint(app, api.listRequests, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    await context.get("takeRoom")(key, 3);
    const requests = await lists.of(key, query.after, context.req.raw.signal);
    return answer(200, { requests: requests.map(describeRequest) });
  });

  endpoint(app, api.readRequest, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    await context.get("takeRoom")(key, 3);
    const request = await lists.find(key, params.n, context.req.raw.signal);
    const countTokens = await loadTokenizer();
    const past = await rebuildRecorded(store, key, request, countTokens);
    const model = past.model === null ? null : await modelOf(past.model);
    const { receipt, check } = past;
    const differences =
      check.firstDifference === null
        ? []
        : [
            `Message ${check.firstDifference} is not what was sent${check.rendererChanged ? ": the renderer has changed since then" : ""}.`,
          ];
    const canSpell = query.wire === 1 && past.record.sent !== null && model?.spell !== undefined;
    const wire = canSpell ? { wire: await spellRequest(store, key, past, model) } : {};
    return answer(200, {
      request: describeRequest(past),
      system: { text: past.system, tokens: receipt.tokens.system },
      tools: { json: past.tools, tokens: receipt.tokens.tools },
      window: model === null ? null : windowOf(model, past),
      messages: describeMessages(past, countTokens, model?.prices),
      unseen: describeUnseen(past),
      answer: await readAnswer(store, key, request),
      calls: await readTurnCalls(store, key, await lists.firstOfTurn(key, request)),
      verified: { ok: check.same, differences },
      renderer_version: receipt.renderer_version,
      ...wire,
    });
  });

  function windowOf({ contextTokens, maxOutputTokens }: Model, { record }: PastRequest) {
    return { tokens: contextTokens, output: record.sent?.max_output_tokens ?? maxOutputTokens };
  }

  /** Finds the model of a past request, even if it is no longer configured; null if it is unknown. */
  async function modelOf(name: string): Promise<Model | null> {
    try {
      return agents.modelNamed(name) ?? (await resolveSpeller(name));
    } catch (error) {
      if (CairnError.is(error)) return null;
      throw error;
    }
  }
}
