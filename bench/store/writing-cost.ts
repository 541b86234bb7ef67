/**
 * The cost of writing at each length. The lengths alternate, and each round of the store is followed by a bare INSERT
 * of the same events, so that all have the same conditions. Long conversations continue where they were; short ones
 * begin again from a copy, so that they stay short. A figure is the sum over all rounds, including the snapshots, the
 * indexing and the copying of the log during these rounds.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ROUNDS_PER_TURN } from "./conversation-script.ts";
import { BareTable } from "./floor.ts";
import { Spending } from "./spending.ts";
import type { StoreResult } from "./store-result.ts";
import { StoredConversation } from "./stored-conversation.ts";

const CYCLES = 8;
/** Number of rounds, large enough to include the search index, which indexes words once in 85 rounds. */
const ROUNDS_PER_CYCLE = 96;
/** A conversation is measured over at most as many rounds as it had at the beginning. */
const roundsFor = (rounds: number) =>
  Math.min(ROUNDS_PER_CYCLE, Math.max(1, Math.floor(rounds / ROUNDS_PER_TURN)) * ROUNDS_PER_TURN);

export async function measureWriting(dir: string, sizes: readonly number[]): Promise<StoreResult[]> {
  const bare = new BareTable(dir);
  const subjects = sizes.map((rounds) => ({ rounds, own: new Spending(), floor: new Spending(), turns: 0 }));
  const open = new Map<number, StoredConversation>();
  for (let cycle = 0; cycle < CYCLES; cycle++)
    for (const subject of subjects) {
      const { rounds } = subject;
      const known = open.get(rounds);
      const base = join(dir, String(rounds));
      const conversation =
        known ?? (await StoredConversation.openCopy(base, join(dir, `${rounds} cycle ${cycle}`), rounds));
      for (let left = roundsFor(rounds); left > 0; left -= ROUNDS_PER_TURN, subject.turns++)
        for (let nth = 0; nth < ROUNDS_PER_TURN; nth++) {
          const events = conversation.next();
          await subject.own.on(() => conversation.append(events));
          await subject.floor.on(() => bare.append(events));
        }
      await subject.own.on(() => conversation.checkpoint());
      await subject.floor.on(() => bare.checkpoint());
      if (rounds >= ROUNDS_PER_CYCLE * CYCLES) open.set(rounds, conversation);
      else {
        await conversation.close();
        rmSync(conversation.dir, { recursive: true });
      }
    }
  for (const conversation of open.values()) await conversation.close();
  bare.close();
  return subjects.flatMap(({ rounds, own, floor, turns }) => [
    ...perTurn("store", rounds, own.per(turns)),
    ...perTurn("bare INSERT", rounds, floor.per(turns)),
  ]);
}

export function perTurn(subject: string, rounds: number, turn: { ms: number; bytes: number }): StoreResult[] {
  return [
    { subject, name: "append", rounds, value: turn.ms / ROUNDS_PER_TURN, unit: "ms" },
    { subject, name: "turn", rounds, value: turn.ms, unit: "ms" },
    { subject, name: "bytes per turn", rounds, value: turn.bytes / 1_024, unit: "KB" },
  ];
}
