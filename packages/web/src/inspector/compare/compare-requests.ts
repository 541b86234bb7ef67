/** Two requests side by side. Messages are matched by their block, so that a changed block is one change. */
import type { ModelMessage, RequestDetail } from "@cairn/api";
import { spreadJson } from "../parts/spread-json.ts";

export type ComparedRow =
  | {
      readonly kind: "same";
      readonly key: string;
      readonly count: number;
      readonly tokens: number;
      readonly from: number;
    }
  | { readonly kind: "changed"; readonly key: string; readonly before: Compared; readonly after: Compared }
  | { readonly kind: "removed"; readonly key: string; readonly before: Compared }
  | { readonly kind: "added"; readonly key: string; readonly after: Compared };

/** A part of a request: tools, system text or a message. */
export interface Compared {
  readonly part: "tools" | "system" | "stable" | "tail";
  /** Index of the message in the request; null for other parts. */
  readonly index: number | null;
  readonly label: string;
  readonly path: string | null;
  readonly position: number | null;
  readonly text: string;
  readonly tokens: number;
}

export interface Comparison {
  readonly rows: readonly ComparedRow[];
  /** The common beginning: number of stable messages, and tokens including tools and system text. */
  readonly shared: { readonly messages: number; readonly tokens: number };
  /** The first difference; null when one request is the beginning of the other request. */
  readonly firstDifference: { readonly before: Compared | null; readonly after: Compared | null } | null;
  readonly counts: { readonly changed: number; readonly removed: number; readonly added: number };
}

interface Item {
  readonly part: Compared;
  readonly hash: string;
}

export function compareRequests(before: RequestDetail, after: RequestDetail): Comparison {
  const old = itemsOf(before);
  const now = itemsOf(after);
  const rows = rowsOf(old, now);
  const counts = { changed: 0, removed: 0, added: 0 };
  for (const { kind } of rows) if (kind !== "same") counts[kind]++;
  return { rows, counts, ...sharedPrefix(old, now) };
}

function itemsOf({ tools, system, messages }: RequestDetail): Map<string, Item> {
  const items = new Map<string, Item>();
  const add = (key: string, part: Compared, hash: string) => items.set(key, { part, hash });
  const fixed = { index: null, path: null, position: null };
  add(
    "tools",
    { part: "tools", label: "Tools", ...fixed, text: spreadJson(tools.json), tokens: tools.tokens },
    tools.json,
  );
  add("system", { part: "system", label: "System text", ...fixed, ...system }, system.text);
  const seen = new Map<string, number>();
  for (const message of messages) {
    const name =
      message.positions.length > 0 ? `block ${message.positions.join(",")}` : `${message.part} ${headOf(message)}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    add(`${name} ${nth}`, partOf(message), message.hash);
  }
  return items;
}

function partOf({ part, index, type, text, paths, positions, tokens }: ModelMessage): Compared {
  const label = type ?? (part === "tail" ? "tail" : "message");
  return { part, index, label, path: paths[0] ?? null, position: positions[0] ?? null, text, tokens };
}

/** A message without a block is identified by its first line. */
function headOf({ text }: ModelMessage): string {
  return text.trimStart().split("\n", 1)[0]?.slice(0, 40) ?? "";
}

/** The parts in the order of the later request, with removed parts at their old places. */
function rowsOf(old: ReadonlyMap<string, Item>, now: ReadonlyMap<string, Item>): ComparedRow[] {
  const rows: ComparedRow[] = [];
  const before = [...old];
  const places = new Map(before.map(([key], place) => [key, place]));
  let reached = 0;
  const removeUpTo = (end: number) => {
    for (const [key, { part }] of before.slice(reached, end))
      if (!now.has(key)) rows.push({ kind: "removed", key: `removed ${key}`, before: part });
    reached = Math.max(reached, end);
  };
  for (const [key, { part, hash }] of now) {
    const earlier = old.get(key);
    if (earlier === undefined) {
      rows.push({ kind: "added", key: `added ${key}`, after: part });
      continue;
    }
    removeUpTo(places.get(key) ?? reached);
    const last = rows.at(-1);
    if (earlier.hash !== hash) rows.push({ kind: "changed", key: `changed ${key}`, before: earlier.part, after: part });
    else if (last?.kind === "same")
      rows.splice(-1, 1, { ...last, count: last.count + 1, tokens: last.tokens + part.tokens });
    else rows.push({ kind: "same", key: `same ${key}`, count: 1, tokens: part.tokens, from: part.index ?? 0 });
    reached = Math.max(reached, (places.get(key) ?? 0) + 1);
  }
  removeUpTo(before.length);
  return rows;
}

function sharedPrefix(
  old: ReadonlyMap<string, Item>,
  now: ReadonlyMap<string, Item>,
): Pick<Comparison, "shared" | "firstDifference"> {
  const [left, right] = [stableOf(old), stableOf(now)];
  let tokens = 0;
  let same = 0;
  while (same < left.length && same < right.length && left[same]?.hash === right[same]?.hash)
    tokens += left[same++]?.part.tokens ?? 0;
  const messages = Math.max(0, same - 2);
  const isContinued = same === left.length || same === right.length;
  const firstDifference = isContinued ? null : { before: left[same]?.part ?? null, after: right[same]?.part ?? null };
  return { shared: { messages, tokens }, firstDifference };
}

/** The parts that a provider can cache: all except the tail. */
function stableOf(items: ReadonlyMap<string, Item>): Item[] {
  return [...items.values()].filter(({ part }) => part.part !== "tail");
}
