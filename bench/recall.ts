/**
 * `npm run bench:recall`: how much of earlier messages search finds, compared with other libraries on the same
 * messages. `--data FILE` reads a published set, or your own (docs/recall.md); the option may be given several times.
 * Without the option, our own small set is used. `--messages N` adds a generated scope with this many messages, for the
 * store and FTS5. The command also prints how much of each set is still in view after compaction, and how much is
 * within two reads. `--json` prints the results and nothing else.
 */
import { parseArgs } from "node:util";
import type { Contender } from "./recall/contender.ts";
import { type InViewResult, measureInView } from "./recall/in-view.ts";
import { DEPTHS, measureRecall, type RecallResult } from "./recall/measure-recall.ts";
import { ourStore } from "./recall/our-store.ts";
import { ownSet } from "./recall/own-set.ts";
import { plainFts5 } from "./recall/plain-fts5.ts";
import { readSet } from "./recall/read-set.ts";
import { measureScale } from "./recall/scale.ts";
import { importRivals } from "./rivals.ts";
import { grid, number } from "./table.ts";

const { values } = parseArgs({
  options: { data: { type: "string", multiple: true }, messages: { type: "string" }, json: { type: "boolean" } },
});
const store = ourStore("store", {});
const libraries = await importRivals<{ searchLibraries: readonly Contender[] }>("search-libraries.ts");
const contenders = [
  store,
  ourStore("store, every word", { match: "all" }),
  plainFts5,
  ...(libraries?.searchLibraries ?? []),
];
const sets = values.data === undefined ? [ownSet] : values.data.map(readSet);

const results: RecallResult[] = [];
for (const set of sets) results.push(...(await measureRecall(set, contenders)));
if (values.messages !== undefined) results.push(...(await measureScale(Number(values.messages), [store, plainFts5])));
const inView = (await Promise.all(sets.map(measureInView))).flat();
console.log(
  values.json ? JSON.stringify({ results, in_view: inView }) : `${printResults(results)}\n\n${printInView(inView)}`,
);

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function printInView(results: readonly InViewResult[]): string {
  const rows = results.map(({ set, about, questions, in_view, within_two_reads }) => [
    `${set}: ${about}`,
    number(questions),
    percent(in_view),
    percent(within_two_reads),
  ]);
  return grid([["evidence after compaction at 32k", "questions", "in view", "within two reads"], ...rows]);
}

function printResults(results: readonly RecallResult[]): string {
  const heads = [...DEPTHS.map((depth) => `at ${depth}`), "all at 10", "ms", "p95 ms", "bytes/message", "of text"];
  return [...Map.groupBy(results, ({ set }) => set)]
    .map(([set, rows]) => {
      const [first] = rows;
      const cells = rows.map((row) => [
        row.contender,
        ...[...row.recall, row.all_at_10].map(percent),
        ...[row.median_ms, row.p95_ms, row.index_bytes_per_message].map(number),
        percent(row.index_per_text),
      ]);
      return grid([[`${set}: ${first?.questions} questions`, ...heads], ...cells]);
    })
    .join("\n\n");
}
