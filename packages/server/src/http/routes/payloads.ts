/** The stored payloads of a conversation, and the content of any logical path. */

import type { ConversationKey, FoundPath } from "@cairn/store";
import { blobOf, CairnError, isInternalArtifact, publicBlock } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { type App, endpoint, type ServerContext } from "../endpoint.ts";
import { conversationParams, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

const tag = "Content";
const payload = z.record(z.string(), z.unknown());

export function payloadRoutes(app: App, { store }: ServerParts): void {
  const sendArtifact = async (context: ServerContext, id: string, kind: string) => {
    const { payload: stored } = await store.getArtifact({ ...context.get("scope"), conversation: id }, kind);
    return context.body(JSON.stringify(stored), 200, { "content-type": "application/json; charset=utf-8" });
  };

  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/timeline", tag, summary: "The timeline as one JSON object" },
      needs: "inspect",
      params: conversationParams,
      answers: { 200: { description: "`conv.timeline.v1`.", schema: payload }, ...usualProblems },
    },
    (context, { params }) => sendArtifact(context, params.id, "conv.timeline.v1"),
  );

  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/sources", tag, summary: "The sources pool" },
      params: conversationParams,
      answers: { 200: { description: "`conv:sources_pool`.", schema: z.unknown() }, ...usualProblems },
    },
    (context, { params }) => sendArtifact(context, params.id, "conv:sources_pool"),
  );

  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/read", tag, summary: "Reads the content at a logical path" },
      params: conversationParams,
      query: z.object({ path: z.string().min(1).max(2_000) }),
      answers: {
        200: {
          description:
            "Also finds content that was hidden, pruned or compacted. `found` is false if nothing was ever stored at this path, and for internal content unless the caller has the permission `inspect`.",
          schema: z.object({
            path: z.string(),
            found: z.boolean(),
            mime: z.string().nullable(),
            text: z.string().nullable(),
            blob: z.string().nullable(),
            version: z.number().int(),
            versions: z.number().int(),
          }),
        },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      await store.getConversation(key);
      const found = await store.findByPath(key, query.path).catch(orNothing);
      const mayInspect = context.get("caller")?.mayInspect === true;
      const shown = found === null || mayInspect ? found : publicPath(found);
      if (shown === null)
        return context.json({
          path: query.path,
          found: false,
          mime: null,
          text: null,
          blob: null,
          version: 0,
          versions: 0,
        });
      const { artifact, path, version, latestVersion } = shown;
      const blob = shown.blocks.map(({ block }) => blobOf(block)).findLast((ref) => ref !== null) ?? null;
      const { mime, text = null } = artifact;
      return context.json({ path, found: true, mime, text, blob, version, versions: latestVersion });
    },
  );
}

/** What people may see of a path; null for nothing. Of a call or a result a part may be internal: the rest is left. */
function publicPath(found: FoundPath): FoundPath | null {
  if (!isInternalArtifact(found.state, found.artifact)) return found;
  const blocks = found.blocks.map(({ block, ...place }) => ({ ...place, block: publicBlock(block) }));
  const texts = blocks.flatMap(({ block }) => block.text ?? []);
  if (texts.length < blocks.length) return null;
  return { ...found, blocks, artifact: { ...found.artifact, text: texts.join("\n") } };
}

/** What is no path leads nowhere. */
function orNothing(error: unknown): null {
  if (CairnError.is(error) && error.code === "bad_path") return null;
  throw error;
}
