/** Changes or shows a text file that was written in this conversation. */
import { type Edit, edited, editOf } from "./edit-forms.ts";
import { nameOf } from "./passages.ts";
import { fenced } from "./run-program.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";

interface OwnFile {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

const TEXT_FILE = /^fi:.*\.files\/[^/]+\.(?:md|txt|csv|tsv|html?|json|ya?ml|log|ini|toml|tex|py|js|ts|css|sql|sh)$/i;
const OWN = /^fi:[^/]*\.files\//;
const ANY_FILE =
  /\b(?:file|list|note|document|page|datei|liste|notiz|dokument|einkaufsliste|fichier|report|bericht|rapport)\b|^it$/i;

/** A file of an earlier turn is meant only if the message names it. */
const MAX_TURNS = 5;

/** The edit that the message asks for; null for any other message, and for a file that does not exist. */
export function editFile(situation: Situation): OfflineDecision | null {
  const { phrases, said, turn } = situation;
  const edit = editOf(said);
  if (edit === null) return null;
  const kept = edit.kind === "remove" ? fileToDelete(situation, edit.what) : undefined;
  if (kept !== undefined) return answer(situation.introduced(phrases.cannotDelete(kept)));
  const file = fileMeant(situation, edit);
  if (file === null) return edit.kind === "undo" ? answer(situation.introduced(phrases.nothingToUndo)) : null;
  if (edit.kind === "show") return answer(situation.introduced(shown(file)));
  const write = situation.callOf("react.write");
  if (write !== undefined) {
    const failed = situation.failureOf(write);
    return answer(
      failed === undefined ? `${phrases.fileReady(file.path)}\n\n${shown(file)}` : phrases.notWritten(failed),
    );
  }
  const text = edit.kind === "undo" ? versionBefore(situation, file.name) : edited(file.text, edit);
  if (text === null && edit.kind === "undo") return answer(situation.introduced(phrases.nothingToUndo));
  if (text === null) return answer(situation.introduced(phrases.notInFile(edit.what, file.name)));
  if (!situation.offered.has("react.write")) return null;
  const params = { path: `${turn.id}/files/${file.name}`, channel: "canvas", kind: "file", content: text };
  return { text: phrases.writingFile, calls: [{ name: "react.write", params }] };
}

/** The file that the words name, or "the file". A conversation keeps its files, so none can be deleted. */
function fileToDelete({ timeline: { turns } }: Situation, what: string): string | undefined {
  const paths = turns.flatMap(({ attachments, findings }) => [
    ...attachments.map(({ path }) => path),
    ...findings.filter(({ path }) => OWN.test(path)).map(({ path }) => path),
  ]);
  const bare = what.replace(
    /^(?:(?:the|my|this|that|die|diese|meine|le|ce|mon) )?(?:(?:file|datei|fichier)(?: |$))?/i,
    "",
  );
  if (bare === "") return nameOf(paths.at(-1) ?? "") || undefined;
  return paths.map(nameOf).findLast((name) => name.toLowerCase() === bare.toLowerCase());
}

/** The text before the last change of a file that is not undone; null if no version is before it. */
function versionBefore({ timeline: { turns } }: Situation, name: string): string | null {
  const texts: string[] = [];
  for (const { findings, prompts } of turns)
    for (const { path, text } of findings) {
      if (!OWN.test(path) || nameOf(path) !== name) continue;
      if (editOf(prompts.at(-1) ?? "")?.kind === "undo") texts.pop();
      else texts.push(text);
    }
  const before = texts.at(-2);
  return before === undefined ? null : `${before}\n`;
}

/** The file that the message names or calls "the file", or that the previous message was about. */
function fileMeant({ said, timeline: { turns } }: Situation, { place }: Edit): OwnFile | null {
  const own = turns.map(({ findings }) =>
    findings.filter(({ path, text }) => TEXT_FILE.test(path) && text.trim() !== ""),
  );
  const message = said.toLowerCase();
  const named = own.flat().findLast(({ path }) => message.includes(nameOf(path).toLowerCase()));
  const since = turns.findLastIndex(({ attachments }) => attachments.length > 0);
  const recent = own.slice(Math.max(since + 1, turns.length - MAX_TURNS)).flat();
  const found = named ?? (place === "" || ANY_FILE.test(place) ? recent.at(-1) : undefined);
  if (found === undefined || found.isClipped) return null;
  return { path: found.path, name: nameOf(found.path), text: `${found.text}\n` };
}

function shown({ name, text }: OwnFile): string {
  return `${name}:\n\n${fenced(text.trimEnd())}`;
}
