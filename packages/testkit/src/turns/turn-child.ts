/**
 * The child that is killed in the middle of a turn: it runs pending turns against a simulated provider, prints each
 * step on its standard output, and records its effects in a file, which stands for the outside world.
 */
import "../store/crash/end-with-parent.ts";
import { randomBytes } from "node:crypto";
import { appendFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openStoreWorkspace, runTurn } from "@cairn/agent";
import { type ConversationKey, openEmbeddedStore } from "@cairn/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import { Life } from "./life.ts";
import { simulatedModel } from "./simulated-model.ts";
import { partyHooks, partyTools } from "./twelve-rounds.ts";

export interface TurnOrder {
  readonly folder: string;
  readonly baseUrl: string;
  readonly key: ConversationKey;
  readonly effects: string;
}

const { folder, baseUrl, key, effects }: TurnOrder = JSON.parse(process.argv[2] ?? "{}");
const LEASE_MS = 300;
/** How often these steps occur depends on the speed of the machine, but a reported step must occur in every run. */
const BY_THE_CLOCK = /renewLease|appendStream|dropStream/;

const life = new Life(null, (step) => {
  if (!BY_THE_CLOCK.test(step)) writeSync(1, `${step}\n`);
});
const store = await openEmbeddedStore({ dir: join(folder, "data") });
const workspace = await openStoreWorkspace(store, key, join(folder, "out"));
const tools = partyTools({
  pass: (step) => life.pass(step),
  effect: (name) => appendFileSync(effects, `${name}\n`),
  say: async (input, message, mode, output) => {
    const body = { key: input, mode, message, attachments: [], ts: "2026-02-09T10:00:00Z" };
    await store.append(key, [makeEvent("input.received", output === undefined ? body : { ...body, output })]);
  },
});
const model = life.model(simulatedModel(baseUrl));
const hex = () => randomBytes(6).toString("hex");

for (;;) {
  try {
    const outcome = await runTurn({
      agent: { name: "test", instructions: "You help.", model, tools, hooks: partyHooks, budgets: { iterations: 40 } },
      store: life.store(store),
      key,
      workspace,
      ids: { turn: () => `turn_${hex()}`, call: () => `tc_${hex()}` },
      countTokens: (text) => Math.ceil(text.length / 4),
      now: Date.now,
      sleep: (ms, signal) => wait(ms, undefined, { signal }),
      random: Math.random,
      holder: String(process.pid),
      leaseMs: LEASE_MS,
    });
    if (outcome.status === "idle") break;
  } catch (error) {
    // Waits for the lease of a killed process to expire.
    if (!CairnError.is(error) || error.code !== "lease_held") throw error;
    await wait(10);
  }
}
await store.close();
process.exit(0);
