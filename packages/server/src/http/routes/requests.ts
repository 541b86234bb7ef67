/** What the model saw: every request of a conversation, down to the last byte. */
import { type Model, rebuildRecorded, resolveSpeller, spellRequest } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { describeRequest } from "../../content/describe-request.ts";
import { RequestLists } from "../../content/request-lists.ts";
import { describeMessages, describeUnseen } from "../../content/request-messages.ts";
import { type App, endpoint } from "../endpoint.ts";
import { conversationParams, countInQuery, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

const tag = "Inspect";
const count = z.number();

const requestSchema = z
  .object({
    n: count.int(),
    seq: count.int(),
    turn_id: z.string().nullable(),
    model: z.string().nullable(),
    purpose: z.enum(["decision", "continuation", "summary"]),
    started_at: z.string(),
    tokens: z.object({ tools: count, system: count, stable: count, tail: count }),
    usage: z.object({
      ...{ input_tokens: count, cache_read_tokens: count, cache_write_tokens: count, output_tokens: count },
    }),
    is_billed: z.boolean().describe("False if the answer was interrupted: `usage` and `cost` are then unknown"),
    is_priced: z.boolean().describe("False if `cost` is 0 because the price of the model is unknown"),
    cost: count,
    sent_bytes: count.nullable(),
    predicted_read: count.nullable(),
    resets: z.array(z.object({ cause: z.string(), blocks: count.optional(), tokens: count.optional() })),
    cold: z
      .object({ cause: z.string(), detail: z.string() })
      .nullable()
      .describe(
        "Why the request should read less from the cache than the one before it left there, although the bytes are the same",
      ),
    miss: z
      .object({
        part: z.enum(["tools", "system", "block"]),
        index: count.int(),
        path: z.string().nullable(),
        cause: z.string(),
        declared: z.boolean(),
        detail: z.string(),
        before: z.string().optional(),
        after: z.string().optional(),
      })
      .nullable(),
    checkpoints: z.array(count.int()),
  })
  .openapi("ModelRequest");

const messageSchema = z
  .object({
    index: count.int(),
    role: z.literal("user"),
    kind: z.enum(["text", "image", "document"]),
    text: z.string(),
    mime: z.string().nullable(),
    positions: z.array(count.int()),
    paths: z.array(z.string()),
    type: z.string().nullable(),
    turn_id: z.string().nullable(),
    tokens: count,
    cost: count,
    hash: z.string(),
    checkpoint: z.boolean(),
    part: z.enum(["stable", "tail"]),
    cache: z.enum(["read", "written", "none"]),
    overlay: z
      .object({
        state: z.enum(["hidden", "pruned", "clipped", "compacted"]),
        by: z.string(),
        path: z.string().nullable(),
        original_text: z.string().optional(),
        turns: z.array(z.string()).optional().describe("The turns that a summary covers"),
      })
      .nullable(),
  })
  .openapi("ModelMessage");

const unseenSchema = z
  .object({
    before: count.int(),
    position: count.int(),
    path: z.string().nullable(),
    type: z.string(),
    turn_id: z.string().nullable(),
    tokens: count,
    state: z.enum(["hidden", "pruned", "clipped"]),
    by: z.string(),
    original_text: z.string(),
  })
  .openapi("UnseenBlock");

export function requestRoutes(app: App, { store, agents, countTokens }: ServerParts): void {
  const lists = new RequestLists(store);
  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/requests", tag, summary: "Lists the requests to the model" },
      needs: "inspect",
      params: conversationParams,
      query: z.object({ after: countInQuery(0, 1e9).default(0).describe("Only requests after this number") }),
      answers: {
        200: { description: "Oldest first.", schema: z.object({ requests: z.array(requestSchema) }) },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const requests = await lists.of(key, query.after, context.req.raw.signal);
      return context.json({ requests: requests.map(describeRequest) });
    },
  );

  endpoint(
    app,
    {
      ...{
        method: "get",
        path: "/api/conversations/{id}/requests/{n}",
        tag,
        summary: "One request, rebuilt and checked",
      },
      needs: "inspect",
      params: conversationParams.extend({ n: z.coerce.number().int().min(1).max(1e9) }),
      query: z.object({
        wire: countInQuery(0, 1).default(0).describe("1 also returns the bytes that were sent to the provider"),
      }),
      answers: {
        200: {
          description: "Rendered again from the journal; `verified` says whether the result equals what was sent.",
          schema: z.object({
            request: requestSchema,
            system: z.object({ text: z.string(), tokens: count }),
            tools: z.object({ json: z.string(), tokens: count }),
            messages: z.array(messageSchema),
            unseen: z
              .array(unseenSchema)
              .describe("Hidden blocks that leave no trace in the messages; each came before the message `before`"),
            verified: z.object({ ok: z.boolean(), differences: z.array(z.string()) }),
            renderer_version: count.int(),
            wire: z
              .object({ body: z.string(), same: z.boolean().nullable(), difference: z.string().nullable() })
              .optional(),
          }),
        },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const request = await lists.find(key, params.n, context.req.raw.signal);
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
      return context.json({
        request: describeRequest(past),
        system: { text: past.system, tokens: receipt.tokens.system },
        tools: { json: past.tools, tokens: receipt.tokens.tools },
        messages: describeMessages(past, countTokens, model?.prices),
        unseen: describeUnseen(past),
        verified: { ok: check.same, differences },
        renderer_version: receipt.renderer_version,
        ...wire,
      });
    },
  );

  /** Also finds a model that is no longer configured, because nothing is sent to it. Null for an unknown one. */
  async function modelOf(name: string): Promise<Model | null> {
    try {
      return agents.modelNamed(name) ?? (await resolveSpeller(name));
    } catch (error) {
      if (CairnError.is(error)) return null;
      throw error;
    }
  }
}
