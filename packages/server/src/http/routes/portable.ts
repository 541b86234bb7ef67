/** Export and import of a conversation as one file. */

import { type ConversationKey, reportImport } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { toStream } from "../download.ts";
import { type App, endpoint } from "../endpoint.ts";
import { limitsOf } from "../limits.ts";
import { paced } from "../pace.ts";
import { type Intake, refuseEncoded } from "../read-body.ts";
import { conversationParams, problemSchema, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";
import { newConversationId } from "./conversations.ts";

const tag = "Conversations";
const MIME = "application/x-ndjson";
/** An export contains many attachments, encoded as text. */
const IMPORT_FACTOR = 10;
const CHECK_EVERY = 8_000_000;
const NEWLINE = 10;

export function portableRoutes(app: App, { store, room, settings, now }: ServerParts): void {
  endpoint(
    app,
    {
      ...{
        method: "get",
        path: "/api/conversations/{id}/export",
        tag,
        summary: "Exports a conversation and its files as one file",
      },
      needs: "inspect",
      params: conversationParams,
      answers: {
        200: { description: "The export. The same conversation always gives the same bytes.", mime: MIME },
        ...usualProblems,
      },
    },
    async (context, { params }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      await store.getConversation(key);
      return new Response(toStream(store.exportConversation(key)), {
        headers: { "content-type": MIME, "content-disposition": 'attachment; filename="conversation.cairn.jsonl"' },
      });
    },
  );

  const most = limitsOf(settings).upload_bytes * IMPORT_FACTOR;
  endpoint(
    app,
    {
      ...{ method: "post", path: "/api/import", tag, summary: "Imports a conversation from an exported file" },
      otherBodies: { [MIME]: z.string().openapi({ format: "binary" }) },
      answers: {
        201: {
          description:
            "The conversation exists. Open calls and turns of the file were closed, and approvals in it do not count.",
          schema: z.object({
            conversation_id: z.string(),
            /** The turn that was open in the file, or null. */
            closed_turn: z.string().nullable(),
            /** Number of waiting messages in the file that were dropped. */
            dropped_messages: z.number().int(),
          }),
        },
        413: { description: "The request is too large.", schema: problemSchema },
        422: { description: "The file was changed after it was exported, or is damaged.", schema: problemSchema },
        ...usualProblems,
      },
    },
    async (context) => {
      const { body } = context.req.raw;
      refuseEncoded(context.req.raw);
      if (body === null) throw new CairnError("bad_request", "The body is empty. Send the exported file as the body.");
      const conversation = newConversationId(now());
      const key: ConversationKey = { ...context.get("scope"), conversation };
      const file = limited(body, most, context.get("intake"), (size) => room.check(key, size));
      const { last_seq } = await store.importConversation(key, file);
      context.set("created", conversation);
      return context.json({ conversation_id: conversation, ...(await reportImport(store, key, last_seq)) }, 201);
    },
  );
}

/**
 * `check` receives the size so far, at the beginning and every few megabytes. The import keeps a line in memory until
 * its end arrives, so an unfinished line counts as an upload.
 */
async function* limited(
  body: ReadableStream<Uint8Array>,
  most: number,
  { pace, held, arrived }: Intake,
  check: (size: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let checked = -CHECK_EVERY;
  let line = 0;
  for await (const chunk of paced(body, pace)) {
    size += chunk.byteLength;
    const end = chunk.lastIndexOf(NEWLINE);
    line = end < 0 ? line + chunk.byteLength : chunk.byteLength - end - 1;
    held.hold(line);
    arrived(chunk.byteLength);
    if (size > most) throw new CairnError("too_large", `The file is larger than ${most} bytes.`, { limit: most });
    if (size - checked >= CHECK_EVERY) {
      checked = size;
      await check(size);
    }
    yield chunk;
  }
}
