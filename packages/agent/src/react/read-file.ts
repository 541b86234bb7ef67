/**
 * A file as `react.read` shows it: pulled into the workspace, described by its digest, and with the content that a model
 * can see. A text file gives text, a picture gives a reference to its bytes, and a PDF gives both. Any other file gives
 * the reason why it cannot be read.
 *
 * The latest version is read from the file, because the timeline may contain only a part of it; an earlier version is
 * read from its blocks.
 */
import { createHash } from "node:crypto";
import {
  type BlobRef,
  isBlobRef,
  isJsonObject,
  type Json,
  type JsonObject,
  parsePath,
  resolvePath,
} from "@cairn/timeline";
import type { ResolvedArtifact, ToolContext } from "../tool/tool.ts";
import type { LongText } from "../workspace/long-text.ts";
import { inspectFile, mimeOfName, type ShownBinary } from "../workspace/media.ts";
import { wholeContent } from "../workspace/whole-content.ts";
import { shownText } from "./file-text.ts";

export interface FoundFile {
  /** The logical path in canonical form, with its version if one was requested. */
  readonly path: string;
  readonly mime: string;
  readonly text: string | LongText | null;
  /** The media type of the text. It differs from the file's type if the text was extracted from a document. */
  readonly textMime: string;
  /** The reason why no text could be read from a file that should have one. */
  readonly unreadable: string | null;
  /** The bytes of a picture or PDF. */
  readonly blob: BlobRef | null;
  /** Tokens of a picture or PDF. */
  readonly binaryTokens: number;
  readonly digest: Readonly<Record<string, Json>>;
  readonly meta: Readonly<Record<string, Json>>;
}

/** The file at a path; null when it does not exist. Throws for an invalid path. */
export async function findFile(path: string, context: ToolContext): Promise<FoundFile | null> {
  const { logical, physical } = resolvePath(path);
  const artifact = await context.resolve(logical);
  const isVersion = parsePath(path).version !== null;
  const bytes = physical === null || isVersion ? null : await readBytes(physical, artifact, context);
  if (artifact === null && bytes === null) return null;
  const content =
    bytes === null ? storedContent(artifact, physical) : await fileContent(bytes, physical ?? "", artifact, context);
  const hosting = pick(artifact?.meta, ["hosted_uri", "rn", "key", "width", "height", "pages"]);
  const place: Record<string, Json> = physical === null ? {} : { physical_path: physical };
  const digest = {
    artifact_path: logical,
    ...place,
    mime: content.mime,
    kind: artifact?.kind ?? "file",
    visibility: artifact?.visibility ?? "internal",
    ...pick(storedDigest(artifact?.meta), [
      "channel",
      "filename",
      "summary",
      "size_bytes",
      "tokens",
      "edited",
      "write_warning",
    ]),
    ...(bytes === null ? {} : { size_bytes: bytes.length }),
    ...(artifact === null || artifact.sources_used.length === 0 ? {} : { sources_used: artifact.sources_used }),
  };
  return { path: logical, ...content, digest, meta: { ...hosting, ...content.meta, ...place } };
}

type Content = Omit<FoundFile, "path" | "digest">;

/** The workspace may lack a file of an imported timeline. The file is written there if the blocks contain all of it. */
async function readBytes(
  physical: string,
  artifact: ResolvedArtifact | null,
  { workspace, signal }: ToolContext,
): Promise<Uint8Array | null> {
  const found = await workspace.read(physical, { signal });
  if (found !== null || artifact === null) return found;
  const stored = wholeContent(artifact, artifact.meta);
  if (stored !== null) await workspace.write(physical, stored);
  return stored;
}

async function fileContent(
  bytes: Uint8Array,
  physical: string,
  artifact: ResolvedArtifact | null,
  { workspace, signal }: ToolContext,
): Promise<Content> {
  const shown = await inspectFile(bytes, signal);
  const mime = shown?.mime ?? artifact?.mime ?? mimeOfName(physical, "application/octet-stream");
  if (shown !== null && mime !== "application/pdf") return { ...NO_TEXT, ...(await hosted(shown)) };
  const read = await shownText(bytes, physical, mime, signal);
  const text = "text" in read ? read.text : null;
  const unreadable = "text" in read ? null : read.unreadable;
  const textMime = read.isExtracted ? "text/plain" : mime;
  // A provider refuses a PDF that cannot be opened.
  const isShown = shown !== null && ("text" in read || read.opens);
  if (isShown) return { text, textMime, unreadable, ...(await hosted(shown)) };
  // A picture or PDF that cannot be shown gets no reference to its bytes, so that they are not sent to a model.
  const blob = /^image\/|^application\/pdf/.test(mime) ? undefined : artifact?.meta?.blob;
  const meta = isBlobRef(blob) ? { blob } : {};
  return { mime, text, textMime, unreadable, blob: null, binaryTokens: 0, meta };

  async function hosted({ mime, tokens, meta }: ShownBinary) {
    const own: BlobRef = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    // A program may have changed the file since its bytes were stored.
    const blob = artifact?.meta?.blob === own ? own : (await workspace.host(physical)).blob;
    return { mime, blob, binaryTokens: tokens, meta: { ...meta, size_bytes: bytes.length, blob } };
  }
}

const NO_TEXT = { text: null, textMime: "text/plain", unreadable: null };

/** The content from the blocks: of an earlier version, or of a path that no folder holds. */
function storedContent(artifact: ResolvedArtifact | null, physical: string | null): Content {
  const mime = artifact?.mime ?? mimeOfName(physical ?? "");
  const none = { ...NO_TEXT, mime, blob: null, binaryTokens: 0, meta: {} };
  if (artifact?.text !== undefined) return { ...none, text: artifact.text, textMime: mime };
  const blob = artifact?.meta?.blob;
  if (isBlobRef(blob) && /^image\/|^application\/pdf/.test(mime)) return { ...none, blob, meta: { blob } };
  const unreadable = "The file is not in the workspace, and its blocks hold no text of it. Read its latest version.";
  return { ...none, unreadable, meta: isBlobRef(blob) ? { blob } : {} };
}

function storedDigest(meta: JsonObject | undefined): JsonObject | undefined {
  const digest = meta?.digest;
  return isJsonObject(digest) ? digest : undefined;
}

/** The fields of a block with these names whose values are strings or numbers. */
function pick(from: JsonObject | undefined, names: readonly string[]): Record<string, Json> {
  const picked: Record<string, Json> = {};
  for (const name of names) {
    const value = from?.[name];
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") picked[name] = value;
  }
  return picked;
}
