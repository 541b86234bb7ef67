/** Draws a chart of an attached table with a generated program. */
import { chartProgram } from "./chart-program.ts";
import { physicalOf, readRun } from "./run-program.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";

const TOOL = "exec_tools.execute_code_python";

export function drawChart(situation: Situation): OfflineDecision {
  const { phrases, turn } = situation;
  const table = tableOf(situation);
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
    return answer(situation.introduced(said));
  }
  if (!situation.offered.has(TOOL)) return answer(situation.introduced(phrases.cannotRun));
  const target = `${turn.id}/files/${chartName(table.name)}`;
  const code = chartProgram({ source: physicalOf(table.path), target, message: situation.said });
  const params = { prog_name: "chart", contract: [target], code };
  return { text: phrases.drawing(table.name), calls: [{ name: TOOL, params }] };
}

const DRAW =
  /^(?:please |bitte )?(?:plot|chart|graph|visuali[sz]e|plotte|visualisiere|zeichne|trace|dessine)[rz]?\s+(?!of\b)/i;

/** Whether the message asks to draw something, and there is a table. */
export function isChartOfTable(situation: Situation): boolean {
  return DRAW.test(situation.said) && tableOf(situation) !== null;
}

/** The table that this message names, or else the last one that was attached. */
function tableOf({ said, timeline }: Situation) {
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
