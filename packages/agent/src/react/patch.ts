/**
 * `react.patch`: a unified diff applied to a file, or a text that replaces its content.
 *
 * Written to the timeline: notices, the digest (`edited`, with the visibility the file had), the patched file at its
 * `fi:` path (stored, not shown), then the diff and `{path, ok}`, both as results.
 *
 * A file of an earlier turn is copied into the current one first. If the current turn already has a file of that name,
 * that file is patched instead. A path with a version is patched from that version. A patch that fails changes nothing
 * and copies nothing.
 */
import { applyPatch, CairnError, parsePath, resolvePath, rewritePath } from "@cairn/timeline";
import { z } from "zod";
import { defineTool, type ResolvedArtifact, type Settlement, type ToolContext } from "../tool/tool.ts";
import { decodeText } from "../workspace/media.ts";
import { wholeContent } from "../workspace/whole-content.ts";
import { writeInOrder } from "./write-order.ts";
import { fileMeta, noteHosting, notifyRewrite, poolFile, reportEmpty, superseded, writeFile } from "./written-file.ts";

const params = z.object({
  path: z
    .string()
    .min(1)
    .describe("The file, as <turn>/files/<name>. A file of an earlier turn is copied to the current one."),
  patch: z
    .string()
    .describe("A unified diff with @@ -a,b +c,d @@ lines. Anything else becomes the whole content of the file."),
});

export const patchTool = defineTool({
  id: "react.patch",
  description:
    "Change a text file by a unified diff, instead of writing it again. If the diff does not fit, nothing is changed.",
  params,
  builtin: true,
  traits: {
    files: "patched",
    label: { icon: "write", done: "Edited", doing: "Edit", shows: { params: ["path"], as: "file" } },
  },
  visibility: async (given, context) => {
    const { path } = params.pick({ path: true }).parse(given);
    const { logical, physical } = rewritePath(path, context.turnId);
    return visibilityOf(await findBase(path, logical, physical, context));
  },
  run: patchFile,
});

interface Base {
  readonly text: string;
  readonly artifact: ResolvedArtifact | null;
}

async function patchFile({ path, patch }: z.output<typeof params>, context: ToolContext): Promise<Settlement> {
  const target = rewritePath(path, context.turnId);
  const { written: done, ticket } = await writeInOrder(context.workspace, target.physical, async () => {
    const base = await findBase(path, target.logical, target.physical, context);
    const { text, artifact } = base;
    const patched = applyPatch(text, patch).toWellFormed();
    const kind = artifact?.kind ?? "file";
    const file = { logical: target.logical, physical: target.physical, kind, visibility: visibilityOf(base) };
    return { file, patched, written: patched === "" ? null : await writeFile({ ...file, text: patched }, context) };
  });
  return (scribe) => {
    if (target.rewritten) notifyRewrite(scribe, path, target.physical);
    if (done.written === null) return reportEmpty(done.file, scribe);
    if (!ticket.settle()) throw superseded(target.physical);
    noteHosting(done.written, context.toolId, scribe);
    const digest = { ...done.written.described, edited: true };
    scribe.digest(digest);
    const meta = fileMeta(done.written, { ...digest, tool_call_id: context.callId });
    scribe.content(target.logical, { mime: done.written.mime, text: done.patched, meta });
    const { visibility } = done.file;
    scribe.result(patch, "text/x-diff", { visibility });
    scribe.result(JSON.stringify({ path: target.physical, ok: true }), "application/json", { visibility });
    poolFile(done.written, scribe);
  };
}

/** The visibility of the file before the patch. A file that no block mentions is internal. */
function visibilityOf({ artifact }: Base): "internal" | "external" {
  return artifact === null || artifact.internal === true ? "internal" : "external";
}

/** The text that the patch changes: the file in the current turn, or else the file that the path names. */
async function findBase(path: string, logical: string, physical: string, context: ToolContext): Promise<Base> {
  const named = namedSource(path);
  const places =
    named === null || named.logical === logical
      ? [{ logical, physical }]
      : named.version
        ? [named]
        : [{ logical, physical }, named];
  for (const place of places) {
    const artifact = await context.resolve(place.logical);
    const bytes =
      "version" in place && place.version
        ? null
        : await context.workspace.read(place.physical, { signal: context.signal });
    if (artifact === null && bytes === null) continue;
    const content = bytes ?? (artifact === null ? null : wholeContent(artifact, artifact.meta));
    const text = content === null ? null : decodeText(content);
    if (text === null)
      throw new CairnError(
        "not_text",
        `${place.physical} cannot be patched: it is not a text file, or a part of it is missing.`,
        {
          path: place.physical,
        },
      );
    return { text, artifact };
  }
  throw new CairnError(
    "not_found",
    `There is no file ${path.slice(0, 200)}. Look for it with react.search_files, or write it.`,
    {
      path: path.slice(0, 200),
    },
  );
}

/** The file that a path names outside the current turn's folder; null for a bare file name. */
function namedSource(path: string): { logical: string; physical: string; version: boolean } | null {
  try {
    const { logical, physical } = resolvePath(path);
    return physical === null ? null : { logical, physical, version: parsePath(path).version !== null };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return null; // A bare file name is not a logical path.
  }
}
