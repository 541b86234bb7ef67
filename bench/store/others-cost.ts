/**
 * The same conversation stored by other means: by the checkpointer in each mode, if it is installed, and as a file that
 * is rewritten completely.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { importRivals } from "../rivals.ts";
import { CHECKPOINTER_MODES, type CheckpointerExports, type CheckpointerMode } from "./checkpointer.ts";
import { ConversationScript, ROUNDS_PER_TURN } from "./conversation-script.ts";
import { rewriteWhole } from "./floor.ts";
import { medianTime, Spending } from "./spending.ts";
import type { StoreResult } from "./store-result.ts";
import { perTurn } from "./writing-cost.ts";

export async function measureOthers(dir: string, sizes: readonly number[]): Promise<StoreResult[]> {
  const checkpointer = await importRivals<CheckpointerExports>("sqlite-checkpointer.ts");
  const results: StoreResult[] = [];
  for (const rounds of sizes) {
    if (checkpointer !== null)
      for (const mode of CHECKPOINTER_MODES)
        results.push(...(await measureCheckpointer(checkpointer, dir, mode, rounds)));
    const script = new ConversationScript();
    const events = Array.from({ length: rounds + ROUNDS_PER_TURN }, () => script.next()).flat();
    const spending = new Spending();
    const times = repeats(rounds);
    for (let nth = 0; nth < times; nth++) await spending.on(() => rewriteWhole(dir, events));
    results.push(...perTurn("whole file", rounds, spending.per(times)).filter(({ name }) => name !== "append"));
  }
  return results;
}

async function measureCheckpointer(
  { SqliteCheckpointer }: CheckpointerExports,
  dir: string,
  mode: CheckpointerMode,
  rounds: number,
): Promise<StoreResult[]> {
  const folder = join(dir, `checkpointer ${rounds}`);
  mkdirSync(folder, { recursive: true });
  const conversation = new SqliteCheckpointer(folder, mode);
  await conversation.fill(rounds);
  const spending = new Spending();
  // A round of this mode writes the whole state; for a very long one, a single round represents the turn.
  const isHuge = mode === "sync" && rounds >= 10_000;
  const turns = isHuge ? 1 / ROUNDS_PER_TURN : mode === "delta" || mode === "window" ? 12 : repeats(rounds);
  if (isHuge) await spending.on(() => conversation.round());
  else for (let nth = 0; nth < turns; nth++) await spending.on(() => conversation.turn());
  await spending.on(() => conversation.checkpoint());
  const subject = `checkpointer ${mode}`;
  const load = await medianTime(rounds >= 10_000 ? 3 : 7, () => conversation.load());
  conversation.close();
  return [...perTurn(subject, rounds, spending.per(turns)), { subject, name: "load", rounds, value: load, unit: "ms" }];
}

function repeats(rounds: number): number {
  return rounds >= 10_000 ? 2 : rounds >= 1_000 ? 6 : 12;
}
