/** Endpoints to export and import a conversation as one file. */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import * as api from "@cairn/api";
import { reportImport } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { limitsOf, newConversationId } from "cairn-agent/process";
import { importMessages } from "cairn-agent/turns";
import { agentsOf } from "../../auth/caller.ts";
import { BASE64_GROWTH } from "../../shares/request-limits.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import { paced } from "../pace.ts";
import { type Intake, refuseEncoded } from "../read-body.ts";
import { streamBody } from "../stream-body.ts";
import type { ServerParts } from "./server-parts.ts";

/** Maximum size of an import: an export contains many attachments, encoded as text. */
const IMPORT_FACTOR = 10;
/** Limits of a message from another system: the same as for a message that a client sends. */
const TRANSCRIPT_LIMITS = {
  textChars: api.MAX_MESSAGE_CHARS,
  attachments: api.MAX_ATTACHMENTS,
  files: api.MAX_IMPORTED_FILES,
};
/** A line is parsed, stored and later read in one step. For longer lines, people use `cairn import`. */
const MAX_LINE_BYTES = 8_000_000;
/** Maximum branches of a tree, because each takes several transactions. For more, people use `cairn import`. */
const MAX_CONVERSATIONS = 2_000;
/** Storage is reserved in steps of this many bytes. */
const RESERVE_EVERY = 1_000_000;
const NEWLINE = 10;

export function portableRoutes(app: App, parts: ServerParts): void {
  const { store, room, settings, now } = parts;
  endpoint(app, api.exportConversation, async (context, { params }) => {
    const key = keyOf(context, params);
    await store.getConversation(key);
    return new Response(streamBody(store.exportConversation(key), { cutOff: context.get("cutOff") }), {
      headers: {
        "content-type": api.EXPORT_MIME,
        "content-disposition": 'attachment; filename="conversation.cairn.jsonl"',
      },
    });
  });

  const most = limitsOf(settings).upload_bytes * IMPORT_FACTOR;
  endpoint(app, api.importConversation, async (context, _request, answer) => {
    const { body } = context.req.raw;
    // The file may contain waiting messages for any agent, so only callers who may use all agents may import.
    if (agentsOf(context.get("caller"), parts.agents).isLimited)
      throw new CairnError("forbidden", "You may not import files, because you may not use every agent.");
    refuseEncoded(context.req.raw);
    if (body === null) throw new CairnError("bad_request", "The body is empty. Send the exported file as the body.");
    const conversation = newConversationId(now());
    const key = keyOf(context, { id: conversation });
    const file = limited(body, most, context.get("intake"), (bytes) => room.reserve(key, bytes));
    const { last_seq } = await store.importConversation(key, file, {
      maxLineBytes: MAX_LINE_BYTES,
      maxConversations: MAX_CONVERSATIONS,
    });
    context.set("created", conversation);
    return answer(201, { conversation_id: conversation, ...(await reportImport(store, key, last_seq)) });
  });

  endpoint(
    app,
    api.importMessages,
    async (context, { body: { messages, format, agent } }, answer) => {
      const conversation = newConversationId(now());
      const attributes = { agent: agentsOf(context.get("caller"), parts.agents).find(agent ?? null).name };
      const key = keyOf(context, { id: conversation });
      const intake = context.get("intake");
      const imported = await importMessages(parts, messages, {
        key,
        format,
        attributes,
        signal: context.req.raw.signal,
        limits: TRANSCRIPT_LIMITS,
        maxLineBytes: MAX_LINE_BYTES,
        pause: () => yieldToOthers().then(intake.turn),
      });
      context.set("created", conversation);
      return answer(201, { conversation_id: conversation, ...imported });
    },
    Math.ceil(limitsOf(settings).upload_bytes * BASE64_GROWTH),
  );
}

/**
 * `reserve` is called with the number of bytes that will be written: at the beginning, after every megabyte and at the
 * end. An unfinished line is in memory until its end arrives, so it counts as an upload.
 */
async function* limited(
  body: ReadableStream<Uint8Array>,
  most: number,
  { pace, held, arrived, turn }: Intake,
  reserve: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let reserved = 0;
  let line = 0;
  for await (const chunk of paced(body, pace)) {
    size += chunk.byteLength;
    const end = chunk.lastIndexOf(NEWLINE);
    line = end < 0 ? line + chunk.byteLength : chunk.byteLength - end - 1;
    held.hold(line);
    arrived(chunk.byteLength);
    if (size > most) throw new CairnError("too_large", `The file is larger than ${most} bytes.`, { limit: most });
    if (reserved === 0 || size - reserved >= RESERVE_EVERY) {
      await reserve(size - reserved);
      reserved = size;
    }
    // The import parses and stores all lines of the chunk in one step.
    await turn();
    yield chunk;
  }
  await reserve(size - reserved);
}
