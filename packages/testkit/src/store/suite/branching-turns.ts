/** Turns for the suites of branches. */
import { makeEvent } from "@cairn/timeline";
import type { Store } from "./opened-store.ts";
import { TS, Writer } from "./writer.ts";

/** A conversation with three turns, and the seq after each. */
export async function threeTurns(store: Store, key: Parameters<typeof Writer.create>[1]) {
  const writer = await Writer.create(store, key);
  const ends: number[] = [];
  for (const [nth, words] of ["ocelot", "margay", "kodkod"].entries())
    ends.push((await writer.turn(`turn_${nth + 1}`, `${words} question`, `${words} answer`)).lastSeq);
  return { writer, ends: ends as [number, number, number] };
}

export async function addTurn(store: Store, key: Parameters<typeof Writer.create>[1], id: string, words: string) {
  const { token, last_timeline_seq } = await store.acquireLease(key, "w", 60_000);
  const { state } = await store.load(key);
  const block = (type: string, text: string, position: number) =>
    makeEvent("block.appended", { position, tokens: 1, version: 1, block: { type, turn_id: id, text } });
  const events = [
    makeEvent("turn.opened", { turn_id: id, ts: TS }),
    block("user.prompt", `${words} question`, state.nextPosition),
    block("assistant.completion", `${words} answer`, state.nextPosition + 1),
    makeEvent("turn.closed", { turn_id: id, ts: TS, exit: "complete" }),
  ];
  const appended = await store.append(key, events, { lease: { token, expectedSeq: last_timeline_seq } });
  await store.releaseLease(key, token);
  return appended;
}
