/** Writes a report from the conversation's files or a search, with citations, and converts it on request. */
import { findQuotes } from "./find-quotes.ts";
import { fetchFound, fetchNamed, hasSearched, searchCall } from "./look-up.ts";
import { describeRendered, formatNames, isAllMade, renderCalls } from "./make-documents.ts";
import type { DocumentFormat, Phrases } from "./phrases/phrases.ts";
import { composeReport, isPointing, type Report } from "./report.ts";
import { answer, type OfflineCall, type OfflineDecision, type Situation } from "./situation.ts";
import { listNames, quoteList } from "./wording.ts";

/** `nothing`: the answer when there is nothing to report about. */
export function writeReport(
  situation: Situation,
  topic: string,
  formats: readonly DocumentFormat[],
  nothing: () => string,
): OfflineDecision {
  const { phrases } = situation;
  const { steps } = phrases;
  const write = situation.callOf("react.write");
  if (write === undefined) {
    const gathering = gather(situation, topic, formats);
    if (gathering !== null) return gathering;
  }
  const report = situation.unread.isAllUnreadable() ? null : composeReport(topic, situation.passages, phrases);
  if (report === null) return endPlan(situation, mark(situation, "✗", steps.read)) ?? answer(nothing());
  if (write === undefined && situation.offered.has("react.write")) {
    const path = `${situation.turn.id}/files/${report.fileName}`;
    const params = { path, channel: "canvas", kind: "file", content: report.content };
    const marks = [
      mark(situation, "✓", steps.search),
      mark(situation, "✓", steps.read),
      mark(situation, "→", steps.write),
    ].join("");
    return { text: `${phrases.writingReport}${marks}`, calls: [{ name: "react.write", params }] };
  }
  const failed = write === undefined ? phrases.noWriteTool : situation.failureOf(write);
  if (failed !== undefined)
    return (
      endPlan(situation, mark(situation, "✗", steps.write)) ??
      answer(`${phrases.notWritten(failed)}\n\n${report.content}`)
    );
  const source = `fi:${situation.turn.id}.files/${report.fileName}`;
  const rendering = renderCalls(situation, source, formats);
  if (rendering.length > 0) {
    const marks = `${mark(situation, "✓", steps.write)}${mark(situation, "→", renderStep(situation, formats))}`;
    return { text: `${phrases.makingDocuments}${marks}`, calls: rendering };
  }
  const last = formats.length > 0 ? renderStep(situation, formats) : steps.write;
  const made = describeRendered(situation, source, formats);
  const isMade = isAllMade(situation, formats);
  return (
    endPlan(situation, mark(situation, isMade ? "✓" : "✗", last)) ??
    answer(situation.introduced(presentReport(situation, report, source, made)))
  );
}

/** Plans, reads and searches until there is enough material for the report; null when nothing more can be gathered. */
function gather(situation: Situation, topic: string, formats: readonly DocumentFormat[]): OfflineDecision | null {
  const { phrases, unread } = situation;
  const { search: SEARCH, read: READ, write: WRITE } = phrases.steps;
  const named = fetchNamed(situation);
  const reading = situation.reading([...unread.inTurn(), ...unread.named(), ...unread.others()]);
  const search =
    named === null && reading.length === 0 && needsSearch(situation, topic) ? searchCall(situation, topic) : null;
  const plan = planCall(situation, [...(search === null ? [] : [SEARCH]), READ, WRITE], formats);
  const calls = [...(named?.calls ?? []), ...reading, ...(search === null ? [] : [search])];
  if (plan !== null || calls.length > 0)
    return {
      text: search === null ? phrases.firstRead : phrases.firstSearch,
      calls: [...(plan === null ? [] : [plan]), ...calls],
    };
  const found = fetchFound(situation);
  if (found === null) return null;
  return { text: `${phrases.readFound}${mark(situation, "✓", SEARCH)}${mark(situation, "→", READ)}`, calls: [found] };
}

function needsSearch(situation: Situation, topic: string): boolean {
  if (isPointing(topic) || hasSearched(situation) || situation.unread.isAllUnreadable()) return false;
  const own = situation.passages.filter(({ kind }) => kind === "file");
  return findQuotes(topic, own, 1).length === 0;
}

function planCall(
  situation: Situation,
  steps: readonly string[],
  formats: readonly DocumentFormat[],
): OfflineCall | null {
  if (situation.callOf("react.plan") !== undefined || !situation.offered.has("react.plan")) return null;
  const all = [...steps, ...(formats.length > 0 ? [renderStep(situation, formats)] : [])];
  return { name: "react.plan", params: { mode: "new", steps: all } };
}

function renderStep(situation: Situation, formats: readonly DocumentFormat[]): string {
  return situation.phrases.renderStep(formatNames(situation, formats));
}

/** The line in the notes that marks a step of the plan; empty when the plan has no such step. */
function mark(situation: Situation, sign: "✓" | "✗" | "→", step: string): string {
  const nth = stepsOf(situation).indexOf(step);
  return nth === -1 ? "" : `\n${sign} ${nth + 1}. ${step}`;
}

function stepsOf({ phrases, turn }: Situation): readonly string[] {
  const opened = turn.calls.find(({ tool, params }) => tool === "react.plan" && params.includes('"new"'));
  return [...(opened?.params ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = ""]) => text)
    .filter((text) => isStep(text, phrases));
}

function isStep(text: string, { steps, renderStep: step }: Phrases): boolean {
  return Object.values(steps).includes(text) || text.startsWith(step(""));
}

/** Closes the plan of the turn, once, with the mark of its last step in the notes. */
function endPlan(situation: Situation, notes: string): OfflineDecision | null {
  const { turn, offered } = situation;
  const opened = turn.calls.find(({ tool, params }) => tool === "react.plan" && params.includes('"new"'));
  const isClosed = turn.calls.some(({ tool, params }) => tool === "react.plan" && params.includes('"close"'));
  if (opened === undefined || isClosed || !offered.has("react.plan")) return null;
  const result = turn.findings.find(({ callId, tool }) => callId === opened.id && tool === "react.plan");
  const id = /"plan_id":"([^"\\]{1,200})"/.exec(result?.text ?? "")?.[1];
  if (id === undefined) return null;
  return { text: notes.trimStart(), calls: [{ name: "react.plan", params: { mode: "close", plan_id: id } }] };
}

function presentReport({ phrases }: Situation, report: Report, path: string, made: string): string {
  const names = listNames(
    report.quotes.map(({ passage }) => passage.name),
    phrases,
  );
  const documents = made === "" ? "" : `${made}\n\n`;
  return `${documents}${phrases.reportReady(path, report.quotes.length, names)}\n\n${quoteList(report.quotes.slice(0, 2), phrases)}`;
}
