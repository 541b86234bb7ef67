/**
 * Finds everything that a document's content names, and pulls it into the workspace: files by path, pictures, and
 * sources by SID.
 *
 * A picture is named by a physical path, by a `fi:` path, by a name relative to the current turn's files or to the
 * workspace, or by the SID of a file source. Pictures on the web are not fetched: they count as missing.
 */
import type { ToolContext } from "@cairn/agent";
import { CairnError, extractCitations, parsePath, resolvePath, type SourceRow } from "@cairn/timeline";
import type { CitedSource } from "./model/cited.ts";
import { linkTarget } from "./model/links.ts";
import type { DocumentSupply } from "./renderer/document-renderer.ts";

/** Matches paths of files in text. A path ends where a sentence can end. */
const MENTION = /\bturn_[A-Za-z0-9_-]+\/(?:files|attachments)\/[^\s"'`<>()[\]{}|\\]+/g;
/** Matches paths between quotes or angle brackets, which may have spaces. */
const QUOTED = /["'<](turn_[A-Za-z0-9_-]+\/(?:files|attachments)\/[^"'<>\n]{1,500})["'>]/g;
const MAX_MENTIONS = 500;
const MAX_SUM_BYTES = 256 * 1024 * 1024;

export class DocumentAssets implements DocumentSupply {
  readonly #context: ToolContext;
  readonly #missing = new Set<string>();
  #bytes = 0;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Named files that do not exist, in the order they were requested. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** Pulls every file that the content names by its physical path into the workspace. */
  async pullMentions(content: string): Promise<void> {
    const paths = new Set<string>();
    const rest = content.replace(QUOTED, (_, path: string) => {
      paths.add(path);
      return " ";
    });
    for (const [path] of rest.matchAll(MENTION)) paths.add(path.replace(/[.,;:!?]+$/, ""));
    for (const path of [...paths].slice(0, MAX_MENTIONS))
      if (!(await this.#pull(path)) && !(await this.#pull(decoded(path)))) this.#missing.add(path);
  }

  async image(src: string): Promise<Uint8Array | null> {
    for (const candidate of await this.#candidates(decoded(src.trim()))) {
      const bytes = typeof candidate === "string" ? await this.#read(candidate) : candidate;
      if (bytes === null) continue;
      this.#bytes += bytes.length;
      if (this.#bytes > MAX_SUM_BYTES)
        throw new CairnError(
          "document_too_complex",
          `The pictures have more than ${MAX_SUM_BYTES} bytes together. Use fewer or smaller ones.`,
        );
      return bytes;
    }
    this.#missing.add(src.slice(0, 300));
    return null;
  }

  async source(sid: number): Promise<CitedSource | null> {
    const row = this.#source(sid);
    if (row === undefined) return null;
    const path = fileOf(row);
    if (path !== null && !(await this.#pull(path))) this.#missing.add(path);
    return citedSource(row, sid);
  }

  /** The source of a SID. A source that the document's writer could not know is not cited. */
  #source(sid: number): SourceRow | undefined {
    return sid <= this.#context.sourcesSeen.known ? this.#context.source(sid) : undefined;
  }

  /** Possible places of a picture, best first: paths, or bytes on the timeline. */
  async #candidates(src: string): Promise<(string | Uint8Array)[]> {
    const [sid] = extractCitations(src, "markdown");
    if (sid !== undefined) {
      const row = this.#source(sid);
      const path = row === undefined ? null : fileOf(row);
      return path === null ? [] : [path];
    }
    if (src === "" || /^(?!fi:)[a-z][a-z0-9+.-]*:|^\/\//i.test(src)) return [];
    if (src.startsWith("fi:")) return await this.#logical(src);
    const path = src.replace(/^(?:\.\/)+/, "");
    const { turnId } = this.#context;
    return [path, `${turnId}/files/${path}`, `${turnId}/attachments/${path}`];
  }

  async #logical(path: string): Promise<(string | Uint8Array)[]> {
    try {
      const { logical, physical } = resolvePath(path);
      if (parsePath(path).version === null) return physical === null ? [] : [physical];
      const { base64, text: words } = (await this.#context.resolve(logical)) ?? {};
      if (base64 !== undefined) return [Buffer.from(base64, "base64")];
      return words === undefined ? [] : [Buffer.from(words)];
    } catch (error) {
      if (!CairnError.is(error)) throw error;
      return []; // An invalid path names no picture.
    }
  }

  async #read(path: string): Promise<Uint8Array | null> {
    try {
      return await this.#context.workspace.read(path, { signal: this.#context.signal });
    } catch (error) {
      if (!CairnError.is(error)) throw error;
      return null; // The path is refused, because it names nothing inside the workspace.
    }
  }

  async #pull(path: string): Promise<boolean> {
    try {
      return await this.#context.workspace.pull(path, { signal: this.#context.signal });
    } catch (error) {
      if (!CairnError.is(error)) throw error;
      return false;
    }
  }
}

const NO_ANCHORS: ReadonlySet<string> = new Set();

function citedSource(row: SourceRow, sid: number): CitedSource {
  const target = linkTarget(text(row, "url") ?? "", NO_ANCHORS);
  const url = target !== null && "url" in target && target.url.startsWith("http") ? target.url : null;
  const path = fileOf(row);
  const name = path?.slice(path.lastIndexOf("/") + 1) ?? null;
  const title = oneLine(text(row, "title") ?? text(row, "url") ?? name ?? `S:${sid}`);
  const published = text(row, "published_time_iso") ?? text(row, "modified_time_iso");
  const place =
    url === null ? (name !== null && name !== title ? name : null) : (text(row, "domain") ?? new URL(url).hostname);
  const detail = [text(row, "author"), place, published?.slice(0, 10)].filter(
    (part) => part !== null && part !== undefined,
  );
  return { title, url, detail: oneLine(detail.join(", ")) };
}

/** The path of a row's file; rows of other programs may contain only the logical path. Null without a file. */
function fileOf(row: SourceRow): string | null {
  const physical = text(row, "physical_path");
  const logical = physical === null ? text(row, "artifact_path") : null;
  if (logical === null) return physical;
  try {
    return resolvePath(logical).physical;
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return null; // An invalid path names no file.
  }
}

function text(row: SourceRow, field: string): string | null {
  const value = Object.hasOwn(row, field) ? row[field] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim().slice(0, 400);
}

function decoded(src: string): string {
  try {
    return decodeURIComponent(src);
  } catch {
    return src; // A lone percent sign is taken literally.
  }
}
