/** Stores received bytes as a hosted file of the turn, shown to the model if it accepts such pictures or PDFs. */
import { mimeOfName, pixelsOf, type Scribe, sniffMime, type ToolContext } from "@cairn/agent";
import type { Json } from "@cairn/timeline";

export interface ReceivedFile {
  readonly artifact_path: string;
  readonly physical_path: string;
  readonly mime: string;
  readonly size_bytes: number;
  readonly width?: number;
  readonly height?: number;
  /** Adds the file to the timeline: its digest and its block. */
  readonly write: (scribe: Scribe) => void;
}

/** Maximum sizes that providers accept for a picture and a document. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_PDF_BYTES = 22_000_000;
const MAX_NAME_LENGTH = 80;

export async function receiveFile(
  given: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array },
  context: ToolContext,
): Promise<ReceivedFile> {
  const { turnId, callId, workspace } = context;
  const mime = sniffMime(given.bytes) ?? given.mime;
  const name = `received/${callId}/${fileName(given.name, mime)}`;
  const physical_path = `${turnId}/files/${name}`;
  const artifact_path = `fi:${turnId}.files/${name}`;
  await workspace.write(physical_path, given.bytes);
  const { blob, size_bytes, hosted_uri, rn, key } = await workspace.host(physical_path);
  const size = mime.startsWith("image/") ? pixelsOf(given.bytes) : {};
  const described = { artifact_path, physical_path, mime, kind: "file", visibility: "external", size_bytes };
  const isShown =
    sniffMime(given.bytes) !== null && size_bytes <= (mime === "application/pdf" ? MAX_PDF_BYTES : MAX_IMAGE_BYTES);
  const isBinary = /^image\/|^application\/pdf/.test(mime);
  // Bytes that no model accepts are kept, but not as a picture or document.
  const blockMime = isShown || !isBinary ? mime : "application/octet-stream";
  const meta: Record<string, Json | undefined> = {
    hosted_uri,
    rn,
    key,
    blob,
    ...size,
    physical_path,
    digest: { ...described, tool_call_id: callId },
  };
  return {
    artifact_path,
    physical_path,
    mime,
    size_bytes,
    ...size,
    write: (scribe) => {
      scribe.digest(described);
      scribe.content(artifact_path, { mime: blockMime, meta });
    },
  };
}

/** A name that is one plain segment, with the extension of its type. */
function fileName(given: string, mime: string): string {
  const plain = trimmed(given.replace(/[^\p{L}\p{N}._ -]+/gu, "-"))
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
  const base = plain === "" ? "file" : plain;
  const ending = /^(?:image|audio|video)\/([a-z0-9]+)/.exec(mime)?.[1] ?? (mime === "application/pdf" ? "pdf" : null);
  return ending === null || mimeOfName(base, "") === mime ? base : `${base}.${ending === "jpeg" ? "jpg" : ending}`;
}

/** Removes dots, blanks and hyphens around a name, in linear time, because a server may send a name of any length. */
function trimmed(name: string): string {
  const isMargin = (at: number) => /[.\s-]/.test(name.charAt(at));
  let start = 0;
  let end = name.length;
  while (start < end && isMargin(start)) start++;
  while (end > start && isMargin(end - 1)) end--;
  return name.slice(start, end);
}
