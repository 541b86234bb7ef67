/** Requests to change a text file in plain words, such as `Add butter to the list` or `Replace milk with oat milk`. */
import { folded } from "./phrases/language.ts";

export interface Edit {
  /** `removeLine` removes whole lines; `undo` writes the version before the last change again. */
  readonly kind: "add" | "replace" | "removeLine" | "remove" | "undo" | "show";
  /** The text to add, find or remove; empty for `undo` and `show`. */
  readonly what: string;
  /** The new text of `replace`; empty otherwise. */
  readonly by: string;
  /** The end of the message, which may name a file; empty if it names none. */
  readonly place: string;
}

const EN = "^(?:(?:please|now|and|also|can you|could you),? )*";
const DE = "^(?:(?:bitte|jetzt|und|auch|kannst du),? )*";
const FR = "^(?:(?:s'il te plait|maintenant|et|aussi|peux-tu),? )*";
const FORMS: readonly (readonly [Edit["kind"], string])[] = [
  [
    "add",
    `${EN}(?:add|append) (?!up\\b|together\\b)(?<what>.+?)(?: (?:to|at the end of|into) (?<place>(?:the |my |this |it\\b)?\\S*(?: \\S+)?))?$`,
  ],
  [
    "add",
    `${DE}(?:fuge|setze|schreibe?)(?: noch)? (?<what>.+?)(?: (?<place>(?:zur|zum|in die|in den|auf die|zu) \\S+(?: \\S+)?))?(?: hinzu| dazu| ein)$`,
  ],
  ["add", `${FR}(?:ajoute[rz]?) (?<what>.+?)(?: (?<place>(?:a la|au|dans le|dans la|a) \\S+(?: \\S+)?))?$`],
  [
    "replace",
    `${EN}(?:replace|change) (?<what>.+?) (?:with|by|to|into) (?<by>.+?)(?: in (?<place>(?:the |my )?\\S+))?$`,
  ],
  [
    "replace",
    `${DE}(?:ersetze?|andere) (?<what>.+?) (?:durch|in|zu|mit) (?<by>.+?)(?: (?:in|auf) (?<place>(?:der |dem )?\\S+))?$`,
  ],
  [
    "replace",
    `${FR}(?:remplace[rz]?|change[rz]?) (?<what>.+?) (?:par|en) (?<by>.+?)(?: dans (?<place>(?:le |la )?\\S+))?$`,
  ],
  [
    "undo",
    `${EN}(?:undo|revert|take back)(?: (?:that|this|it|(?:(?:the|my|your) )?(?:last |latest |previous )?(?:changes?|edit)))?(?: (?:in|to|of) (?<place>(?:the |my )?\\S+))?$`,
  ],
  [
    "undo",
    `${DE}(?:mache? (?:das|es|die (?:letzte )?anderung)(?: (?:bitte|wieder))* ruckgangig|(?:das|es|die (?:letzte )?anderung) ruckgangig machen|ruckgangig|nimm (?:das|die (?:letzte )?anderung) zuruck)$`,
  ],
  ["undo", `${FR}annule[rz]?(?: (?:ca|cela|la (?:derniere )?modification))?$`],
  [
    "removeLine",
    `${EN}(?:remove|delete|take out|cross out|strike) (?:the |my )?(?:lines?|items?|entry|entries|rows?) (?:with |containing |that (?:says?|contains?) |about )?(?<what>.+?)(?: (?:from|in) (?<place>(?:the |my )?\\S+(?: \\S+)?))?$`,
  ],
  [
    "removeLine",
    `${DE}(?:entferne?|losche?|streiche?) (?:die |den )?(?:zeilen?|eintrag|punkt) (?:mit )?(?<what>.+?)(?: (?:aus|von|in) (?<place>(?:der |dem )?\\S+))?$`,
  ],
  [
    "removeLine",
    `${FR}(?:supprime[rz]?|enleve[rz]?|efface[rz]?) (?:la |l')?(?:ligne|element) (?:avec )?(?<what>.+?)(?: (?:du|de la|dans le|dans la) (?<place>\\S+))?$`,
  ],
  [
    "remove",
    `${EN}(?:remove|delete|take|cross|strike)(?: out| off)? (?<what>.+?)(?: (?:from|off|in) (?<place>(?:the |my )?\\S+(?: \\S+)?))?$`,
  ],
  ["remove", `${DE}(?:entferne?|losche?|streiche?) (?<what>.+?)(?: (?:aus|von|in) (?<place>(?:der |dem )?\\S+))?$`],
  [
    "remove",
    `${FR}(?:supprime[rz]?|enleve[rz]?|efface[rz]?|retire[rz]?) (?<what>.+?)(?: (?:du|de la|dans le|dans la) (?<place>\\S+))?$`,
  ],
  [
    "show",
    `${EN}(?:what(?:'s| is| does)(?: now)?(?: in)?|show(?: me)?|open|print|display|read) (?<place>(?:the |my )?\\S+(?: \\S+)?)(?: say| contain| now)?$`,
  ],
  [
    "show",
    `${DE}(?:was (?:steht|ist)(?: jetzt)? in|zeige?(?: mir)?|offne) (?<place>(?:die |der |den |dem |das )?\\S+)$`,
  ],
  ["show", `${FR}(?:qu'y a-t-il dans|que contient|montre(?:-moi)?|ouvre) (?<place>(?:le |la )?\\S+)$`],
];
const PARSED = FORMS.map(([kind, form]) => [kind, new RegExp(form, "di")] as const);
const MAX_LENGTH = 500;

/** Every edit that the message may ask for. The file need not exist. */
export function editOf(message: string): Edit | null {
  // The lookbehind keeps the search linear in texts with long runs of these characters, here and in similar patterns.
  const said = message.trim().replace(/(?<![?.!\s])[?.!\s]+$/, "");
  if (said.length > MAX_LENGTH || said.includes("\n")) return null;
  for (const [kind, form] of PARSED) {
    const found = form.exec(folded(said));
    if (found === null) continue;
    const given = (name: string) => {
      const [from, to] = found.indices?.groups?.[name] ?? [0, 0];
      return said.slice(from, to).trim();
    };
    return { kind, what: bare(given("what")), by: bare(given("by")), place: given("place") };
  }
  return null;
}

function bare(text: string): string {
  return text.replace(/^["“„«'`]\s?|\s?["”“»'`]$/g, "");
}

/** The text after the edit; null if it does not contain what is to be replaced or removed. */
export function edited(text: string, { kind, what, by }: Edit): string | null {
  const lines = text.replace(/\n+$/, "").split("\n");
  const isItem = (line: string) => isSame(line.replace(MARK, ""), what);
  switch (kind) {
    case "show":
    case "undo":
      return text;
    case "add": {
      const last = lines.at(-1) ?? "";
      const isRow = lines.length === 1 && /^[^,\n]+(?:, [^,\n]+)+$/.test(last);
      if (isRow) return `${last.replace(/(?<![.\s])[.\s]+$/, "")}, ${what}\n`;
      return `${[...lines, `${MARK.exec(last)?.[0] ?? ""}${what}`].join("\n")}\n`;
    }
    case "replace":
      return contains(text, what) ? text.replaceAll(literal(what), () => by) : null;
    case "removeLine":
    case "remove": {
      const rest = kind === "removeLine" ? lines.filter((line) => !contains(line, what)) : lines;
      if (lines.length > 1 && rest.length < lines.length) return `${rest.join("\n")}\n`;
      if (lines.some(isItem)) return `${lines.filter((line) => !isItem(line)).join("\n")}\n`;
      const items = lines.map((line) => line.split(", "));
      if (items.some((row) => row.length > 1 && row.some((item) => isSame(item, what))))
        return `${items.map((row) => row.filter((item) => !isSame(item, what)).join(", ")).join("\n")}\n`;
      return contains(text, what) ? text.replaceAll(literal(what), "") : null;
    }
  }
}

/** The mark of an item of a list. */
const MARK = /^\s*(?:[-*+] (?:\[[ xX]\] )?|\d{1,3}[.)] )/;

function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function contains(text: string, what: string): boolean {
  return what !== "" && literal(what).test(text);
}

/** Matches whole words only, in upper or lower case. */
function literal(what: string): RegExp {
  const escaped = what.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, "giu");
}
