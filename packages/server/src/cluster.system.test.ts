/**
 * Tests many processes over one PostgreSQL and one S3: no message is lost, repeated or out of order, even if processes
 * die.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { StoredEvent } from "@cairn/store";
import {
  type PostgresServer,
  type S3Server,
  startPostgres,
  startS3Server,
  whyNoPostgres,
  whyNoS3Server,
} from "@cairn/testkit/store";
import { describe, expect, it } from "vitest";
import { ClusterBench } from "../test/cluster/cluster-bench.ts";
import { SteadfastClient } from "../test/cluster/steadfast-client.ts";

const missing = whyNoPostgres() ?? whyNoS3Server();
const IS_LONG = process.env.CAIRN_LONG === "1";
const CONVERSATIONS = IS_LONG ? 200 : 6;
const TURNS = IS_LONG ? 10 : 5;
const KILL_EVERY_MS = 3_000;
const S3_AWAY_MS = IS_LONG ? 30_000 : 4_000;
const MAX_MS = IS_LONG ? 7_200_000 : 1_800_000;
/** Number of concurrent conversations of one client. When a conversation ends, another one starts. */
const AT_ONCE = 20;
/**
 * Maximum pause between two messages of a conversation. The pauses make few messages last until the last failure is
 * over.
 */
const PAUSE_MS = IS_LONG ? 1_000 : 6_000;

interface Heard {
  readonly id: string;
  /** The conversation begins with events of a deleted conversation. */
  readonly isBranch: boolean;
  readonly acknowledged: readonly { readonly input_key: string; readonly turn_id: string; readonly seq: number }[];
  /** The events that two followers received, in order. */
  readonly followed: readonly (readonly { readonly seq: number; readonly kind: string }[])[];
}

describe.skipIf(missing !== null)(`a cluster of processes${missing === null ? "" : ` (${missing})`}`, () => {
  it(`completes ${CONVERSATIONS} × ${TURNS} turns once each while workers, PostgreSQL and S3 fail`, {
    timeout: MAX_MS,
  }, async () => {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3Server()]);
    await using bench = await ClusterBench.start({ postgres, s3 }, { servers: IS_LONG ? 3 : 2, workers: 3 });
    const client = new SteadfastClient((nth) => bench.address(nth));
    const over = new AbortController();
    const chaos = wreck(bench, { postgres, s3 }, over.signal);
    const heard: Heard[] = [];
    const numbers = Array.from({ length: CONVERSATIONS }, (_, nth) => nth);
    const converseOn = async () => {
      for (let nth = numbers.shift(); nth !== undefined; nth = numbers.shift()) heard.push(await converse(client, nth));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, converseOn));
    over.abort();
    const kills = await chaos;
    expect(kills).toBeGreaterThan(2);

    const ran = countEach(await bench.effects());
    const exits: string[] = [];
    for (const { id, isBranch, acknowledged, followed } of heard) {
      const key = { tenant: "local", project: "default", user: "me", conversation: id };
      const events = await bench.store.readEvents(key, { limit: 10_000 });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, nth) => nth + 1));
      const { forked_from } = await bench.store.getConversation(key);
      expect(forked_from !== null).toBe(isBranch);
      for (const seen of followed)
        expect(seen).toEqual(events.slice(0, seen.length).map(({ seq, event }) => ({ seq, kind: event.kind })));
      judgeTurns(events.slice((acknowledged[0]?.seq ?? 0) - 1), acknowledged);
      exits.push(...bodiesOf(events, "turn.closed").map(({ exit }) => String(exit)));
      const settled = bodiesOf(events, "call.settled");
      expect(new Set(settled.map(({ call_id }) => call_id)).size).toBe(settled.length);
      for (const { call_id, outcome } of settled)
        if (outcome === "ok") expect([call_id, ran.get(String(call_id))]).toEqual([call_id, 1]);
      expect(await bench.store.verifyConversation(key)).toEqual([]);
    }
    expect([...ran.values()].filter((times) => times > 1)).toEqual([]);
    expect(exits).toEqual(Array.from({ length: CONVERSATIONS * TURNS }, () => "complete"));
  });
});

/** Sends all messages at once, and follows the conversation until all are answered. */
async function converse(client: SteadfastClient, nth: number): Promise<Heard> {
  const isBranch = nth % 2 === 1;
  const { conversation_id } = await client.post("/api/conversations", {});
  const id = isBranch ? await branchOff(client, conversation_id, nth) : conversation_id;
  const following = Promise.all([1, 2].map(() => followToEnd(client, id, TURNS)));
  const acknowledged: Heard["acknowledged"][number][] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    acknowledged.push(await client.say(id, `Please act: ${nth}.${turn}`, `key-${nth}-${turn}`));
    await wait(Math.random() * PAUSE_MS);
  }
  return { id, isBranch, acknowledged, followed: await following };
}

/** Makes another version of the first turn, without its message, and deletes the original conversation. */
async function branchOff(client: SteadfastClient, trunk: string, nth: number): Promise<string> {
  const { turn_id } = await client.say(trunk, `Please act: ${nth}.trunk`, `key-${nth}-trunk`);
  await followToEnd(client, trunk, 1);
  const { conversation_id } = await client.post(`/api/conversations/${trunk}/branch`, {
    before: turn_id,
    message: null,
  });
  await client.delete(`/api/conversations/${trunk}?versions=this`);
  return conversation_id;
}

async function followToEnd(client: SteadfastClient, id: string, turns: number) {
  const seen: { readonly seq: number; readonly kind: string }[] = [];
  let closed = 0;
  for await (const { id: seq, event } of client.follow(id)) {
    if (seq === null) continue;
    seen.push({ seq: Number(seq), kind: event });
    if (event === "turn.closed" && ++closed === turns) break;
  }
  return seen;
}

/**
 * Kills a worker every few seconds, stops and crashes the database once each, and stops S3. Returns the number of
 * killed workers.
 */
async function wreck(
  bench: ClusterBench,
  { postgres, s3 }: { readonly postgres: PostgresServer; readonly s3: S3Server },
  over: AbortSignal,
): Promise<number> {
  const pause = (ms: number) => wait(ms, undefined, { signal: over }).catch(() => undefined);
  const killing = (async () => {
    let kills = 0;
    for (await pause(KILL_EVERY_MS); !over.aborted; await pause(KILL_EVERY_MS)) await bench.killWorker(kills++);
    return kills;
  })();
  await pause(KILL_EVERY_MS);
  await postgres.stop();
  await postgres.start();
  await pause(KILL_EVERY_MS);
  await s3.stopGateway();
  await pause(S3_AWAY_MS);
  await s3.startGateway();
  await pause(KILL_EVERY_MS);
  await postgres.kill();
  await postgres.start();
  return await killing;
}

/**
 * Checks that every accepted message is stored once, under its seq, and has one turn. The turns are in order, and each
 * opened and closed once.
 */
function judgeTurns(events: readonly StoredEvent[], acknowledged: Heard["acknowledged"]): void {
  const inputs = events.filter(({ event }) => event.kind === "input.received");
  expect(inputs.map(({ seq, event }) => ({ seq, ...pick(event.body, ["key", "turn_id"]) }))).toEqual(
    acknowledged.map(({ seq, input_key, turn_id }) => ({ seq, key: input_key, turn_id })),
  );
  const turns = acknowledged.map(({ turn_id }) => turn_id);
  for (const kind of ["turn.opened", "turn.closed", "input.promoted"])
    expect([kind, ...bodiesOf(events, kind).map(({ turn_id }) => turn_id)]).toEqual([kind, ...turns]);
}

function bodiesOf(events: readonly StoredEvent[], kind: string): readonly Readonly<Record<string, unknown>>[] {
  return events.filter(({ event }) => event.kind === kind).map(({ event }) => pick(event.body));
}

function pick(body: unknown, names?: readonly string[]): Readonly<Record<string, unknown>> {
  const all = Object.entries(Object(body));
  return Object.fromEntries(names === undefined ? all : all.filter(([name]) => names.includes(name)));
}

function countEach(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
