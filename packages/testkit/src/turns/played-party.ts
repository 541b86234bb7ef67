/** The turn of twelve rounds played to its end in several attempts, and its outcome. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordedRequests } from "@cairn/agent";
import { type Block, makeEvent } from "@cairn/timeline";
import { startChild } from "../store/crash/child-process.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { ManualClock } from "../store/suite/opened-store.ts";
import { comparable } from "./comparable.ts";
import { Life } from "./life.ts";
import { TurnBench } from "./turn-bench.ts";
import type { TurnOrder } from "./turn-child.ts";
import { OPENING, partyHooks, partyScript, partyTools, RISKY } from "./twelve-rounds.ts";

export interface PlayedParty {
  /** Every step of every attempt. */
  readonly steps: readonly string[];
  /** Calls that were running when a process crashed and that must not run twice, by id. */
  readonly inDoubt: ReadonlyMap<string, string>;
  /** The content of the conversation, without ids and times. */
  readonly held: unknown;
  readonly blocks: readonly Block[];
  /** How often each effect happened. */
  readonly effects: ReadonlyMap<string, number>;
  /** Requests that the provider rejected. */
  readonly refused: readonly unknown[];
  readonly defects: readonly unknown[];
  /** Requests that changed content that was already sent, without declaring it. */
  readonly undeclared: readonly unknown[];
  /** What is unfinished at the end: unprocessed inputs, calls without an outcome, and a turn without an end. */
  readonly pending: number;
}

export interface PartyPlace {
  /** Whether the turn is played on a branch whose first message is in a deleted conversation. */
  readonly isBranch: boolean;
}

/** Plays the conversation in this process. Each attempt except the last crashes at a step. */
export async function playParty(kills: readonly number[], { isBranch }: PartyPlace): Promise<PlayedParty> {
  const clock = new ManualClock();
  const effects: string[] = [];
  let life = new Life(null);
  await using bench: TurnBench = await TurnBench.open({
    openStore: async () => new MemoryStore(clock),
    agent: {
      budgets: { iterations: 60 },
      hooks: partyHooks,
      tools: partyTools({
        pass: (step) => life.pass(step),
        effect: (name) => effects.push(name),
        say: (key, message, mode, output) =>
          bench.append(
            makeEvent("input.received", {
              key,
              mode,
              message,
              attachments: [],
              ts: "2026-02-09T10:00:00Z",
              ...(output === undefined ? {} : { output }),
            }),
          ),
      }),
    },
  });
  bench.simulator.script([partyScript]);
  await bench.say(OPENING);
  if (isBranch) await bench.moveToBranch();
  const steps: string[] = [];
  const inDoubt = new Map<string, string>();
  for (const killAt of [...kills, null]) {
    life = new Life(killAt);
    try {
      await liveOn(bench, life);
    } catch (error) {
      if (error !== life.death) throw error;
    }
    steps.push(...life.steps);
    if (life.isOver) await noteDoubts(bench, inDoubt);
    clock.tick(60_000);
  }
  return await report(bench, { steps, inDoubt, effects });
}

async function liveOn(bench: TurnBench, life: Life): Promise<void> {
  const { signal } = life;
  const agent = { ...bench.agent, model: life.model(bench.agent.model) };
  while ((await bench.run({ agent, signal, store: life.store(bench.store) })).status !== "idle");
}

/** Plays the conversation in separate processes: each except the last is killed after this many reported steps. */
export async function playPartyInChildren(kills: readonly number[], { isBranch }: PartyPlace): Promise<PlayedParty> {
  await using bench = await TurnBench.open();
  bench.simulator.script([partyScript]);
  await bench.say(OPENING);
  if (isBranch) await bench.moveToBranch();
  const effects = join(bench.folder, "effects");
  writeFileSync(effects, "");
  const order: TurnOrder = { folder: bench.folder, baseUrl: bench.simulator.baseUrl, key: bench.key, effects };
  const steps: string[] = [];
  const inDoubt = new Map<string, string>();
  for (const killAfter of [...kills, Number.POSITIVE_INFINITY]) {
    let said = 0;
    const child = startChild(new URL("./turn-child.ts", import.meta.url), order, {
      onLine: () => {
        if (++said === killAfter) child.process.kill("SIGKILL");
      },
    });
    const { code, signal, lines, stderr } = await child.exited;
    if (code !== 0 && signal !== "SIGKILL") throw new Error(`The child ended with ${signal ?? code}: ${stderr}`);
    steps.push(...lines);
    await noteDoubts(bench, inDoubt);
  }
  return await report(bench, { steps, inDoubt, effects: readFileSync(effects, "utf8").trim().split("\n") });
}

async function noteDoubts(bench: TurnBench, inDoubt: Map<string, string>): Promise<void> {
  const { state } = await bench.store.load(bench.key);
  for (const { call_id, tool_id } of state.unsettled.values()) if (RISKY.has(tool_id)) inDoubt.set(call_id, tool_id);
}

async function report(
  bench: TurnBench,
  seen: Pick<PlayedParty, "steps" | "inDoubt"> & { readonly effects: readonly string[] },
): Promise<PlayedParty> {
  const { state } = await bench.store.load(bench.key);
  return {
    ...seen,
    effects: new Map([...Map.groupBy(seen.effects, (name) => name)].map(([name, all]) => [name, all.length])),
    held: await comparable(bench.store, bench.key),
    blocks: state.window.map(({ block }) => block),
    refused: bench.simulator.requests.filter(({ status, aborted }) => status !== 200 && !aborted),
    defects: await bench.store.verifyConversation(bench.key),
    undeclared: (await Array.fromAsync(recordedRequests(bench.store, bench.key)))
      .map(({ n, miss }) => ({ n, miss }))
      .filter(({ miss }) => miss?.cause === "undeclared"),
    pending: state.pendingInputs.size + state.unsettled.size + (state.openTurn === null ? 0 : 1),
  };
}
