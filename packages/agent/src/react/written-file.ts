/** A text file that a call writes: to disk and, unless the file is internal, to the file host and the pool. */
import {
  CairnError,
  type CitedIds,
  extractCitations,
  isEligible,
  type Json,
  rewriteNotice,
  type SourceInput,
  writeWarning,
} from "@cairn/timeline";
import type { Scribe, ToolContext } from "../tool/tool.ts";
import { mimeOfName } from "../workspace/media.ts";
import type { Hosted } from "../workspace/workspace.ts";
import { citedFields, knownField, noteUnknown, tellApart } from "./cited-sources.ts";
import { citationFormat, MAX_SOURCES } from "./file-citations.ts";

export interface FileToWrite {
  readonly logical: string;
  readonly physical: string;
  readonly text: string;
  readonly kind: string;
  readonly visibility: string;
  readonly channel?: string;
}

export interface WrittenFile {
  readonly file: FileToWrite;
  readonly mime: string;
  /** The hosting fields; null for an internal file, and for a file that could not be hosted. */
  readonly hosted: Hosted | null;
  readonly hostingError: string | null;
  readonly described: Readonly<Record<string, Json | undefined>>;
  readonly cited: CitedIds;
  /** The field of the file's block that records the known sources. */
  readonly known: Readonly<Record<string, Json | undefined>>;
}

/** Writes and hosts the file. A file that cannot be hosted is still written. */
export async function writeFile(file: FileToWrite, context: ToolContext): Promise<WrittenFile> {
  const { logical, physical, text, kind, visibility, channel } = file;
  await context.workspace.write(physical, text);
  let hosted: Hosted | null = null;
  let hostingError: string | null = null;
  if (visibility === "external") {
    try {
      hosted = await context.workspace.host(physical);
    } catch (error) {
      context.signal.throwIfAborted();
      hostingError = error instanceof Error ? error.message : "an unknown error";
    }
  }
  const mime = mimeOfName(physical);
  const size_bytes = hosted?.size_bytes ?? Buffer.byteLength(text);
  const cited = tellApart(extractCitations(text, citationFormat(mime)).slice(0, MAX_SOURCES), context.sourcesSeen);
  const described = {
    artifact_path: logical,
    physical_path: physical,
    mime,
    kind,
    visibility,
    channel,
    size_bytes,
    tokens: context.countTokens(text),
    ...citedFields(cited),
    write_warning: writeWarning(mime, size_bytes) ?? undefined,
  };
  return { file, mime, hosted, hostingError, described, cited, known: knownField(cited, context.sourcesSeen) };
}

export function fileMeta(
  { file, mime, hosted, known }: WrittenFile,
  digest: Readonly<Record<string, Json | undefined>>,
): Record<string, Json | undefined> {
  const { blob, hosted_uri, rn, key } = hosted ?? {};
  // No bytes are referenced, so that a text whose name ends like a picture's is not shown as a picture.
  const isPlain = !/^image\/|^application\/pdf/.test(mime);
  const safe = Object.fromEntries(Object.entries(digest).filter(([, value]) => value !== undefined)) as Record<
    string,
    Json
  >;
  return {
    hosted_uri,
    rn,
    key,
    blob: isPlain ? blob : undefined,
    physical_path: file.physical,
    digest: safe,
    ...known,
  };
}

export function notifyRewrite(scribe: Scribe, from: string, physical: string): void {
  const { code, message, ...data } = rewriteNotice(from.slice(0, 500), physical);
  scribe.notice(code, message, data);
}

/** Adds a notice if the file could not be hosted or cites unknown sources. */
export function noteHosting({ file, hostingError, cited }: WrittenFile, toolId: string, scribe: Scribe): void {
  noteUnknown(scribe, cited, file.physical);
  if (hostingError === null) return;
  const message = `The file is written but could not be hosted: ${hostingError.slice(0, 500)}`;
  scribe.notice(`${toolId}.hosting_failed`, message);
}

/** A hosted text file can be cited from now on. */
export function poolFile({ file, mime, hosted, described }: WrittenFile, scribe: Scribe): void {
  if (hosted === null || !isEligible({ source_type: "file", mime, visibility: file.visibility })) return;
  const { hosted_uri, rn, key, size_bytes } = hosted;
  const row: SourceInput = {
    source_type: "file",
    title: file.physical.slice(file.physical.lastIndexOf("/") + 1),
    text: file.text,
    mime,
    size_bytes,
    artifact_path: file.logical,
    physical_path: file.physical,
    hosted_uri,
    rn,
    key,
    ...(described.sources_used === undefined ? {} : { sources_used: described.sources_used }),
  };
  scribe.mergeSources([row]);
}

export function superseded(path: string): CairnError {
  return new CairnError("superseded", `A later call wrote ${path} already. The output of this call was discarded.`, {
    path,
  });
}

/** The error of an empty file. A notice tells it to the agent, and the file's description repeats it. */
export function reportEmpty(file: Omit<FileToWrite, "text">, scribe: Scribe): void {
  const message = `${file.physical} would have no content. Nothing was written.`;
  const { logical: artifact_path, physical: physical_path, kind, visibility } = file;
  scribe.notice("tool_result_error", message, { path: physical_path });
  scribe.digest({
    artifact_path,
    physical_path,
    mime: mimeOfName(physical_path),
    kind,
    visibility,
    size_bytes: 0,
    error: { code: "file_empty", message },
  });
}
