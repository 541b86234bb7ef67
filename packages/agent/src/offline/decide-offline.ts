/**
 * What the offline model does next. Pure: the same timeline gives the same decision.
 *
 * It reads before it answers, and reads each thing once a turn; when nothing in view fits it looks into what it has not
 * read, then into the past, and then says that it found nothing.
 */
import type { JsonObject } from "@cairn/timeline";
import { findGist, findQuotes, type Quote } from "./find-quotes.ts";
import { type Intent, intentOf } from "./intent.ts";
import { type Passage, passagesOf } from "./passages.ts";
import type { ReadTimeline, ReadTurn } from "./read-view.ts";
import { composeReport, type Report } from "./report.ts";
import { Unread } from "./unread.ts";
import { IN_SHORT, listNames, quoteList, WHAT_I_AM } from "./wording.ts";
import { wordsOf } from "./words.ts";

interface OfflineCall {
  readonly name: string;
  readonly params: JsonObject;
}

export interface OfflineDecision {
  readonly text: string;
  readonly calls: readonly OfflineCall[];
}

export interface OfflineInput {
  readonly timeline: ReadTimeline;
  /** The text of each PDF in view, by logical path. */
  readonly documents: ReadonlyMap<string, string>;
  /** Tools that may be called now. */
  readonly offered: ReadonlySet<string>;
}

const MOST_QUOTES = 4;
/** After so many calls in one turn it is time to answer. */
const MOST_CALLS = 12;
const MOST_VIOLATIONS = 3;
const GIST =
  /\bsumm?ari[sz]e\b|\bsummary\b|\boverview\b|\bgist\b|\btl;?dr\b|\bwhat(?:'s| is| are| does| do)\b[^?]{0,60}\b(?:about|in (?:it|this|that|these|the|here)|say)\b|\bdescribe\b|\bread (?:it|this|that|these|the)\b/i;

const PLAN_STEPS = ["Read what there is", "Write the report"];

export function decideOffline(input: OfflineInput): OfflineDecision {
  const turn = input.timeline.turns.at(-1);
  if (turn === undefined || turn.prompts.length === 0) return answer(WHAT_I_AM);
  return new Decider(input, turn).decide(intentOf(turn.prompts.at(-1) ?? ""));
}

class Decider {
  readonly #timeline: ReadTimeline;
  readonly #turn: ReadTurn;
  readonly #offered: ReadonlySet<string>;
  readonly #passages: readonly Passage[];
  readonly #unread: Unread;

  constructor({ timeline, documents, offered }: OfflineInput, turn: ReadTurn) {
    const spent =
      timeline.isLastDecision || turn.calls.length >= MOST_CALLS || turn.violations.length >= MOST_VIOLATIONS;
    this.#timeline = timeline;
    this.#turn = turn;
    this.#offered = spent ? new Set() : offered;
    this.#passages = passagesOf(timeline, documents);
    this.#unread = new Unread(timeline, turn, documents);
  }

  decide(intent: Intent): OfflineDecision {
    switch (intent.kind) {
      case "identity":
        return answer(WHAT_I_AM);
      case "remember":
        return this.#remember(intent.what);
      case "report":
        return this.#report(intent.topic);
      case "greeting":
        if (this.#turn.attachments.length === 0) return answer(`Hello. ${WHAT_I_AM}`);
        return this.#answerQuestion("");
      case "question":
        return this.#answerQuestion(this.#turn.prompts.join("\n"));
    }
  }

  #remember(what: string): OfflineDecision {
    const write = this.#turn.calls.findLast(({ tool }) => tool === "react.write");
    if (write !== undefined) {
      const failed = this.#turn.failures.get(write.id);
      return answer(failed === undefined ? `Noted: ${what}` : `I could not keep the note: ${failed}`);
    }
    if (!this.#offered.has("react.write")) return answer("I have no way to keep notes here.");
    const params = { path: `${this.#turn.id}/files/note.md`, channel: "internal", content: `[P] ${what}` };
    return { text: "I write that down.", calls: [{ name: "react.write", params }] };
  }

  #report(topic: string): OfflineDecision {
    const reading = this.#readCalls([...this.#unread.inTurn(), ...this.#unread.named(), ...this.#unread.others()]);
    const calls = this.#turn.calls;
    const hasPlan = calls.some(({ tool }) => tool === "react.plan");
    const plan: OfflineCall[] =
      !hasPlan && this.#offered.has("react.plan")
        ? [{ name: "react.plan", params: { mode: "new", steps: PLAN_STEPS } }]
        : [];
    const write = calls.findLast(({ tool }) => tool === "react.write");
    if (write === undefined && (plan.length > 0 || reading.length > 0))
      return { text: "First I read what there is.", calls: [...plan, ...reading] };
    const report = composeReport(topic, this.#passages);
    if (report === null) return this.#endPlan("✗ 1. Read what there is") ?? answer(this.#nothing(topic));
    if (write === undefined && this.#offered.has("react.write")) {
      const path = `${this.#turn.id}/files/${report.fileName}`;
      const params = { path, channel: "canvas", kind: "file", content: report.content };
      const marks = hasPlan ? `\n✓ 1. ${PLAN_STEPS[0]}\n→ 2. ${PLAN_STEPS[1]}` : "";
      return { text: `I write the report.${marks}`, calls: [{ name: "react.write", params }] };
    }
    const failed = write === undefined ? "there is no tool to write files with" : this.#turn.failures.get(write.id);
    const mark = failed === undefined ? "✓" : "✗";
    return this.#endPlan(`${mark} 2. ${PLAN_STEPS[1]}`) ?? answer(this.#presentReport(report, failed));
  }

  #presentReport(report: Report, failed: string | undefined): string {
    if (failed !== undefined) return `I could not write a file (${failed}), so here it is:\n\n${report.content}`;
    const path = this.#turn.findings.findLast(({ tool }) => tool === "react.write")?.path ?? report.fileName;
    const names = listNames(report.quotes.map(({ passage }) => passage.name));
    const count = report.quotes.length === 1 ? "one quotation" : `${report.quotes.length} quotations`;
    return this.#introduced(
      `The report is in \`${path}\`: ${count} from ${names}. It begins with:\n\n${quoteList(report.quotes.slice(0, 2))}`,
    );
  }

  /** Closes the turn's plan, once, with the last step's mark in the notes. */
  #endPlan(notes: string): OfflineDecision | null {
    const opened = this.#turn.calls.find(({ tool, params }) => tool === "react.plan" && params.includes('"new"'));
    const isClosed = this.#turn.calls.some(({ tool, params }) => tool === "react.plan" && params.includes('"close"'));
    if (opened === undefined || isClosed || !this.#offered.has("react.plan")) return null;
    const result = this.#turn.findings.find(({ callId, tool }) => callId === opened.id && tool === "react.plan");
    const id = /"plan_id":"([^"\\]{1,200})"/.exec(result?.text ?? "")?.[1];
    if (id === undefined) return null;
    return { text: notes, calls: [{ name: "react.plan", params: { mode: "close", plan_id: id } }] };
  }

  #answerQuestion(question: string): OfflineDecision {
    const first = this.#readCalls([...this.#unread.inTurn(), ...this.#unread.named()]);
    if (first.length > 0) return { text: "I read what you gave me.", calls: first };
    const quotes = this.#quotes(question);
    if (quotes.length > 0) return this.#withFollowups(this.#introduced(quoteList(quotes)), quotes);
    const rest = this.#readCalls(this.#unread.others());
    if (rest.length > 0) return { text: "I look into what I have not read yet.", calls: rest };
    return this.#searchPast(question) ?? answer(this.#nothing(question));
  }

  #quotes(question: string): Quote[] {
    const wantsGist = question === "" || GIST.test(question);
    const found = question === "" ? [] : findQuotes(question, this.#passages, MOST_QUOTES);
    if (!wantsGist) return found;
    const here = new Set([...this.#turn.attachments.map(({ name }) => name), ...this.#unread.namedNames()]);
    const files = this.#passages.filter(({ kind }) => kind === "file" || kind === "web");
    const meant = files.filter(({ name }) => here.has(name));
    const gist = findGist(meant.length > 0 ? meant : files, MOST_QUOTES);
    return gist.length > 0 ? gist : found;
  }

  #readCalls(paths: readonly string[]): OfflineCall[] {
    if (!this.#offered.has("react.read") || paths.length === 0) return [];
    return [{ name: "react.read", params: { paths: [...new Set(paths)].slice(0, 10) } }];
  }

  #searchPast(question: string): OfflineDecision | null {
    const words = [...new Set(wordsOf(question))].sort((a, b) => b.length - a.length).slice(0, 2);
    const hasPast = this.#timeline.turns.length > 1 || this.#timeline.summaries.length > 0;
    const isDone = this.#turn.calls.some(({ tool }) => tool === "react.memsearch");
    if (!hasPast || isDone || words.length === 0 || !this.#offered.has("react.memsearch")) return null;
    return { text: "I look back.", calls: [{ name: "react.memsearch", params: { query: words.join(" ") } }] };
  }

  #nothing(about: string): string {
    const read = listNames(
      this.#passages.filter(({ kind }) => kind === "file" || kind === "web").map(({ name }) => name),
    );
    const unreadable = this.#unread.unreadable();
    const where = read === "" ? "There is nothing here I could read yet" : `I found nothing about that in ${read}`;
    const cannot = unreadable.length === 0 ? "" : ` I cannot read ${listNames(unreadable)}.`;
    const hint = read === "" && about !== "" ? " Attach a document, or ask me to remember something." : "";
    return `${where}.${cannot}${hint}\n\n${IN_SHORT}`;
  }

  /** The first answer of a conversation says who is talking. */
  #introduced(text: string): string {
    return this.#timeline.turns.some(({ answer: said }) => said !== null) ? text : `${text}\n\n${IN_SHORT}`;
  }

  #withFollowups(text: string, quotes: readonly Quote[]): OfflineDecision {
    const source = quotes.find(({ passage }) => passage.sid !== null)?.passage.name;
    if (source === undefined || !this.#offered.has("suggest_followups")) return answer(text);
    const items = [`Write a report about ${source}`, `What is ${source} about?`];
    return { text, calls: [{ name: "suggest_followups", params: { items } }] };
  }
}

function answer(text: string): OfflineDecision {
  return { text, calls: [] };
}
