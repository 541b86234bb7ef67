/**
 * The cost of reading at each length. The lengths alternate, so that all run under the same conditions. The figure for
 * following is a median, because following waits for another process; each other figure is the value that one call in
 * ten does not exceed.
 */
import { join } from "node:path";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { resultPath } from "./conversation-script.ts";
import { medianOf, timeOf, undisturbed } from "./spending.ts";
import type { StoreResult } from "./store-result.ts";
import { KEY } from "./stored-conversation.ts";

const TIMES = 101;

export async function measureReading(dir: string, sizes: readonly number[]): Promise<StoreResult[]> {
  const samples = new Map<string, number[]>();
  const subjects: { rounds: number; store: EmbeddedStore; other: EmbeddedStore }[] = [];
  for (const rounds of sizes) {
    const options = { dir: join(dir, String(rounds)) };
    const [store, other] = [await openEmbeddedStore(options), await openEmbeddedStore(options)];
    // Words that wait for the index are indexed first, because their cost belongs to the appends.
    await store.search(KEY, "w1");
    subjects.push({ rounds, store, other });
  }
  const note = (rounds: number, name: string, ms: number) => {
    const key = `${rounds} ${name}`;
    samples.set(key, [...(samples.get(key) ?? []), ms]);
  };
  for (let nth = 0; nth < TIMES; nth++)
    for (const { rounds, store } of subjects) {
      const path = resultPath(Math.floor((rounds * nth) / TIMES));
      note(rounds, "load", await timeOf(() => store.load(KEY)));
      note(rounds, "findByPath", await timeOf(() => store.findByPath(KEY, path)));
      note(rounds, "search", await timeOf(() => store.search(KEY, `w${17 + nth} w4711`, { limit: 20 })));
      note(rounds, "search one word", await timeOf(() => store.search(KEY, `w${17 + nth}`, { limit: 20 })));
    }
  for (const { rounds, store, other } of subjects) {
    for (const ms of await followLatency(store, store)) note(rounds, "follow, same process's store", ms);
    for (const ms of await followLatency(store, other)) note(rounds, "follow, another connection", ms);
    await store.close();
    await other.close();
  }
  return [...samples].flatMap(([key, all]) => {
    const at = key.indexOf(" ");
    const [rounds, name] = [Number(key.slice(0, at)), key.slice(at + 1)];
    const result = { subject: "store", rounds, unit: "ms" } as const;
    if (name.startsWith("follow")) return [{ ...result, name, value: medianOf(all) }];
    const figure = { ...result, name, value: undisturbed(all) };
    return name === "load" ? [figure, { ...result, name: "load, median", value: medianOf(all) }] : [figure];
  });
}

/** Time from the acknowledgement of an append through `writer` to its arrival at a follower of `reader`. */
async function followLatency(reader: EmbeddedStore, writer: EmbeddedStore): Promise<number[]> {
  const { last_seq } = await reader.getConversation(KEY);
  const stop = new AbortController();
  let arrive: (at: number) => void = () => {};
  const following = (async () => {
    for await (const _ of reader.follow(KEY, { after: last_seq, signal: stop.signal })) arrive(performance.now());
  })();
  const times: number[] = [];
  for (let nth = 0; nth < 21; nth++) {
    // A short pause, so that measurements do not coincide with the polling.
    await new Promise((resolve) => setTimeout(resolve, 7));
    const arrived = new Promise<number>((resolve) => {
      arrive = resolve;
    });
    await writer.append(KEY, [makeEvent("cancel.requested", { key: `${last_seq} ${nth}`, ts: "t" })]);
    const acknowledged = performance.now();
    times.push(Math.max(0, (await arrived) - acknowledged));
  }
  stop.abort();
  await following;
  return times;
}
