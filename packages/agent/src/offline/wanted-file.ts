/** A request for a file with given content, such as `Write a file notes.md with: …`, and its content. */
import { folded } from "./phrases/language.ts";

export interface WantedFile {
  readonly name: string;
  /** The content; null if the message does not contain the content of the file. */
  readonly content: string | null;
}

const MAKE =
  "(?:create|write|make|save|generate|put|erstelle?|schreibe?|mache?|speichere?|lege|cree[rz]?|ecri(?:s|vez|re)|fais|enregistre[rz]?)";
const ENDINGS = "md|txt|html?|svg|csv|tsv|json|mmd|py|js|ts|css|xml|ya?ml|sh|sql|log|tex|ini|toml";
const NAME = String.raw`[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,80}\.(?:${ENDINGS})`;
/** The default file names for a message that names only a kind of file. */
const KINDS: readonly (readonly [kind: string, name: string])[] = [
  ["html|web", "page.html"],
  ["svg", "picture.svg"],
  ["csv", "table.csv"],
  ["mermaid", "diagram.mmd"],
  ["json", "data.json"],
  ["markdown|md", "note.md"],
  ["text|txt", "note.txt"],
  ["to-?do(?:[- ]list)?|shopping[- ]list|einkaufsliste|aufgabenliste", "list.md"],
];
const KIND = KINDS.map(([kind]) => kind).join("|");
const ARTICLE =
  "(?:(?:me|us|mir|moi|it|this|that|das|dies|ceci|an?|the|eine?n?|une?|la|le|new|neue|als|as|to|in|under|unter|sous|comme|called|named|namens|nomme) )*";
const THING = "(?: (?:file|page|document|diagram|picture|datei|seite|liste|diagramm|bild|fichier|image|diagramme))?";
const CALLED = `(?: (?:called|named|namens|mit dem namen|nomme|appele) (${NAME}))?`;
const POLITE = "^(?:please |can you |could you |bitte |kannst du |peux-tu |s'il te plait,? )*";
const BY_NAME = new RegExp(`${POLITE}${MAKE} ${ARTICLE}(?:file |page |datei |fichier )?${ARTICLE}(${NAME})`, "iu");
const BY_KIND = new RegExp(String.raw`${POLITE}${MAKE} ${ARTICLE}(${KIND})(?![\p{L}\p{N}.])${THING}${CALLED}`, "iu");
const BEFORE_CONTENT =
  /^[\s,]*(?:(?:with|containing|that (?:says|contains|reads)|which (?:says|contains)|saying|mit|die|der|das|avec|contenant|qui (?:dit|contient))(?![\p{L}\p{N}]))?(?:\s+(?:the|this|das|dem|diesem|der|le|la|ce))?(?:\s+(?:following|folgende[mn]?))?(?:\s+(?:content|contents|text|words|inhalt|contenu|texte))?\s*:?(?:\s*\n|[ \t]*)/iu;
/** "With the items milk, eggs and bread": the content is a list. */
const ITEMS =
  /^(?:the |these |den |die |diesen |les |ces )?(?:items?|entries|things|points|eintrage[n]?|punkte[n]?|dinge[n]?|elements|articles)\s*:?\s+/i;
/** A fenced block. A block without an end ends with the message. */
const FENCE = /^(`{3,})[^\n]*\n([\s\S]*?)(?:^\1[ \t]*$|$(?![\s\S]))/m;
/** A block in a format that can be displayed. The rest of the message is empty, or asks to display the block. */
const SHOWN = /^```(html|svg|mermaid)[ \t]*\n/m;
const SHOW = /^[^?]*\b(?:draw|show|preview|render|display|zeichne|zeige?|dessine|montre|affiche)\b[^?]*$/i;
/** Formats that need code or markup, so a description in words cannot be their content. */
const STRICT = /\.(?:html?|svg|json|mmd|py|js|ts|css|xml|ya?ml|sh|sql)$/i;
const EXACT = /(?::|\b(?:says?|saying|reads|contains?|sagt|dit))\s*$/i;
const HEADING =
  /^(?:an? |the |eine |une? )?(?:heading|title|uberschrift|titel|titre)(?: (?:that says|saying|with|called|qui dit))?\s*[:,]?\s+(\S.*)$/i;
const QUOTED = /^["“„«]\s?([^"“”„«»]*?)\s?["”“»]\.?$/;
const LIST = /^list\./;

/** The file with given content that the message asks for; null for any other message. */
export function wantedFile(message: string): WantedFile | null {
  const said = message.trim();
  const plain = folded(said);
  const named = BY_NAME.exec(plain);
  const kind = named === null ? BY_KIND.exec(plain) : null;
  const match = named ?? kind;
  if (match === null) return shownFile(said);
  const name = named?.[1] ?? kind?.[2] ?? nameOfKind(kind?.[1] ?? "");
  const after = said.slice(match[0].length);
  const all = after.replace(BEFORE_CONTENT, "");
  const isExact = EXACT.test(after.slice(0, after.length - all.length)) || /^["“„«<{[]/.test(all);
  const at = FENCE.exec(all)?.index ?? -1;
  // If no colon comes before the block, the words on its line belong to the request and not to the content.
  const rest = at > 0 && !isExact && /^[^\n]*\s*$|:\s*$/.test(all.slice(0, at)) ? all.slice(at) : all;
  const fenced = at < 0 ? undefined : (onlyBlock(rest) ?? rest);
  // "Write a text about the sea" asks for a text that the offline model cannot write.
  const isGiven =
    fenced !== undefined ||
    (rest !== "" && !/^(?:about|on|of|for|from|uber|von|fur|sur|de|pour)\b/i.test(folded(rest)));
  const isContent = isGiven && (fenced !== undefined || isExact || !STRICT.test(name) || HEADING.test(folded(rest)));
  const isToDo = named === null && LIST.test(name);
  return { name, content: isContent ? `${fenced ?? listOf(rest, name, isToDo) ?? contentOf(rest, name)}\n` : null };
}

/** The content of a fenced block, if the text is only this block. */
function onlyBlock(text: string): string | undefined {
  const block = FENCE.exec(text);
  return block?.[0] === text.trim() ? block[2]?.replace(/\n$/, "") : undefined;
}

function shownFile(said: string): WantedFile | null {
  const [, kind] = SHOWN.exec(said) ?? [];
  const content = FENCE.exec(said)?.[2];
  const around = said.replace(FENCE, "").trim();
  if (kind === undefined || content === undefined || (around !== "" && !SHOW.test(around))) return null;
  return { name: nameOfKind(kind), content: content.replace(/\n?$/, "\n") };
}

function nameOfKind(said: string): string {
  return KINDS.find(([kind]) => new RegExp(`^(?:${kind})$`, "i").test(said))?.[1] ?? "note.md";
}

/** The items of a list, one on each line; null for content that the message does not call items. */
function listOf(given: string, name: string, isToDo: boolean): string | null {
  const items = ITEMS.exec(folded(given))?.[0].length ?? null;
  const isHtml = /\.html?$/i.test(name);
  if ((items === null && !isToDo) || given.includes("\n") || isHtml) return null;
  const mark = isToDo ? "- [ ] " : /\.md$/i.test(name) ? "- " : "";
  const between = items === null ? /,\s*(?:and |und |et )?/ : /,\s*(?:and |und |et )?|\s+(?:and|und|et)\s+/;
  return given
    .slice(items ?? 0)
    .split(between)
    .map((item) => `${mark}${item.replace(/\.$/, "")}`)
    .join("\n");
}

/** The given words. Words for a heading or an HTML page get the markup of the format. */
function contentOf(given: string, name: string): string {
  const isHtml = /\.html?$/i.test(name);
  const text = QUOTED.exec(given)?.[1] ?? given;
  const heading = HEADING.exec(folded(text))?.[1];
  if (heading !== undefined && (isHtml || /\.md$/i.test(name))) {
    const words = text.slice(text.length - heading.length).replace(/["“”„.]+/g, "");
    return isHtml ? `<h1>${escaped(words)}</h1>` : `# ${words}`;
  }
  return isHtml && !/<[a-z!]/i.test(text) ? `<p>${escaped(text)}</p>` : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
