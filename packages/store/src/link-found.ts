/** The content of a path, with its citations as links to the sources that it could know. */
import { isUtf8 } from "node:buffer";
import {
  CairnError,
  extractCitations,
  formatSelector,
  knownSources,
  linkCitations,
  type SourceRow,
} from "@cairn/timeline";
import type { ConversationStore } from "./contract/conversation-store.ts";
import type { FoundPath } from "./contract/records.ts";
import type { ConversationKey } from "./contract/scope.ts";

/** Maximum size of a document whose links are resolved, because it is read into memory. */
const MAX_LINKED_BYTES = 16 * 1024 * 1024;
/** Number of sources that are read at once; a selector may name more. */
const ROWS_AT_ONCE = 5_000;

/** How citations of a document become links; null for content whose citations cannot become links. */
export function linkFormat({ artifact, path }: FoundPath): "markdown" | "html" | null {
  const mime = artifact.mime?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (mime === "text/markdown" || /\.(?:md|markdown)$/i.test(path)) return "markdown";
  return mime === "text/html" || /\.html?$/i.test(path) ? "html" : null;
}

/** `read` returns the bytes of the document. Bytes that are not UTF-8 stay unchanged. Throws `too_large`. */
export async function linkFound(
  store: ConversationStore,
  key: ConversationKey,
  found: FoundPath,
  format: "markdown" | "html",
  read: () => AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of read()) {
    size += chunk.length;
    if (size > MAX_LINKED_BYTES)
      throw new CairnError(
        "too_large",
        `Citations become links in documents of up to ${MAX_LINKED_BYTES} bytes. Read this one without links.`,
      );
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) return bytes;
  const text = bytes.toString("utf8");
  const entry = found.state.atPath(found.path).findLast(({ version }) => version === found.version);
  const known = entry?.sourcesKnown ?? Number.POSITIVE_INFINITY;
  const cited = extractCitations(text, format).filter((sid) => sid <= known);
  const rows = await readRows(store, key, cited);
  return Buffer.from(
    linkCitations(
      text,
      knownSources((sid) => rows.get(sid), known),
      format,
    ),
  );
}

async function readRows(
  store: ConversationStore,
  key: ConversationKey,
  sids: readonly number[],
): Promise<ReadonlyMap<number, SourceRow>> {
  const rows = new Map<number, SourceRow>();
  for (let at = 0; at < sids.length; at += ROWS_AT_ONCE) {
    const wanted = sids.slice(at, at + ROWS_AT_ONCE);
    const pool = (await store.findByPath(key, `so:sources_pool[${formatSelector(wanted)}]`))?.state.pool;
    for (const sid of wanted) {
      const row = pool?.get(sid);
      if (row !== undefined) rows.set(sid, row);
    }
  }
  return rows;
}
