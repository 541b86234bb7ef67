/**
 * A corpus of a given number of files: its first indexing, a check that nothing has changed, the indexing of a few
 * changes, and searches. The files are markdown of about 3 KB, every seventh is HTML and every two-hundredth a PDF, in
 * folders of a hundred.
 */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { corpusSearch } from "@cairn/tools/web";
import { spreadOf } from "../measure.ts";
import type { ToolMeasurement } from "./tool-measurement.ts";

const QUERIES = 300;
const CHANGED = 100;
const WORDS_A_FILE = 450;
const MEGABYTE = 1_000_000;

/** Removes everything that it has written in `dir`. */
export async function measureCorpus(dir: string, files = 10_000): Promise<ToolMeasurement[]> {
  const [folder, dataDir] = [join(dir, "library"), join(dir, "data")];
  const subject = `corpus of ${files} files`;
  const results: ToolMeasurement[] = [];
  const note = (name: string, value: number, unit: ToolMeasurement["unit"]) => {
    results.push({ subject, name, value, unit });
  };
  writeLibrary(folder, files);
  const corpus = corpusSearch({ folder, dataDir, freshMs: 3_600_000 });
  const signal = new AbortController().signal;
  try {
    const before = process.memoryUsage().rss;
    const first = await timed(() => corpus.sync());
    note("indexed", first, "ms");
    note("indexed", files / (first / 1_000), "files/s");
    note("memory while indexing", (process.memoryUsage().rss - before) / MEGABYTE, "MB");
    note("size of the index", folderSize(join(dataDir, "corpus")) / MEGABYTE, "MB");
    note("looked through, nothing changed", await timed(() => corpus.sync()), "ms");
    for (let n = 0; n < CHANGED; n++) writeDocument(folder, (n * 97) % files, "changed");
    note(`${CHANGED} files changed`, await timed(() => corpus.sync()), "ms");
    const samples: number[] = [];
    for (let n = 0; n < QUERIES; n++)
      samples.push(
        await timed(() =>
          corpus.search({ query: `${wordOf(n * 31)} ${wordOf(n * 7 + 1)} topic${n}`, n: 10 }, { signal }),
        ),
      );
    const { median, p99 } = spreadOf(samples);
    note("a search of three words, median", median, "ms");
    note("a search of three words, p99", p99, "ms");
    return results;
  } finally {
    await corpus.close();
    for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true });
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function writeLibrary(folder: string, files: number): void {
  for (let n = 0; n < files; n++) writeDocument(folder, n, "first");
}

function writeDocument(folder: string, n: number, edition: string): void {
  const place = join(folder, `part${Math.floor(n / 100)}`);
  mkdirSync(place, { recursive: true });
  const words = Array.from({ length: WORDS_A_FILE }, (_, at) => wordOf(n * 131 + at * at));
  const text = `This is the ${edition} edition about topic${n}. ${words.join(" ")}`;
  const [ending, content] =
    n % 200 === 199
      ? ["pdf", pdfOf(text.slice(0, 2_000))]
      : n % 7 === 6
        ? [
            "html",
            `<html><head><title>Document ${n}</title></head><body><h1>Document ${n}</h1><p>${text}</p></body></html>`,
          ]
        : ["md", `# Document ${n}\n\n${text}\n`];
  const file = join(place, `document-${n}.${ending}`);
  writeFileSync(file, content);
  // Old times, different for each edition: a file with a recent time is hashed again, because it may still change.
  const time = Date.now() / 1_000 - (edition === "first" ? 7_200 : 3_600);
  utimesSync(file, time, time);
}

/** A vocabulary of 5,000 words, the first of them common and the last rare. */
function wordOf(seed: number): string {
  const nth = Math.floor(5_000 * (((seed * 2_654_435_761) % 4_294_967_296) / 4_294_967_296) ** 3);
  return `w${nth.toString(36)}ord`;
}

function pdfOf(text: string): string {
  const lines = text.match(/.{1,80}(?:\s|$)/g) ?? [];
  const content = `BT /F1 10 Tf 20 780 Td 12 TL ${lines.map((line) => `(${line.trim()}) Tj T*`).join(" ")} ET`;
  return `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj 4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj 5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj trailer<</Root 1 0 R>>`;
}

function folderSize(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
