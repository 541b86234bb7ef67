/**
 * A file as `react.read` shows it: pulled into the workspace, described by its digest, and with what of its content a
 * model can be shown. That is text, or a picture or PDF by reference to its bytes; of anything else the description.
 *
 * The latest version is the file itself, of which the timeline may hold a part only; an earlier version is what its
 * blocks keep.
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
import { decodeText, inspectFile, mimeOfName, sniffMime } from "../workspace/media.ts";
import { wholeContent } from "../workspace/whole-content.ts";

export interface FoundFile {
  /** Canonical, with its version if one was asked for. */
  readonly path: string;
  readonly mime: string;
  readonly text: string | null;
  /** The bytes of a picture or PDF. */
  readonly blob: BlobRef | null;
  /** Tokens of a picture or PDF. */
  readonly binaryTokens: number;
  readonly digest: Readonly<Record<string, Json>>;
  readonly meta: Readonly<Record<string, Json>>;
}

/** Null when there is no such file. Throws for a path that is refused. */
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

type Content = Pick<FoundFile, "mime" | "text" | "blob" | "binaryTokens" | "meta">;

/** Of a timeline from elsewhere the workspace may have no file; then what the blocks hold is put there, if it is all. */
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
  if (shown !== null) {
    const { mime, tokens, meta } = shown;
    const own: BlobRef = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    // A program may have changed the file since its bytes were stored.
    const blob = artifact?.meta?.blob === own ? own : (await workspace.host(physical)).blob;
    return { mime, text: null, blob, binaryTokens: tokens, meta: { ...meta, size_bytes: bytes.length, blob } };
  }
  const text = sniffMime(bytes) === null ? decodeText(bytes) : null;
  const fallback = text === null ? "application/octet-stream" : "text/plain";
  const mime = artifact?.mime ?? mimeOfName(physical, fallback);
  // Bytes that no model takes are not referred to as if one did.
  const blob = /^image\/|^application\/pdf/.test(mime) ? undefined : artifact?.meta?.blob;
  return { mime, text, blob: null, binaryTokens: 0, meta: isBlobRef(blob) ? { blob } : {} };
}

/** What the blocks of a version, or of something that lies in no folder, keep. */
function storedContent(artifact: ResolvedArtifact | null, physical: string | null): Content {
  const mime = artifact?.mime ?? mimeOfName(physical ?? "");
  if (artifact?.text !== undefined) return { mime, text: artifact.text, blob: null, binaryTokens: 0, meta: {} };
  const blob = artifact?.meta?.blob;
  if (!isBlobRef(blob)) return { mime, text: null, blob: null, binaryTokens: 0, meta: {} };
  return { mime, text: null, blob, binaryTokens: 0, meta: { blob } };
}

function storedDigest(meta: JsonObject | undefined): JsonObject | undefined {
  const digest = meta?.digest;
  return isJsonObject(digest) ? digest : undefined;
}

/** Words and numbers under the names given; nothing else of what a block may hold. */
function pick(from: JsonObject | undefined, names: readonly string[]): Record<string, Json> {
  const picked: Record<string, Json> = {};
  for (const name of names) {
    const value = from?.[name];
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") picked[name] = value;
  }
  return picked;
}
