/**
 * `web_tools.web_fetch`: pages as readable text.
 *
 * The tool writes to the timeline: a digest, then a dictionary by address, each page with its SID. The whole page goes
 * into the pool; the shown text is cut, and says how to read the rest. A page that could not be fetched has an error
 * instead of its content; if no page could be fetched, the call fails. A picture becomes a file of the turn, shown
 * after the dictionary.
 */
import { defineTool, type Settlement, type Tool, type ToolContext } from "@cairn/agent";
import { CairnError, type Json, type SourceInput } from "@cairn/timeline";
import { z } from "zod";
import { type ReceivedFile, receiveFile } from "../files/received-file.ts";
import type { FetchedPage } from "./fetch/fetched-page.ts";
import type { PageFetcher } from "./fetch/page-fetcher.ts";
import { shareOut } from "./fetch/share-out.ts";
import type { SearchProvider } from "./search/search-provider.ts";

const params = z.object({
  urls: z
    .array(z.string().trim().min(1).max(8_000))
    .min(1)
    .max(10)
    .describe("Addresses of pages, PDFs, texts, JSON or pictures; also those a search found."),
  max_chars: z
    .number()
    .int()
    .min(200)
    .max(200_000)
    .default(40_000)
    .describe("Characters shown of all pages together. The whole of each can be read by its source number."),
});

type FetchParams = z.output<typeof params>;

/** Maximum characters of a page in the pool, and of its extract there. */
const MAX_KEPT = 500_000;
const EXTRACT = 1_000;

export interface FetchToolParts {
  readonly fetcher: PageFetcher;
  /** The provider that opens addresses of its own: documents of a corpus. */
  readonly provider: SearchProvider | null;
}

export function createFetchTool(parts: FetchToolParts): Tool<FetchParams> {
  return defineTool({
    id: "web_tools.web_fetch",
    description:
      "Fetch pages by address and read them as markdown: HTML, PDF, text, JSON, pictures. " +
      "Each gets a source number to cite as [[S:n]].",
    params,
    builtin: true,
    traits: {
      bulky: true,
      report: "pages",
      label: { icon: "web", done: "Read", doing: "Read", shows: { params: ["urls"], as: "host" } },
    },
    idempotent: true,
    run: (given, context) => fetchPages(given, parts, context),
  });
}

type Outcome =
  | { readonly url: string; readonly page: FetchedPage; readonly file: ReceivedFile | null }
  | { readonly url: string; readonly error: CairnError };

async function fetchPages(
  { urls, max_chars }: FetchParams,
  parts: FetchToolParts,
  context: ToolContext,
): Promise<Settlement> {
  const distinct = [...new Set(urls)];
  const outcomes = await Promise.all(distinct.map((url) => fetchOne(url, parts, context)));
  context.signal.throwIfAborted();
  const failed = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
  if (failed.length === outcomes.length) throw failure(failed);
  const pages = outcomes.flatMap((outcome) => ("page" in outcome ? [outcome] : []));
  const shares = shareOut(
    pages.map(({ page }) => page.text.length),
    max_chars,
  );
  return (scribe) => {
    const sids = scribe.mergeSources(pages.map(({ url, page, file }) => rowOf(url, page, file)));
    const shown = outcomes.map((outcome): [string, Json] => {
      if ("error" in outcome)
        return [outcome.url, { error: { code: outcome.error.code, message: outcome.error.message } }];
      const nth = pages.indexOf(outcome);
      return [outcome.url, shownPage(outcome.url, outcome.page, outcome.file, sids[nth] ?? 0, shares[nth] ?? 0)];
    });
    const artifact_path = `tc:${context.turnId}.${context.callId}.result`;
    scribe.digest({ artifact_path, mime: "application/json", kind: "file", visibility: "internal" });
    scribe.result(JSON.stringify(Object.fromEntries(shown)), "application/json");
    for (const { file } of pages) file?.write(scribe);
  };
}

async function fetchOne(url: string, { fetcher, provider }: FetchToolParts, context: ToolContext): Promise<Outcome> {
  const { signal } = context;
  try {
    const opened = (await provider?.open?.(url, { signal })) ?? null;
    if (opened !== null) {
      const fetchedAt = new Date(context.now()).toISOString();
      return { url, page: { ...opened, url, bytes: opened.text.length, fetchedAt }, file: null };
    }
    context.progress(`Fetching ${url.slice(0, 200)}`);
    const page = await fetcher.fetch(url, { signal });
    if (page.image === undefined) return { url, page, file: null };
    const name = decodeName(new URL(page.url).pathname.split("/").at(-1) ?? "");
    return { url, page, file: await receiveFile({ name, ...page.image }, context) };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return { url, error };
  }
}

/** The row with the whole page, so that reading it returns everything. */
function rowOf(url: string, page: FetchedPage, file: ReceivedFile | null): SourceInput {
  const { title, author, published, modified, canonical, language } = page;
  const text = file === null ? page.text : `A picture (${sizeOf(file)}), kept as ${file.artifact_path}.`;
  const host = URL.parse(url)?.hostname;
  const fields: Record<string, Json | undefined> = {
    title: title ?? file?.physical_path.split("/").at(-1),
    text: text.slice(0, EXTRACT).toWellFormed(),
    content: text.length > EXTRACT ? text.slice(0, MAX_KEPT).toWellFormed() : undefined,
    domain: host === "" ? "corpus" : host,
    author,
    published_time_iso: published,
    modified_time_iso: modified,
    fetched_time_iso: page.fetchedAt,
    canonical_url: canonical,
    final_url: page.url === url ? undefined : page.url,
    language,
    // The text of a web row is what was read; only a picture has a media type of its own.
    mime: file?.mime,
    size_bytes: file?.size_bytes,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  return { source_type: "web", url, ...Object.fromEntries(known) };
}

function shownPage(url: string, page: FetchedPage, file: ReceivedFile | null, sid: number, share: number): Json {
  const { title, author, published, modified, canonical, pages, problem } = page;
  const isCut = page.text.length > share;
  const isKept = page.text.length <= MAX_KEPT;
  const shown = {
    sid,
    title,
    author,
    published_time_iso: published,
    modified_time_iso: modified,
    final_url: page.url === url ? undefined : page.url,
    canonical_url: canonical === page.url ? undefined : canonical,
    mime: page.mime,
    pages,
    note: problem,
    ...(file === null
      ? { content: isCut ? page.text.slice(0, share).toWellFormed() : page.text }
      : { artifact_path: file.artifact_path, physical_path: file.physical_path, size_bytes: file.size_bytes }),
    ...(isCut && file === null
      ? {
          truncated: `${share} of ${page.text.length} characters are shown. react.read so:sources_pool[${sid}] gives ${isKept ? "all" : `the first ${MAX_KEPT}`}.`,
        }
      : {}),
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as Json;
}

function sizeOf({ mime, size_bytes, width, height }: ReceivedFile): string {
  return `${mime}, ${size_bytes} bytes${width === undefined ? "" : `, ${width} × ${height}`}`;
}

function decodeName(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // Not every address is percent-encoded correctly.
  }
}

function failure(failed: readonly { readonly url: string; readonly error: CairnError }[]): CairnError {
  const [first] = failed;
  if (failed.length === 1 && first !== undefined) return first.error;
  const lines = failed.map(({ url, error }) => `- ${url.slice(0, 200)}: ${error.message}`);
  return new CairnError("fetch_failed", `None of the pages could be fetched:\n${lines.join("\n")}`);
}
