/**
 * Tool names on the wire. Providers allow letters, digits, `_` and `-`, up to a certain length; the registry also uses
 * dots.
 *
 * The rule: a dot becomes two underscores (`react.read` ↔ `react__read`), any other forbidden character becomes one. A
 * name that would be too long, or that is already taken, is cut and ends in eight digits of its hash. If the provider
 * allows no digit or hyphen at the beginning, an underscore is put before the name. Names in an answer are converted
 * back with a table that was made for the request; an unknown name is returned unchanged.
 */
import { hashText } from "@cairn/timeline";
import type { ToolNameRule } from "./providers/provider.ts";

export interface ToolNames {
  toWire(name: string): string;
  fromWire(wireName: string): string;
}

const HASH_DIGITS = 8;
const COMMON_RULE: ToolNameRule = { maxLength: 64, startsWithAny: true };

/** `others`: the rule for tools that are no longer offered but whose earlier calls are still sent (default: `rule`). */
export function wireToolNames(
  names: readonly string[],
  rule: ToolNameRule = COMMON_RULE,
  others: ToolNameRule = rule,
): ToolNames {
  const wireOf = new Map<string, string>();
  const nameOf = new Map<string, string>();
  const take = (name: string, wireName: string) => {
    wireOf.set(name, wireName);
    nameOf.set(wireName, name);
  };
  for (const name of names) if (isLegal(name, rule)) take(name, name);
  for (const name of [...names].sort()) {
    if (wireOf.has(name)) continue;
    const spelled = spell(name, rule);
    take(name, isLegal(spelled, rule) && !nameOf.has(spelled) ? spelled : withHash(spelled, name, rule));
  }
  const spellOther = (name: string) => {
    const [spelled, hashed] = [spell(name, others), withHash(spell(name, others), name, others)];
    return isLegal(spelled, others) && !nameOf.has(hashed) ? spelled : hashed;
  };
  return {
    toWire: (name) => wireOf.get(name) ?? spellOther(name),
    fromWire: (wireName) => nameOf.get(wireName) ?? wireName,
  };
}

function isLegal(name: string, { maxLength, startsWithAny }: ToolNameRule): boolean {
  return name.length <= maxLength && /^[a-zA-Z0-9_-]+$/.test(name) && (startsWithAny || /^[a-zA-Z_]/.test(name));
}

function spell(name: string, { startsWithAny }: ToolNameRule): string {
  const spelled = name.replaceAll(".", "__").replace(/[^a-zA-Z0-9_-]/g, "_");
  return startsWithAny || /^[a-zA-Z_]/.test(spelled) ? spelled : `_${spelled}`;
}

function withHash(spelled: string, name: string, { maxLength }: ToolNameRule): string {
  return `${spelled.slice(0, maxLength - HASH_DIGITS - 1)}_${hashText(name).slice(0, HASH_DIGITS)}`;
}
