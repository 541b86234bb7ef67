/** A corpus in its worker thread: updated before a search, searchable meanwhile, rebuilt when damaged. */
import { setTimeout as sleep } from "node:timers/promises";
import { lastPartLine } from "@cairn/agent/reader";
import { Extractor } from "../extract/extractor.ts";
import {
  FRESHNESS_MS,
  type ListedTitles,
  type OpenedDocument,
  type SearchAnswer,
  type SearchHit,
  type SearchRequest,
} from "../search/search-provider.ts";
import { CorpusDatabase, type FoundFile, type FoundPassage, isDamaged } from "./corpus-database.ts";
import { corpusPath, corpusUrl } from "./corpus-url.ts";
import { matchExpression } from "./corpus-words.ts";
import { kindOfFile } from "./scan-folder.ts";
import { type SyncReport, syncCorpus } from "./sync-corpus.ts";

export interface CorpusIndexOptions {
  readonly folder: string;
  /** Folders that do not belong to the corpus, relative to the folder. */
  readonly leftOut: readonly string[];
  /** Path of the index. */
  readonly file: string;
  readonly holder: string;
  /** Milliseconds for which an updated index counts as fresh. */
  readonly freshMs: number;
  /** Maximum milliseconds that a search waits for an update; then it uses what is indexed. */
  readonly waitMs: number;
}

const MAX_PASSAGES = 400;
/** Maximum number of titles in a list. */
const MAX_TITLES = 50;
/** Maximum characters shown of a file: its best passages. */
const MAX_TEXT_CHARS = 2_000;
/** Maximum characters kept of a file for reading: all of it, or this much around its best passage. */
const MAX_CONTENT_CHARS = 20_000;
const PASSAGES_AROUND = 5;
const PROBLEMS_NAMED = 5;
/** Matches files whose text has parts, such as pages or sheets. */
const PARTED = /\.(?:pdf|docx|xlsx|pptx|odt|epub)$/i;

export class CorpusIndex {
  readonly #options: CorpusIndexOptions;
  readonly #database: CorpusDatabase;
  readonly #extractor = new Extractor();
  readonly #closing = new AbortController();
  #sync: Promise<SyncReport> | null = null;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #progress = { done: 0, all: 0 };
  #scanProblems: readonly string[] = [];
  /** Number of times that the index was rebuilt. */
  #renewals = 0;

  constructor(options: CorpusIndexOptions) {
    this.#options = options;
    this.#database = CorpusDatabase.open(options.file);
  }

  sync(): Promise<SyncReport> {
    return this.#mending(() => this.#bringUpToDate());
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#mending(() => this.#search(request));
  }

  open(url: string): Promise<OpenedDocument | null> {
    return this.#mending(() => this.#open(url));
  }

  titles(): Promise<ListedTitles> {
    return this.#mending(async () => {
      await this.#freshen();
      const { count, first } = this.#database.titles(MAX_TITLES);
      return { count, titles: first.map(titleOf) };
    });
  }

  async #mending<T>(work: () => Promise<T>): Promise<T> {
    const renewals = this.#renewals;
    try {
      return await work();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      await this.#sync?.catch(() => undefined); // `work` updates the new index below, so an error here is ignored.
      if (this.#renewals === renewals) {
        this.#renewals++;
        this.#database.renew();
        this.#syncedAt = Number.NEGATIVE_INFINITY;
      }
      return await work();
    }
  }

  /** Updates the index. Searches that arrive meanwhile wait for the same update. */
  #bringUpToDate(): Promise<SyncReport> {
    this.#sync ??= syncCorpus({
      folder: this.#options.folder,
      leftOut: this.#options.leftOut,
      database: this.#database,
      extractor: this.#extractor,
      holder: this.#options.holder,
      signal: this.#closing.signal,
      onProgress: (done, all) => {
        this.#progress = { done, all };
      },
    })
      .then((report) => {
        this.#syncedAt = Date.now();
        this.#scanProblems = report.problems;
        return report;
      })
      .finally(() => {
        this.#sync = null;
      });
    return this.#sync;
  }

  async #search({ query, n, freshness }: SearchRequest): Promise<SearchAnswer> {
    const warnings = [...(await this.#freshen()), ...this.#problems()];
    const expression = matchExpression(query);
    if (expression === null) return { hits: [], warnings };
    const since = freshness === undefined ? 0 : Date.now() - FRESHNESS_MS[freshness];
    const passages = this.#database.find(expression, since, Math.max(MAX_PASSAGES, n * 8));
    const byFile = Map.groupBy(passages, ({ file }) => file);
    const hits = [...byFile].slice(0, n).flatMap(([id, found]) => {
      const file = this.#database.file({ id });
      return file === null ? [] : [this.#hit(file, found)];
    });
    return { hits, warnings };
  }

  async #open(url: string): Promise<OpenedDocument | null> {
    const path = corpusPath(url);
    if (path === null) return null;
    await this.#freshen();
    const file = this.#database.file({ path });
    if (file === null) return null;
    return {
      title: titleOf(file),
      text: this.#database.text(file.id),
      mime: kindOfFile(path) === "pdf" ? "application/pdf" : "text/markdown",
      author: file.author ?? undefined,
      published: file.published ?? undefined,
      modified: new Date(file.mtime).toISOString(),
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sync?.catch(() => undefined); // The update was stopped; the callers that waited got an error.
    await this.#extractor.close();
    this.#database.close();
  }

  /** Waits for the update up to a limit; returns a remark if it did not finish. */
  async #freshen(): Promise<string[]> {
    if (this.#sync === null && Date.now() - this.#syncedAt < this.#options.freshMs) return [];
    const timer = new AbortController();
    const sync = this.#bringUpToDate();
    const late = sleep(this.#options.waitMs, "late" as const, { signal: timer.signal }).catch(() => "late" as const);
    try {
      if ((await Promise.race([sync, late])) !== "late") return [];
    } finally {
      timer.abort();
    }
    sync.catch(() => undefined); // No caller waits any more. The next search tries again and reports the problem.
    const { done, all } = this.#progress;
    return [`The corpus is still being indexed: ${done} of ${all} files so far. Search again later for the others.`];
  }

  #problems(): string[] {
    const { count, first } = this.#database.problems(PROBLEMS_NAMED);
    if (count === 0) return [...this.#scanProblems];
    const named = first.map(({ path, problem }) => `${path} (${problem.replace(/\.$/, "")})`).join("; ");
    const more = count > first.length ? ` and ${count - first.length} more` : "";
    return [...this.#scanProblems, `Files of the corpus that cannot be read: ${named}${more}.`];
  }

  #hit(file: FoundFile, passages: readonly FoundPassage[]): SearchHit {
    const [best] = passages;
    const shown: string[] = [];
    let left = MAX_TEXT_CHARS;
    for (const { nth } of passages.slice(0, 3)) {
      const text = this.#database.text(file.id, nth, nth);
      if (text.length > left) break;
      shown.push(`${this.#partOf(file, nth)}${text.trim()}`);
      left -= text.length;
    }
    const nth = best?.nth ?? 0;
    const isShort = file.chars <= MAX_CONTENT_CHARS;
    const around = isShort
      ? this.#database.text(file.id)
      : `${this.#partOf(file, nth - PASSAGES_AROUND)}${this.#database.text(file.id, nth - PASSAGES_AROUND, nth + PASSAGES_AROUND)}`;
    const url = corpusUrl(file.path);
    return {
      url,
      title: titleOf(file),
      text: shown.join("\n…\n"),
      content: isShort ? around : `[A part of the document. All of it: web_tools.web_fetch ${url}]\n\n${around}`,
      author: file.author ?? undefined,
      published: file.published ?? undefined,
    };
  }

  /** The line that begins the part of a document in which a passage begins, when it is not in the passage itself. */
  #partOf(file: FoundFile, nth: number): string {
    if (nth <= 0 || !PARTED.test(file.path)) return "";
    const line = lastPartLine(this.#database.text(file.id, 0, nth - 1));
    const isOwn = /^\s*\[(?:page|sheet|slide) /.test(this.#database.text(file.id, nth, nth));
    return line === null || isOwn ? "" : `${line}\n`;
  }
}

function titleOf({ title, path }: Pick<FoundFile, "title" | "path">): string {
  return title ?? path.slice(path.lastIndexOf("/") + 1);
}
