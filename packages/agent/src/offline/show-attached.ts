/** A request to show an attached file. The offline model only quotes, and the app shows a file after a click on it. */
import { nameOf } from "./passages.ts";
import { folded } from "./phrases/language.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { listNames } from "./wording.ts";

const SHOW =
  /^(?:(?:please|can you|could you|bitte|kannst du|peux-tu),? )*(?:show|open|display|preview|view|render|zeige?|offne|montre|affiche|ouvre)(?:-moi)?(?: (?:me|us|mir|uns))?(?: (?:this|that|the|my|it|diese[nrs]?|die|das|den|meine?|cette?|le|la|ma|mon))?(?: attached)?(?: (?:(?:html|web) ?)?(?:page|file|document|attachment|website|site|pdf|html|picture|image|seite|datei|dokument|anhang|bild|fichier|piece jointe))?\s*[.!?]*$/i;

/** The answer for the files of this message, or for the last attached file; null for any other message. */
export function showAttached(situation: Situation): OfflineDecision | null {
  const { phrases, said, timeline, turn } = situation;
  if (!SHOW.test(folded(said.trim()))) return null;
  const earlier = timeline.turns.flatMap(({ attachments }) => attachments).slice(-1);
  const names = (turn.attachments.length > 0 ? turn.attachments : earlier).map(({ path }) => nameOf(path));
  return names.length === 0 ? null : answer(situation.introduced(phrases.clickToShow(listNames(names, phrases))));
}
