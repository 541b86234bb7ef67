/**
 * The side of the host of `ctx_tools.fetch_ctx`: returns the content at a logical path to a program. A file is copied
 * to the stage, under its physical path; if it is text, the answer contains it. Errors are part of the answer. For a
 * selection of sources the answer contains their rows.
 */
import { decodeText, mimeOfName, type ToolContext } from "@cairn/agent";
import { CairnError, type Json, type JsonObject, parsePath, resolvePath } from "@cairn/timeline";
import type { Stage } from "./stage/stage.ts";
import { stageFile } from "./stage/stage-inputs.ts";

/** Maximum length of a text in an answer. A program must read a longer text from its file. */
const MAX_TEXT_LENGTH = 8 * 1024 * 1024;

export async function fetchContext(path: string, stage: Stage, context: ToolContext): Promise<Json> {
  try {
    const { kind, version } = parsePath(path);
    if (kind === "sources" && version === null) return await findRows(path, context);
    return { ...(await find(path, stage, context)), error: null };
  } catch (error) {
    const known = CairnError.is(error);
    const message = error instanceof Error ? error.message : "an unknown error";
    return { path: path.slice(0, 500), error: { code: known ? error.code : "fetch_failed", message } };
  }
}

async function find(path: string, stage: Stage, context: ToolContext): Promise<JsonObject> {
  const { kind, version } = parsePath(path);
  const { logical, physical } = resolvePath(path);
  if (kind === "skill")
    throw new CairnError(
      "unsupported_path",
      "Read a skill with react.read. Programs find its files in OUTPUT_DIR, below skills/<skill>/.",
    );
  if (physical !== null && version === null) return findFile(logical, physical, stage, context);
  const artifact = await context.resolve(logical);
  if (artifact === null) throw notFound(logical);
  const { mime, text } = artifact;
  return { path: logical, mime, ...(text === undefined ? {} : { text }) };
}

/** Rows of the pool as in `timeline.json`, with every field; missing ones are left out. */
async function findRows(path: string, context: ToolContext): Promise<Json> {
  const found = await context.resolve(resolvePath(path).logical);
  const rows = (found?.sources_used ?? []).map((sid) => context.source(sid));
  return JSON.parse(JSON.stringify(rows.filter((row) => row !== undefined))) as Json;
}

async function findFile(logical: string, physical: string, stage: Stage, context: ToolContext): Promise<JsonObject> {
  const { workspace, signal } = context;
  // The program's own changes to files of the turn are kept; all other files are copied.
  const isOwn = physical.startsWith(`${stage.turnId}/files/`);
  const there = isOwn ? await workspace.pull(physical, { signal }) : await stageFile(stage, physical, context);
  const bytes = there ? await workspace.read(physical, { signal }) : null;
  if (bytes === null) throw notFound(logical);
  const text = bytes.length > MAX_TEXT_LENGTH ? null : decodeText(bytes);
  const mime = mimeOfName(physical, text === null ? "application/octet-stream" : "text/plain");
  const described = { path: logical, mime, physical_path: physical, size_bytes: bytes.length };
  return text === null ? described : { ...described, text };
}

function notFound(path: string): CairnError {
  return new CairnError("not_found", `There is no content at ${path}.`);
}
