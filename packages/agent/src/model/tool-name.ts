/**
 * Tool names on the wire. Providers take letters, digits, `_` and `-`, at most 64 of them; the registry also has dots.
 *
 * The rule: a dot becomes two underscores (`react.read` ↔ `react__read`), any other character one. A name that would be
 * too long, or that another tool has already, ends in eight digits of its own hash instead. Names come back through the
 * table of the request they were sent with, so every tool is found again whatever it is called; a name the table does
 * not know comes back as it is.
 */
import { hashText } from "@cairn/timeline";

export interface ToolNames {
  toWire(name: string): string;
  fromWire(wireName: string): string;
}

const LONGEST = 64;
const HASH_DIGITS = 8;
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;

export function wireToolNames(names: readonly string[]): ToolNames {
  const wireOf = new Map<string, string>();
  const nameOf = new Map<string, string>();
  const take = (name: string, wireName: string) => {
    wireOf.set(name, wireName);
    nameOf.set(wireName, name);
  };
  for (const name of names) if (LEGAL.test(name)) take(name, name);
  for (const name of [...names].sort()) {
    if (wireOf.has(name)) continue;
    const spelled = spell(name);
    take(name, LEGAL.test(spelled) && !nameOf.has(spelled) ? spelled : withHash(spelled, name));
  }
  return {
    toWire: (name) => wireOf.get(name) ?? spell(name),
    fromWire: (wireName) => nameOf.get(wireName) ?? wireName,
  };
}

function spell(name: string): string {
  return name.replaceAll(".", "__").replace(/[^a-zA-Z0-9_-]/g, "_");
}

function withHash(spelled: string, name: string): string {
  return `${spelled.slice(0, LONGEST - HASH_DIGITS - 1)}_${hashText(name).slice(0, HASH_DIGITS)}`;
}
