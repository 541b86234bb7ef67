/**
 * Words that are written as one and read as several, or the other way round: `getUserName`, `user_name`, `e-mail`,
 * `src/index.ts`, `5km`, `1,000.50`. Their words are found one by one anyway; here are the whole and the parts.
 */
import { LONGEST_WORD, type Token } from "./tokens.ts";

const JOINTS = new Set(["-", "_", ".", "/", ":", ",", "'", "’"]);
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;
const HAS_PARTS = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u;
const DIGITS = /^\d+$/;
const MOST_JOINED = 6;

export interface Compounds {
  readonly wholes: readonly string[];
  /** Words of their own: they have stems. */
  readonly parts: readonly string[];
}

export function compoundsIn(tokens: readonly Token[]): Compounds {
  const wholes: string[] = [];
  const parts: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined || token.spaceless) continue;
    if (token.raw.length <= LONGEST_WORD && HAS_PARTS.test(token.raw)) parts.push(...partsOf(token.raw));
    if (token.joint !== "" && JOINTS.has(token.joint)) continue;
    const chain = chainFrom(tokens, at);
    if (chain.length > 1) wholes.push(...joined(chain));
  }
  return { wholes, parts };
}

/** The word at `at` and those joined to it. */
function chainFrom(tokens: readonly Token[], at: number): Token[] {
  const chain: Token[] = [];
  for (let next = at; next < tokens.length; next++) {
    const token = tokens[next];
    if (token === undefined || token.spaceless || (next > at && !JOINTS.has(token.joint))) break;
    chain.push(token);
  }
  return chain;
}

function partsOf(raw: string): string[] {
  const parts = (raw.match(HUMPS) ?? []).map((part) => part.toLowerCase());
  return parts.length < 2 ? [] : parts.filter((part) => part.length > 1 || DIGITS.test(part));
}

function joined(chain: readonly Token[]): string[] {
  if (chain.every(({ word }) => DIGITS.test(word))) return numbers(chain);
  if (chain.length > MOST_JOINED || chain.some(({ joint }) => joint === "'" || joint === "’" || joint === ","))
    return [];
  const whole = chain.map(({ word, joint }, nth) =>
    nth === 0 || joint === "-" || joint === "_" ? word : joint + word,
  );
  const text = whole.join("");
  return text.length <= LONGEST_WORD ? [text] : [];
}

/** `1,000` and `1.000` are a thousand, `3.14` is not; where a number can be read both ways, both are meant. */
function numbers(chain: readonly Token[]): string[] {
  const [first = "", ...rest] = chain.map(({ word }) => word);
  const last = rest.at(-1) ?? "";
  if (chain.slice(1).some(({ joint }) => joint !== "." && joint !== "," && joint !== "'" && joint !== "’")) return [];
  const isGrouped = (groups: readonly string[]) => groups.every((group) => group.length === 3);
  const found: string[] = [];
  if (first.length <= 3 && isGrouped(rest)) found.push(first + rest.join(""));
  if (isGrouped(rest.slice(0, -1))) {
    const fraction = last.replace(/0+$/, "");
    const whole = first + rest.slice(0, -1).join("");
    found.push(fraction === "" ? whole : `${whole}.${fraction}`);
  }
  return found.filter((number) => number.length <= LONGEST_WORD);
}
