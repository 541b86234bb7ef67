/**
 * The cost of a PDF of 1, 10 and 100 pages: from Markdown by the embedded engine, and from the same content as HTML by
 * Chromium. The figure "cold" is the first document of a new process, including the process's start. "Warm" is the
 * median of the documents after it, each with its own text. "Memory" is the largest sum of the memory of the processes
 * that make the document, without memory they share with others, sampled while they work.
 */
import { readFileSync } from "node:fs";
import { residentBytes } from "@cairn/agent";
import { ChromiumRenderer, DEFAULT_OPTIONS, type DocumentRenderer, EmbeddedRenderer } from "@cairn/tools/rendering";
import { spreadOf } from "../measure.ts";
import type { ToolMeasurement } from "./tool-measurement.ts";

type Format = "markdown" | "html";

const SAMPLE_MS = 10;
const supply = { image: async () => null, source: async () => null };

/** Measures only renderers that are installed. */
export async function measureDocuments(pages: readonly number[] = [1, 10, 100], runs = 5): Promise<ToolMeasurement[]> {
  const results: ToolMeasurement[] = [];
  for (const [name, format, open] of [
    ["embedded", "markdown", () => new EmbeddedRenderer()],
    ["chromium", "html", () => new ChromiumRenderer()],
  ] as const) {
    if (!(await open().describe()).ok) continue;
    for (const count of pages) {
      const renderer = open();
      try {
        results.push(...(await measurePdf(`PDF for ${count} pages, ${name}`, renderer, format, count, runs)));
      } finally {
        await renderer.close();
      }
    }
  }
  return results;
}

async function measurePdf(
  subject: string,
  renderer: DocumentRenderer,
  format: Format,
  count: number,
  runs: number,
): Promise<ToolMeasurement[]> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, childrenBytes(process.pid));
  }, SAMPLE_MS);
  let made = 0;
  const make = async (run: number) => {
    const request = { target: "pdf", format, content: textOf(count, format, run), options: DEFAULT_OPTIONS } as const;
    const start = performance.now();
    const { pages } = await renderer.render(request, supply, new AbortController().signal);
    made = pages;
    return performance.now() - start;
  };
  try {
    const cold = await make(0);
    const warm: number[] = [];
    for (let run = 1; run <= runs; run++) warm.push(await make(run));
    return [
      { subject, name: "made", value: made, unit: "pages" },
      { subject, name: "cold", value: cold, unit: "ms" },
      { subject, name: "warm, median", value: spreadOf(warm).median, unit: "ms" },
      { subject, name: "memory, at most", value: peak / 1e6, unit: "MB" },
    ];
  } finally {
    clearInterval(watch);
  }
}

const SENTENCE = "The harbour exchanges its water with the open sea every four days, and the heat taken out is small.";

/** About a page of headings, paragraphs, a list, a table and code at a time. Each run has its own text. */
function textOf(pages: number, format: Format, run: number): string {
  const page = format === "html" ? htmlPage : markdownPage;
  return Array.from({ length: pages }, (_, at) => page(at + 1, run)).join("\n\n");
}

const words = (run: number, sentences: number) => `${SENTENCE} Measured in run ${run}. `.repeat(sentences).trim();

function markdownPage(number: number, run: number): string {
  return [
    `## Section ${number}`,
    words(run, 5),
    "- A point that is made\n- Another one, with `code` and **weight**\n- A third",
    words(run, 5),
    "| Quantity | Value | Unit |\n|:--|--:|:--|\n| Heat | 12.0 | MW |\n| Power | 4.4 | MW |\n| Flow | 1,000 | l/s |",
    words(run, 5),
    "```python\ndef wanted(demand: float) -> int:\n    return min(3, round(demand / 4.0))\n```",
    words(run, 5),
  ].join("\n\n");
}

function htmlPage(number: number, run: number): string {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  return [
    `<h2>Section ${number}</h2>`,
    `<p>${words(run, 5)}</p>`,
    "<ul><li>A point that is made</li><li>Another one, with <code>code</code> and <b>weight</b></li><li>A third</li></ul>",
    `<p>${words(run, 5)}</p>`,
    `<table><tr><th>Quantity</th><th>Value</th><th>Unit</th></tr>${row("Heat", "12.0", "MW")}${row("Power", "4.4", "MW")}${row("Flow", "1,000", "l/s")}</table>`,
    `<p>${words(run, 5)}</p>`,
    "<pre><code>def wanted(demand: float) -> int:\n    return min(3, round(demand / 4.0))</code></pre>",
    `<p>${words(run, 5)}</p>`,
  ].join("\n");
}

/** Bytes of the processes that a process has started. */
function childrenBytes(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.reduce((sum, child) => sum + (residentBytes(Number(child)) ?? 0), 0);
}
