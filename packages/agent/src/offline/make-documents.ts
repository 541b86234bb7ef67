/** Makes a PDF, Word document, slides or picture from a text: a new report, an attachment or the last answer. */
import { nameOf } from "./passages.ts";
import type { DocumentFormat } from "./phrases/phrases.ts";
import { answer, type OfflineCall, type OfflineDecision, type Situation } from "./situation.ts";
import { listNames } from "./wording.ts";

const TEXT_FILE = /\.(?:md|markdown|html?|txt)$/i;

/** The calls that make every format of one text. */
export function renderCalls(situation: Situation, source: string, formats: readonly DocumentFormat[]): OfflineCall[] {
  return formats.flatMap((format) => {
    const name = toolOf(format);
    if (!situation.offered.has(name) || situation.callOf(name) !== undefined) return [];
    return [
      { name, params: { path: `${situation.turn.id}/files/${fileName(source, format)}`, content: `ref:${source}` } },
    ];
  });
}

/** The outcome in one or two sentences; empty when no document was requested. */
export function describeRendered(situation: Situation, source: string, formats: readonly DocumentFormat[]): string {
  const { phrases } = situation;
  const made: string[] = [];
  const problems: string[] = [];
  for (const format of formats) {
    const call = situation.callOf(toolOf(format));
    const failed = call === undefined ? phrases.noTool : situation.failureOf(call);
    if (failed === undefined)
      made.push(`\`fi:${situation.turn.id}.files/${fileName(source, format)}\` (${phrases.formats[format]})`);
    else problems.push(phrases.notMade(phrases.formats[format], failed));
  }
  return [...(made.length > 0 ? [phrases.made(listNames(made, phrases))] : []), ...problems].join("\n\n");
}

/** Handles a message that only asks for another format of an existing text; null when there is no such text. */
export function makeDocuments(situation: Situation, formats: readonly DocumentFormat[]): OfflineDecision | null {
  const attached = situation.turn.attachments.find(({ name }) => TEXT_FILE.test(name));
  if (attached !== undefined) {
    const reading = situation.reading(situation.unread.inTurn());
    if (reading.length > 0) return { text: situation.phrases.readGiven, calls: reading };
  }
  const source = attached?.path ?? lastText(situation);
  if (source === null) return null;
  const calls = renderCalls(situation, source, formats);
  if (calls.length > 0) return { text: situation.phrases.making(formatNames(situation, formats)), calls };
  return answer(situation.introduced(describeRendered(situation, source, formats)));
}

/** The formats in words. */
export function formatNames({ phrases }: Situation, formats: readonly DocumentFormat[]): string {
  return listNames(
    formats.map((format) => phrases.formats[format]),
    phrases,
  );
}

/** Whether every requested format was made. */
export function isAllMade(situation: Situation, formats: readonly DocumentFormat[]): boolean {
  return formats.every((format) => {
    const call = situation.callOf(toolOf(format));
    return call !== undefined && situation.failureOf(call) === undefined;
  });
}

/** The last written file, or else the last answer. */
function lastText({ timeline }: Situation): string | null {
  for (const turn of timeline.turns.toReversed()) {
    const file = turn.findings.findLast(
      ({ tool, path }) =>
        (tool === "react.write" || tool === "react.patch") && TEXT_FILE.test(path) && path.startsWith("fi:"),
    );
    if (file !== undefined) return file.path;
    if (turn.answer !== null) return `ar:${turn.id}.assistant.completion`;
  }
  return null;
}

function toolOf(format: DocumentFormat): string {
  return `rendering_tools.write_${format}`;
}

function fileName(source: string, format: DocumentFormat): string {
  const name = source.startsWith("ar:") ? "answer" : nameOf(source).replace(TEXT_FILE, "");
  return `${name}.${format}`;
}
