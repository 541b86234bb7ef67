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
const ANY_FILE =
  /\b(?:file|list|note|document|page|datei|liste|notiz|dokument|einkaufsliste|fichier|report|bericht|rapport)\b|^it$/i;

/** A file of an earlier turn is meant only if the message names it. */
const MAX_TURNS = 5;

/** The edit that the message asks for; null for any other message, and for a file that does not exist. */
export function editFile(situation: Situation): OfflineDecision | null {
  const { phrases, said, turn } = situation;
  const edit = editOf(said);
  const file = edit === null ? null : fileMeant(situation, edit);
  if (edit === null || file === null) return null;
  if (edit.kind === "show") return answer(situation.introduced(shown(file)));
  const write = situation.callOf("react.write");
  if (write !== undefined) {
    const failed = situation.failureOf(write);
    return answer(
      failed === undefined ? `${phrases.fileReady(file.path)}\n\n${shown(file)}` : phrases.notWritten(failed),
    );
  }
  const text = edited(file.text, edit);
  if (text === null) return answer(situation.introduced(phrases.notInFile(edit.what, file.name)));
  if (!situation.offered.has("react.write")) return null;
  const params = { path: `${turn.id}/files/${file.name}`, channel: "canvas", kind: "file", content: text };
  return { text: phrases.writingFile, calls: [{ name: "react.write", params }] };
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
