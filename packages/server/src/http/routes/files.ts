/** Files of a conversation: the list, their versions and their bytes. */
import * as api from "@cairn/api";
import { findAnswer, findFile } from "../../content/file-content.ts";
import { FileLists } from "../../content/list-files.ts";
import { sendFile } from "../download.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

export function fileRoutes(app: App, { store }: ServerParts): void {
  const lists = new FileLists(store);
  endpoint(app, api.listFiles, async (context, { params }, answer) => {
    const key = keyOf(context, params);
    return answer(200, { files: await lists.of(key, context.req.raw.signal) });
  });

  endpoint(app, api.readFile, async (context, { params, query }) => {
    const key = keyOf(context, params);
    const file = await findFile(store, key, params.path, query.v ?? null, query.citations ?? null);
    return sendFile(context, file, params.path.split("/").at(-1) ?? "file");
  });

  endpoint(app, api.readAnswer, async (context, { params, query }) => {
    const key = keyOf(context, params);
    const answer = await findAnswer(store, key, params.turn, query.citations ?? null);
    return sendFile(context, answer, `${params.turn}.md`);
  });
}
