/**
 * Decides the next step of the offline model. The same timeline always gives the same decision.
 *
 * The model reads before it answers. It makes each read, each search and each file once per turn. If a tool is missing,
 * the model continues without it and says so.
 */
import { answerQuestion, nothingFound, quoteMore } from "./answer-question.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { attachedTables } from "./attached-tables.ts";
import { compareFiles } from "./compare-files.ts";
import { answerDate, type DateQuestion } from "./date-question.ts";
import { describeTime } from "./describe-time.ts";
import { drawChart, isChartOfTable } from "./draw-chart.ts";
import { editFile } from "./edit-file.ts";
import { forgetNote } from "./forget-note.ts";
import { type Intent, intentOf } from "./intent.ts";
import { makeDocuments } from "./make-documents.ts";
import { withoutPaths } from "./named-paths.ts";
import { pastedText } from "./pasted-text.ts";
import { PHRASES } from "./phrases/by-language.ts";
import { isForeign, languageOf } from "./phrases/language.ts";
import type { Beyond } from "./phrases/phrases.ts";
import { quoted, recall } from "./recall.ts";
import { runProgram } from "./run-program.ts";
import { showAttached } from "./show-attached.ts";
import { answer, type OfflineDecision, type OfflineInput, Situation } from "./situation.ts";
import { answerAboutUser, knownAboutUser, knownDocuments } from "./what-it-knows.ts";
import { withoutTokens } from "./wording.ts";
import { writeFile } from "./write-file.ts";
import { writeReport } from "./write-report.ts";

export function decideOffline(input: OfflineInput): OfflineDecision {
  const turn = input.timeline.turns.at(-1);
  if (turn === undefined || turn.prompts.length === 0) return answer(PHRASES.en.whatIAm(input.offered));
  const message = withoutPaths(turn.prompts.at(-1) ?? "");
  const whole = intentOf(message);
  // Only for a question or a chart, the message is searched for a pasted text. Other intents need none.
  const pasted = whole.kind === "question" || whole.kind === "plot" ? pastedText(message) : null;
  const intent = pasted === null ? whole : intentOf(pasted.request);
  return decide(new Situation({ ...input, pasted }, turn), intent, input.offered);
}

/** `tools`: all tools of the agent, even if the model may make no more calls in this turn. */
function decide(situation: Situation, intent: Intent, tools: ReadonlySet<string>): OfflineDecision {
  const { phrases } = situation;
  switch (intent.kind) {
    case "identity":
      return answer(
        isForeign(situation.said) ? `${phrases.whatIAm(tools)} ${phrases.myLanguages}` : phrases.whatIAm(tools),
      );
    case "setup":
      return answer(`${phrases.realModel} ${phrases.otherModels}`);
    case "cost":
      return answer(phrases.costs);
    case "cached":
      return answer(phrases.notCached);
    case "beyond":
      return beyond(situation, intent.what);
    case "sure":
      return answer(situation.introduced(phrases.checkIt));
    case "more":
      return quoteMore(situation);
    case "stop":
      return answer(phrases.nothingRuns);
    case "now":
      return answer(situation.introduced(describeTime(situation)));
    case "file":
      return writeFile(situation, intent.file);
    case "rule":
      return answer(situation.introduced(phrases.ruleKept(quoted(intent.rule))));
    case "forget":
      return forgetNote(situation);
    case "mine":
      return answerAboutUser(situation);
    case "remember":
      return rememberNote(situation, intent.what);
    case "run":
      return runProgram(situation, intent.language, intent.code);
    case "report":
      return writeReport(situation, intent.topic, intent.formats, () => nothingFound(situation, intent.topic));
    case "render":
      return (
        makeDocuments(situation, intent.formats) ??
        writeReport(situation, "", intent.formats, () => nothingFound(situation, situation.said))
      );
    case "greeting":
      if (situation.turn.attachments.length === 0) return answer(`${phrases.hello} ${phrases.whatIAm(tools)}`);
      return answerQuestion(situation, "", null);
    case "thanks":
      if (situation.turn.attachments.length === 0) return answer(phrases.youAreWelcome);
      return answerQuestion(situation, "", null);
    case "reply":
      if (situation.turn.attachments.length === 0) return answer(phrases.askMe);
      return answerQuestion(situation, "", null);
    case "arithmetic":
      return answer(situation.introduced(describeResults(situation, intent.results), phrases.iComputed));
    case "date":
      return answer(describeDate(situation, intent.question));
    case "known":
      return knownAboutUser(situation);
    case "library":
      return knownDocuments(situation);
    case "table":
      return answer(situation.introduced(withoutTokens(intent.table), phrases.iComputed));
    case "compare":
      return compareFiles(situation) ?? answerQuestion(situation, situation.said, null);
    case "plot":
      return drawChart(situation);
    case "recall":
      return recall(situation, intent.which);
    case "search":
      return answerQuestion(situation, intent.query, intent.query);
    case "question":
      if (isChartOfTable(situation)) return drawChart(situation);
      return editFile(situation) ?? showAttached(situation) ?? answerQuestion(situation, situation.said, null);
  }
}

/** The answer to a request that only a language model can fulfil. Rows of an existing table can be shown. */
function beyond(situation: Situation, what: Beyond): OfflineDecision {
  const { phrases, turn, unread } = situation;
  const hasTable = turn.attachments.length > 0 || attachedTables(situation).length > 0 || unread.others().length > 0;
  if (what === "table" && hasTable) return answerQuestion(situation, situation.said, null);
  return answer(`${phrases.beyond[what]} ${phrases.realModel}`);
}

function describeDate(situation: Situation, question: DateQuestion): string {
  const { phrases, said, timeline } = situation;
  const today = timeline.now?.slice(0, 10) ?? null;
  const result = today === null ? null : answerDate(question, today, languageOf(said));
  if (result === null) return situation.introduced(phrases.timeUnknown);
  return situation.introduced(describeResults(situation, [result]), phrases.iComputed);
}

function describeResults({ phrases }: Situation, results: readonly Arithmetic[]): string {
  const lines = results.map((result) =>
    "notUnderstood" in result
      ? phrases.notUnderstood(quoted(result.notUnderstood))
      : "problem" in result
        ? `${result.expression}: ${phrases[result.problem]}.`
        : `${result.expression} ${result.isExact ? "=" : "≈"} ${result.value}`,
  );
  return lines.length === 1 ? lines.join("") : lines.map((line) => `- ${line}`).join("\n");
}

function rememberNote(situation: Situation, what: string): OfflineDecision {
  const { phrases } = situation;
  const write = situation.callOf("react.write");
  if (write !== undefined) {
    const failed = situation.failureOf(write);
    return answer(failed === undefined ? `${phrases.noted(what)}\n\n${phrases.noteHolds}` : phrases.noteFailed(failed));
  }
  if (!situation.offered.has("react.write")) return answer(phrases.cannotNote);
  const params = { path: `${situation.turn.id}/files/note.md`, channel: "internal", content: `[P] ${what}` };
  return { text: phrases.writingDown, calls: [{ name: "react.write", params }] };
}
