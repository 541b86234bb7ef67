/**
 * A file made by a program or a renderer. Its bytes are copied into the workspace, hosted if the file is external, and
 * described by a digest. The view shows the first 20 KB of a text, a picture or a PDF, and nothing of other files.
 * Every file has a block, so a later call can read it again.
 */
import {
  type CitedIds,
  extractCitations,
  isEligible,
  type Json,
  previewText,
  type SourceInput,
  writeWarning,
} from "@cairn/timeline";
import type { SourcesSeen } from "../tool/sources-seen.ts";
import type { Scribe, ToolContext } from "../tool/tool.ts";
import { decodeText, inspectFile, mimeOfName } from "../workspace/media.ts";
import type { Hosted } from "../workspace/workspace.ts";
import { citedFields, knownField, noteUnknown, tellApart } from "./cited-sources.ts";
import { citationFormat, MAX_SOURCES } from "./file-citations.ts";
import { writeInOrder } from "./write-order.ts";

interface FileToKeep {
  /** `fi:<turn>.files/<rel>` */
  readonly logical: string;
  readonly physical: string;
  readonly bytes: Uint8Array;
  readonly visibility: "external" | "internal";
  /** Sources that the file cites, for a file whose bytes contain no citations. The caller reports unknown ones. */
  readonly cites?: readonly number[];
  /** The sources that existed when the program or renderer made the file. */
  readonly seen: SourcesSeen;
}

export interface KeptFile {
  /** Called once, when the call settles. False if a later call has written the path; this file is then dropped. */
  readonly claim: () => boolean;
  /** Writes the digest, the file's block, its row in the pool, and a notice if it could not be hosted. */
  readonly write: (scribe: Scribe) => void;
}

/** Longer texts are not searched for citations, because the search would take too long. */
const MAX_SEARCHED_LENGTH = 4 * 1024 * 1024;

/** Writes and hosts the file. A file that cannot be hosted is still written. */
export async function keepFile(file: FileToKeep, context: ToolContext): Promise<KeptFile> {
  const { logical, physical, bytes, visibility } = file;
  const prior = await context.resolve(logical);
  const { written, ticket } = await writeInOrder(context.workspace, physical, async () => {
    await context.workspace.write(physical, bytes);
    return host(file, context);
  });
  const content = await readContent(file, context);
  let edited = prior !== null;
  return {
    claim: () => {
      edited ||= ticket.hasEarlier();
      return ticket.settle();
    },
    write: (scribe) => {
      if (written.problem !== null)
        scribe.notice(`${context.toolId}.hosting_failed`, `${physical} could not be hosted: ${written.problem}`);
      if (file.cites === undefined) noteUnknown(scribe, content.cited, physical);
      const digest = withoutUndefined({
        artifact_path: logical,
        physical_path: physical,
        mime: content.mime,
        kind: "file",
        visibility,
        size_bytes: bytes.length,
        tokens: content.tokens,
        ...citedFields(content.cited),
        edited: edited ? true : undefined,
        write_warning: writeWarning(content.mime, bytes.length) ?? undefined,
      });
      scribe.digest(digest);
      const { hosted } = written;
      const place = { hosted_uri: hosted?.hosted_uri, rn: hosted?.rn, key: hosted?.key, blob: hosted?.blob };
      const meta = {
        ...content.meta,
        ...knownField(content.cited, file.seen),
        ...place,
        physical_path: physical,
        digest: { ...digest, tool_call_id: context.callId },
      };
      scribe.content(logical, { mime: content.blockMime, text: content.preview, meta });
      if (hosted !== null && isEligible({ source_type: "file", mime: content.mime, visibility }))
        scribe.mergeSources([poolRow(file, content, hosted)]);
    },
  };
}

async function host(
  { physical, visibility }: FileToKeep,
  context: ToolContext,
): Promise<{ readonly hosted: Hosted | null; readonly problem: string | null }> {
  if (visibility === "internal") return { hosted: null, problem: null };
  try {
    return { hosted: await context.workspace.host(physical), problem: null };
  } catch (error) {
    context.signal.throwIfAborted();
    return { hosted: null, problem: error instanceof Error ? error.message.slice(0, 500) : "an unknown error" };
  }
}

interface Content {
  readonly mime: string;
  /** The type that the block states: `mime`, except for pictures and documents that models cannot read. */
  readonly blockMime: string;
  readonly preview: string | undefined;
  readonly tokens: number | undefined;
  readonly cited: CitedIds;
  readonly meta: Readonly<Record<string, Json>>;
}

async function readContent(
  { physical, bytes, cites = [], seen }: FileToKeep,
  { countTokens, signal }: ToolContext,
): Promise<Content> {
  const shown = await inspectFile(bytes, signal);
  if (shown !== null) {
    const { mime, tokens, meta } = shown;
    return { mime, blockMime: mime, preview: undefined, tokens, cited: tellApart(cites, seen), meta };
  }
  const text = decodeText(bytes);
  const fallback = text === null ? "application/octet-stream" : "text/plain";
  const mime = mimeOfName(physical, fallback);
  const blockMime = /^image\/|^application\/pdf/.test(mime) ? fallback : mime;
  if (text === null)
    return { mime, blockMime, preview: undefined, tokens: undefined, cited: tellApart(cites, seen), meta: {} };
  const preview = previewText(text.toWellFormed());
  const found = text.length > MAX_SEARCHED_LENGTH ? [] : extractCitations(text, citationFormat(mime));
  const cited = tellApart([...new Set([...cites, ...found])].slice(0, MAX_SOURCES), seen);
  // The tokens of a long text are extrapolated from its beginning, to avoid counting millions of characters.
  const tokens = Math.ceil((countTokens(preview) * text.length) / Math.max(1, Math.min(text.length, preview.length)));
  return { mime, blockMime, preview, tokens, cited, meta: {} };
}

function poolRow({ logical, physical }: FileToKeep, { mime, preview, cited }: Content, hosted: Hosted): SourceInput {
  const { hosted_uri, rn, key, size_bytes } = hosted;
  return {
    source_type: "file",
    title: physical.slice(physical.lastIndexOf("/") + 1),
    ...(preview === undefined ? {} : { text: preview }),
    mime,
    size_bytes,
    artifact_path: logical,
    physical_path: physical,
    hosted_uri,
    rn,
    key,
    ...(cited.used.length === 0 ? {} : { sources_used: [...cited.used] }),
  };
}

function withoutUndefined(fields: Readonly<Record<string, Json | undefined>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
