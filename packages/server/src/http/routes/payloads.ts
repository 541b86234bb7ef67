/** Endpoints for the payloads of a conversation, and for the content of any logical path. */
import * as api from "@cairn/api";
import type { FoundPath } from "@cairn/store";
import { blobOf, CairnError, isInternalArtifact, publicBlock } from "@cairn/timeline";
import { type App, endpoint, keyOf, type ServerContext } from "../endpoint.ts";
import { jsonBytes } from "../json-pieces.ts";
import { streamBody } from "../stream-body.ts";
import type { ServerParts } from "./server-parts.ts";

const NOTHING = { mime: null, text: null, blob: null, version: 0, versions: 0 };

export function payloadRoutes(app: App, { store }: ServerParts): void {
  const sendArtifact = async (context: ServerContext, params: { readonly id: string }, kind: string) => {
    const key = keyOf(context, params);
    await context.get("takeRoom")(key, 3);
    const { payload } = await store.getArtifact(key, kind);
    return new Response(streamBody(jsonBytes(payload), { cutOff: context.get("cutOff") }), {
      headers: { "content-type": "application/json; charset=utf-8" },
    });
  };

  endpoint(app, api.readTimeline, (context, { params }) => sendArtifact(context, params, "conv.timeline.v1"));

  endpoint(app, api.readSources, (context, { params }) => sendArtifact(context, params, "conv:sources_pool"));

  endpoint(app, api.readPath, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    await context.get("takeRoom")(key, 3);
    const found = await store.findByPath(key, query.path).catch(orNothing);
    const mayInspect = context.get("caller")?.mayInspect === true;
    const shown = found === null || mayInspect ? found : publicPath(found);
    if (shown === null) return answer(200, { path: query.path, found: false, ...NOTHING });
    const { artifact, path, version, latestVersion } = shown;
    const blob = shown.blocks.map(({ block }) => blobOf(block)).findLast((ref) => ref !== null) ?? null;
    const { mime, text = null } = artifact;
    return answer(200, { path, found: true, mime, text, blob, version, versions: latestVersion });
  });
}

/** The content at a path, without internal parts of a call or a result; null if people may see none of it. */
function publicPath(found: FoundPath): FoundPath | null {
  if (!isInternalArtifact(found.state, found.artifact)) return found;
  const blocks = found.blocks.map(({ block, ...place }) => ({ ...place, block: publicBlock(block) }));
  const texts = blocks.flatMap(({ block }) => block.text ?? []);
  if (texts.length < blocks.length) return null;
  return { ...found, blocks, artifact: { ...found.artifact, text: texts.join("\n") } };
}

/** For an invalid path, the answer is the same as for a path without content. */
function orNothing(error: unknown): null {
  if (CairnError.is(error) && error.code === "bad_path") return null;
  throw error;
}
