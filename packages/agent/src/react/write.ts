/**
 * `react.write`: a text becomes a file of the current turn.
 *
 * Written to the timeline: notices, the digest, then the content at its `fi:` path, or a `react.note` there when the
 * channel is `internal`.
 *
 * The view of the call shows 100 characters of the content, and then always a pointer to the content, even if the
 * content is shorter. A `ref:` is shown whole. Empty content writes nothing, so the file does not change.
 */
import { CairnError, type JsonObject, type RoundLabel, rewritePath } from "@cairn/timeline";
import { z } from "zod";
import { isRef } from "../tool/bind-refs.ts";
import { defineTool, type Settlement, type ToolContext } from "../tool/tool.ts";
import { announceInternal, endInternal } from "./internal-writes.ts";
import { writeInOrder } from "./write-order.ts";
import { fileMeta, noteHosting, notifyRewrite, poolFile, reportEmpty, superseded, writeFile } from "./written-file.ts";

const params = z.object({
  path: z.string().min(1).describe("Where the file goes: <current turn>/files/<name>, such as turn_1/files/report.md."),
  channel: z
    .enum(["timeline_text", "canvas", "internal"])
    .default("canvas")
    .describe(
      "timeline_text: shown in the conversation. canvas: shown beside it. internal: a note for yourself, not for the user.",
    ),
  kind: z.enum(["display", "file"]).default("display").describe("display: to be read here. file: to be downloaded."),
  content: z.string().describe("All of the text. Cite sources as [[S:1]]."),
});

const SHOWN_CHARS = 100;

/** Tells the model to name the channel, so that the text can be shown while it is written. A call may omit it. */
const described = { ...z.toJSONSchema(params, { io: "input" }), required: ["path", "channel", "content"] };
const schema: JsonObject = JSON.parse(JSON.stringify(described));

const WROTE: RoundLabel = { icon: "write", done: "Wrote", doing: "Write", shows: { params: ["path"], as: "file" } };
const REMEMBERED: RoundLabel = { icon: "write", done: "Noted something for later", doing: "Note something for later" };

export const writeTool = defineTool({
  id: "react.write",
  description:
    "Write a text file: a report, a table, a draft, code. Replaces the file if there is one. " +
    "With channel internal, keep a short note for later turns, tagged [P] (preference), [D] (decision) or [S] (state).",
  params,
  schema,
  builtin: true,
  traits: {
    refers: true,
    files: "written",
    label: (given) => (isInternal(given) ? REMEMBERED : WROTE),
  },
  idempotent: true,
  streams: {
    param: "content",
    kind: "write",
    path: "path",
    shownFor: { param: "channel", values: ["timeline_text", "canvas"] },
  },
  visibility: async (given, context) => {
    if (!isInternal(given)) return null;
    const { path } = params.pick({ path: true }).parse(given);
    announceInternal(context.workspace, rewritePath(path, context.turnId).physical);
    return "internal";
  },
  shownParams: (given, { turnId }) => shortenContent(given, turnId),
  cutParams: (given, { turnId }) => {
    const content = contentPath(given, turnId);
    return content === null ? {} : { content };
  },
  run: write,
});

async function write(
  { path, channel, kind, content }: z.output<typeof params>,
  context: ToolContext,
): Promise<Settlement> {
  const target = rewritePath(path, context.turnId);
  const visibility = channel === "internal" ? "internal" : "external";
  const file = {
    logical: target.logical,
    physical: target.physical,
    text: content.toWellFormed(),
    kind,
    visibility,
    channel,
  };
  if (content === "")
    return (scribe) => {
      endInternal(context.workspace, target.physical);
      if (target.rewritten) notifyRewrite(scribe, path, target.physical);
      reportEmpty(file, scribe);
    };
  const prior = await context.resolve(target.logical);
  const { written, ticket } = await writeInOrder(context.workspace, target.physical, () => writeFile(file, context));
  return (scribe) => {
    const edited = prior !== null || ticket.hasEarlier() ? true : undefined;
    if (!ticket.settle()) throw superseded(target.physical);
    endInternal(context.workspace, target.physical);
    if (target.rewritten) notifyRewrite(scribe, path, target.physical);
    noteHosting(written, context.toolId, scribe);
    const digest = { ...written.described, edited };
    scribe.digest(digest);
    const meta = fileMeta(written, { ...digest, tool_call_id: context.callId });
    if (channel === "internal")
      scribe.block({
        type: "react.note",
        path: target.logical,
        mime: written.mime,
        text: file.text,
        meta: { channel, ...meta },
      });
    else scribe.content(target.logical, { mime: written.mime, text: file.text, meta: { channel, ...meta } });
    poolFile(written, scribe);
  };
}

/** An unknown channel, or a channel that is still a reference, may be `internal`. */
function isInternal(given: unknown): boolean {
  const channel = typeof given === "object" && given !== null && "channel" in given ? given.channel : undefined;
  return channel !== undefined && channel !== "timeline_text" && channel !== "canvas";
}

/** The parameters as the call shows them. Unexpected values are shown unchanged. */
function shortenContent(given: unknown, turnId: string): unknown {
  const logical = contentPath(given, turnId);
  if (logical === null) return given;
  const { content } = given as { readonly content: string };
  // A character takes at most two UTF-16 units, so twice as many units always contain enough characters.
  const beginning = [...content.slice(0, SHOWN_CHARS * 2)].slice(0, SHOWN_CHARS).join("");
  return { ...(given as object), content: `${beginning}... [see ${logical}]` };
}

/** The logical path of the written file; null if the path or the content is not known when the call is made. */
function contentPath(given: unknown, turnId: string): string | null {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return null;
  const { content, path } = given as Record<string, unknown>;
  if (typeof content !== "string" || typeof path !== "string") return null;
  // The value of a reference is not known yet.
  if (isRef(content) || isRef(path)) return null;
  try {
    return rewritePath(path, turnId).logical;
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return null; // The call itself will reject an invalid path.
  }
}
