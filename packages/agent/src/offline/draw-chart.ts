/** Draws a chart of an attached table with a generated program. */
import { chartProgram } from "./chart-program.ts";
import { intentOf } from "./intent.ts";
import { withoutPaths } from "./named-paths.ts";
import { readTable } from "./read-table.ts";
import { physicalOf, readRun } from "./run-program.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";

interface ChartTable {
  readonly path: string;
  readonly name: string;
  /** The pasted table, if no file with it has been written yet. */
  readonly content?: string;
}

const TOOL = "exec_tools.execute_code_python";

export function drawChart(situation: Situation): OfflineDecision {
  const { phrases, turn } = situation;
  const table = pastedTable(situation) ?? tableOf(situation);
  if (table === null) return answer(situation.introduced(phrases.noTable));
  const ran = situation.callOf(TOOL);
  if (ran !== undefined) {
    const { error, files } = readRun(turn, ran.id);
    const failed = situation.failureOf(ran) ?? error;
    const [path] = files;
    const said =
      failed === null && path !== undefined
        ? phrases.chartReady(path, table.name)
        : phrases.chartFailed(table.name, failed ?? phrases.notAsAgreed);
    return answer(situation.introduced(said, phrases.iComputed));
  }
  if (!situation.offered.has(TOOL)) return answer(situation.introduced(phrases.cannotRun));
  const write = situation.callOf("react.write");
  const failed = write === undefined ? undefined : situation.failureOf(write);
  if (failed !== undefined) return answer(situation.introduced(phrases.notWritten(failed)));
  // The program reads its table from a file, so a pasted table is written to a file first.
  if (write === undefined && table.content !== undefined && situation.offered.has("react.write")) {
    const params = { path: physicalOf(table.path), channel: "canvas", kind: "file", content: table.content };
    return { text: phrases.writingFile, calls: [{ name: "react.write", params }] };
  }
  const target = `${turn.id}/files/${chartName(table.name)}`;
  const before = situation.timeline.turns.slice(0, -1).flatMap(({ prompts }) => prompts);
  const earlier = before
    .filter((prompt) => intentOf(withoutPaths(prompt)).kind === "plot" || DRAW.test(withoutPaths(prompt)))
    .reverse();
  const code = chartProgram({
    source: physicalOf(table.path),
    target,
    messages: [situation.said, ...earlier].map(withoutPaths),
  });
  const params = { prog_name: "chart", contract: [target], code };
  return { text: phrases.drawing(table.name), calls: [{ name: TOOL, params }] };
}

/** The table that the message contains. */
function pastedTable({ pasted, turn: { id } }: Situation): ChartTable | null {
  const content = pasted?.text.trim() ?? "";
  if (readTable(content) === null) return null;
  return { path: `fi:${id}.files/table.csv`, name: "table.csv", content: `${content}\n` };
}

const DRAW =
  /^(?:please |bitte )?(?:plot|chart|graph|visuali[sz]e|plotte|visualisiere|zeichne|trace|dessine)[rz]?\s+(?!of\b)/i;

/** Whether the message asks to draw something, and there is a table. */
export function isChartOfTable(situation: Situation): boolean {
  return DRAW.test(withoutPaths(situation.said)) && tableOf(situation) !== null;
}

/** The table that this message names, or else the last one that was attached. */
function tableOf({ said, timeline }: Situation): ChartTable | null {
  const tables = timeline.turns
    .flatMap(({ attachments }) => attachments)
    .filter(({ mime, name }) => /\.(?:csv|tsv)$/i.test(name) || /^text\/(?:csv|tab-separated-values)$/.test(mime));
  const message = said.toLowerCase();
  return tables.findLast(({ name }) => message.includes(name.toLowerCase())) ?? tables.at(-1) ?? null;
}

function chartName(table: string): string {
  const base = table.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}_-]+/gu, "-");
  return `${base.slice(0, 60).toWellFormed() || "table"}-chart.svg`;
}
