/** Branches of the reference store: copies that remember whose events they began with. */
import type { TurnVersions } from "@cairn/store";
import type { MemoryConversation, MemoryData } from "./memory-data.ts";
import { forkConversation } from "./memory-fork.ts";
import { listTurns } from "./memory-reads.ts";

export function branchConversation(...given: Parameters<typeof forkConversation>): MemoryConversation {
  const [data, source, seq] = given;
  const made = forkConversation(...given);
  made.forked_from = { ...(made.forked_from ?? { conversation: "", seq }), branch: true };
  // The branch contains the rows themselves and no copies, so each row counts once.
  made.journal.splice(0, seq, ...source.journal.slice(0, seq));
  made.tree = source.tree;
  made.owners = source.journal.slice(0, seq).map((_, nth) => ownerOf(source, nth + 1));
  made.artifacts.push(...source.artifacts.filter((each) => (source.savedBefore.get(each.id) ?? 0) <= seq));
  for (const { id } of made.artifacts) made.savedBefore.set(id, source.savedBefore.get(id) ?? 0);
  show(data, made);
  return made;
}

/** The number of the conversation that has appended the event. */
function ownerOf({ owners, number }: MemoryConversation, seq: number): number {
  return owners[seq - 1] ?? number;
}

export function membersOf(data: MemoryData, { tree }: MemoryConversation): MemoryConversation[] {
  return [...data.conversations.values()].filter((each) => each.tree === tree).sort((a, b) => a.number - b.number);
}

export function show(data: MemoryData, shown: MemoryConversation): void {
  for (const each of membersOf(data, shown)) {
    if (each !== shown && each.listed) shown.last_activity_at = Math.max(shown.last_activity_at, each.last_activity_at);
    each.listed = each === shown;
  }
}

/** When the listed conversation is removed, lists the conversation of the tree that was active last. */
export function showAnother(data: MemoryData, removed: MemoryConversation): void {
  const others = membersOf(data, removed);
  if (!removed.listed || others.length === 0) return;
  const last = others.reduce((a, b) => (b.last_activity_at >= a.last_activity_at ? b : a));
  last.listed = true;
}

/** Conversations that share all turns before a turn have versions of that turn. */
export function versionsOf(data: MemoryData, asked: MemoryConversation): TurnVersions[] {
  const turnsOf = (each: MemoryConversation) => listTurns(each.journal).map(({ opened_seq }) => opened_seq);
  const rowAt = ({ journal }: MemoryConversation, seq: number | undefined) => journal[(seq ?? 0) - 1];
  const members = membersOf(data, asked).map((each) => ({ each, turns: turnsOf(each) }));
  const mine = turnsOf(asked);
  return mine.flatMap((opened, nth) => {
    const versions = new Map<object, { owner: number; each: MemoryConversation }>();
    for (const { each, turns } of members) {
      const isSame = (before: number | undefined, n: number) => rowAt(each, turns[n]) === rowAt(asked, before);
      const row = rowAt(each, turns[nth]);
      if (row === undefined || !mine.slice(0, nth).every(isSame)) continue;
      const known = versions.get(row);
      if (known?.each === asked) continue;
      if (known === undefined || each === asked || each.last_activity_at >= known.each.last_activity_at)
        versions.set(row, { owner: ownerOf(each, turns[nth] ?? 0), each });
    }
    const inOrder = [...versions].sort(([, a], [, b]) => a.owner - b.owner);
    if (inOrder.length < 2) return [];
    const own = rowAt(asked, opened);
    return {
      turn: nth + 1,
      conversations: inOrder.map(([, { each }]) => each.key.conversation),
      current: inOrder.findIndex(([row]) => row === own),
    };
  });
}
