/**
 * Forms of requests that only a language model can fulfil, and of requests about the previous answer. They are compared
 * with the message without accents.
 */
import type { Beyond } from "./phrases/phrases.ts";

const EN = "(?:(?:please|now|and|ok|can you|could you|would you|will you|i (?:want|need) you to|help me(?: to)?),? )*";
const DE = "(?:(?:bitte|jetzt|und|kannst du|konntest du|hilf mir(?: zu)?)(?: mir)?,? )*";
const FR = "(?:(?:s'il te plait|maintenant|et|peux-tu|pouvez-vous|aide-moi a),? )*(?:me |m')?";
const TEXT_EN =
  "(?:e-?mails?|mails?|letters?|poems?|haikus?|(?:fun )?facts?|riddles?|limericks?|songs?|lyrics|jokes?|stor(?:y|ies)|tweets?|(?:blog |linkedin )?posts?|speech(?:es)?|slogans?|messages?|replies|reply|recipes?|itinerary|ideas?|names? for|captions?|quiz|invitations?|cv|resume|cover letters?)";
const CODE_EN = "(?:code|functions?|scripts?|programs?|quer(?:y|ies)|regex|classes|class)";
const TEXT_DE =
  "(?:e-?mails?|mails?|briefe?|gedichte?|lied|lieder|witze?|geschichten?|posts?|rede|slogans?|nachrichten?|antwort|rezepte?|ideen|code|funktion|skript|programm|einladung|lebenslauf|bewerbung)";
const TEXT_FR =
  "(?:e-?mails?|mails?|courriels?|lettres?|poemes?|chansons?|blagues?|histoires?|posts?|discours|slogans?|messages?|reponse|recettes?|idees|code|fonction|script|programme|invitation|cv)";
const ARTICLES = String.raw`(?:(?:me|us|an?|some|eine?n?|une?|des|la|le|\d{1,2}|(?!about|from|for|with|that|and|the|report|summary|overview|document|file|article|table|uber|aus|mit|bericht|zusammenfassung|dokument|datei|sur|avec|rapport|resume|fichier)[a-z]{3,12}|l')\s?\b){0,5}`;

export const BEYOND: readonly (readonly [Beyond, RegExp])[] = [
  [
    "translate",
    new RegExp(
      String.raw`^(?:${EN}(?:translate\b|how (?:do|would) (?:you|i|we) say\b|what(?:'s| is) [^?\n]{1,60} in (?:english|german|french|spanish|italian|portuguese|dutch|polish|turkish|russian|arabic|chinese|japanese|korean|greek|latin)\b)|${DE}(?:ubersetze?\b|wie sagt man\b|was (?:heisst|heißt)\b[^?\n]{1,60}\bauf\b)|${FR}(?:traduis|traduisez|traduire\b|comment (?:dit-on|dire|on dit)\b))`,
      "i",
    ),
  ],
  [
    "rewrite",
    new RegExp(
      String.raw`^(?:${EN}(?:(?:make|keep) (?:it|that|this|the (?:text|answer|summary))(?: a (?:bit|little))?(?: much| even)? (?:shorter|longer|simpler|clearer|better|nicer|funnier|more \w+|less \w+)|(?:shorter|simpler|in (?:simple|plain|other|your own) (?:words|english))(?:,? please)?\s*[.!]*$|(?:rewrite|rephrase|paraphrase|reword|shorten|simplify|improve|proofread|polish)\b|(?:correct|fix|check) (?:my|the|this|these) (?:grammar|spelling|english|german|text|typos?|sentences?|email|letter)|explain [^?\n]{0,60}(?:simply|simpler\\b|in (?:simple|simpler|plain|other) (?:words|terms)|like i(?:'m| am) (?:five|5)|to a (?:child|beginner)))|${DE}(?:(?:kurzer|einfacher|in einfachen worten)(?:,? bitte)?\s*[.!]*$|mache? (?:es|das|den text) (?:kurzer|langer|einfacher|besser|\w+er)\b|formuliere?\b[^?\n]{0,60}\bum\b|(?:kurze|verbessere|korrigiere|uberarbeite) (?:den|das|die|es|meine?n?|diesen?)\b|umformulieren\b)|${FR}(?:(?:plus (?:court|simple)|en mots simples)\s*[.!]*$|(?:rends|fais)(?:-le|-la)? (?:ca |cela |le texte )?plus \w+|(?:reformule|raccourcis|simplifie|ameliore|corrige)[rsz]?\b))`,
      "i",
    ),
  ],
  [
    "table",
    new RegExp(
      String.raw`^(?:${EN}(?:make|create|give|build|show|draw|write|generate|put)(?: me| us)? (?:an? |the )?(?:\w+ )?table (?:of|with|about|for|comparing|showing|that)\b|${DE}(?:mache?|erstelle?|zeige?|schreibe?)(?: mir)? (?:eine |die )?(?:\w+ )?tabelle (?:mit|uber|von|der|aller)\b|${FR}(?:fais|cree|dresse|montre|donne)(?:-moi)? (?:un |le )?tableau (?:de|des|du|avec|sur)\b)`,
      "i",
    ),
  ],
  [
    "compose",
    new RegExp(
      String.raw`^(?:${EN}(?:write|draft|compose|tell|invent|make up|come up with|create|generate|suggest|give|think of)\b ${ARTICLES}\b${TEXT_EN}\b|${EN}(?:write|create|generate|program|code)\b ${ARTICLES}\b${CODE_EN}\b|${DE}(?:schreibe?|verfasse?|entwirf|erzahle?|erfinde|erstelle?|gib|dichte|programmiere?)\b ${ARTICLES}\b${TEXT_DE}\b|${FR}(?:ecris|ecrivez|ecrire|redige[rz]?|raconte|invente|cree|donne|propose|compose)(?:-moi)? ${ARTICLES}\b${TEXT_FR}\b)`,
      "i",
    ),
  ],
];

/** Asks whether the previous answer is right. */
export const SURE =
  /^(?:(?:are|is) (?:you|that|this|it) (?:really |absolutely )?(?:sure|certain|right|correct|true)(?: about (?:that|this|it))?|how do you know(?: (?:that|this))?|(?:bist du|sind sie) (?:dir |sich )?(?:da )?(?:ganz )?sicher|stimmt das(?: wirklich)?|ist das (?:wahr|richtig|sicher)|woher wei(?:ss|ß)t du das|(?:tu )?es(?:-| )tu sur(?:e)?|c'est (?:vrai|sur|correct|exact)|(?:en )?es-tu certaine?|comment le sais-tu)\s*[?.!]*$/i;

/** Asks for more of the previous answer. */
export const MORE =
  /^(?:(?:please |and |ok,? )?(?:continue|go on|keep going|more|tell me more|show(?: me)? more|anything else|what else|next|more details?)(?: please| about (?:it|that|this))?|(?:bitte )?(?:weiter|mach weiter|mehr(?: dazu| davon| bitte)?|erzahl mehr|noch mehr|was noch|sonst noch (?:was|etwas))(?: bitte)?|(?:continue[rz]?|encore|plus(?: de details)?|la suite|quoi d'autre|dis-m'en plus)(?: s'il te plait)?)\s*[?.!]*$/i;

export const STOP =
  /^(?:(?:please )?(?:stop(?: it| that| please)?|cancel(?: it| that)?|abort|never ?mind|quit|enough)|(?:bitte )?(?:stopp?|halt|abbrechen|brich ab|hor auf|egal|schon gut)|(?:arrete|annule|stop|laisse tomber|tant pis))\s*[.!]*$/i;

/** Asks why a request was not read from the provider's cache. */
export const CACHED =
  /^(?:(?:and |so )?(?:why|how come)\b[^?\n]{0,30}(?:\bnot|n't|\bnothing)\b[^?\n]{0,30}\bcached?\b|(?:and |so )?why[^?\n]{0,30}\bcache miss|(?:was|is|were|are) (?:this|that|it|the (?:last )?(?:answer|request|message))\b[^?\n]{0,30}\bcached?\b|(?:warum|wieso|weshalb)\b[^?\n]{0,60}\b(?:cache|gecacht|gecached|zwischengespeichert)\b|pourquoi\b[^?\n]{0,60}\b(?:cache|mise? en cache)\b)[^?\n]{0,30}[?.!]*$/i;
