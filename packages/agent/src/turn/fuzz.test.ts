/**
 * Tests turns with a model that sends random answers. Whatever the model sends, the turn ends with an exit, the journal
 * is complete, no promise rejection is unhandled, and the conversation continues.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import type { Reply } from "@cairn/testkit/models";
import { patience } from "@cairn/testkit/patience";
import { bySize, runs } from "@cairn/testkit/runs";
import { ManualClock, MemoryStore } from "@cairn/testkit/store";
import {
  type FuzzedDecision,
  type FuzzedText,
  fuzzedDecision,
  fuzzedReply,
  fuzzedText,
  sendFuzzed,
  sendText,
  TurnBench,
} from "@cairn/testkit/turns";
import { makeEvent, Timeline } from "@cairn/timeline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Model, ModelRequest } from "../model/model.ts";
import { reactTools } from "../react/react-tools.ts";
import { defineTool } from "../tool/tool.ts";
import { openStoreWorkspace } from "../workspace/store-workspace.ts";
import type { TurnExit } from "./close/finish-turn.ts";
import { runTurn } from "./run-turn.ts";

/** Milliseconds that a decision takes. */
const DECISIONS = process.env.CAIRN_LONG === "1" ? runs * 10 : runs;
const TEXTS = bySize({ quick: 25, usual: 100, long: 10_000 });
const TURNS = 3;
const EXITS: readonly TurnExit[] = ["complete", "clarify", "max_iterations", "budget", "cancelled", "error"];
/** Number of conversations at the same time. They wait for disks and sockets half of the time. */
const AT_ONCE = 4;
/**
 * Number of conversations that a worker plays before it checks how many are left. Small, so that few extra ones are
 * played.
 */
const AT_A_TIME = bySize({ quick: 2, usual: 5, long: 100 });

const find = defineTool({
  id: "shop.find",
  description: "Finds.",
  params: z.object({ what: z.unknown() }),
  run: async ({ what }) => ({ ok: true, ret: { found: what as string } }),
});
const tools = [...reactTools(), find];
const countTokens = (text: string) => Math.ceil(text.length / 4);

/** A model that sends the given decisions, and then valid ones. */
class FuzzedModel implements Model {
  readonly id: string = "fuzzed";
  readonly provider = "anthropic";
  readonly contextTokens = 200_000;
  readonly maxOutputTokens = 4_000;
  asked = 0;
  #decisions: FuzzedDecision[] = [];

  load(decisions: readonly FuzzedDecision[]): void {
    this.#decisions = [...decisions];
  }

  stream(_request: ModelRequest): ReturnType<Model["stream"]> {
    this.asked++;
    const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 };
    return sendFuzzed(
      this.#decisions.shift() ?? [
        { type: "text", text: "Fine." },
        { type: "finish", reason: "stop", usage },
      ],
    );
  }
}

/** A model that calls tools in text. */
class FuzzedTextModel extends FuzzedModel {
  override readonly id = "fuzzed-text";
  readonly protocol = "text";
  answered = 0;
  #answers: FuzzedText[] = [];

  loadTexts(answers: readonly FuzzedText[]): void {
    this.#answers = [...answers];
  }

  override stream(request: ModelRequest): ReturnType<Model["stream"]> {
    const answer = this.#answers.shift();
    if (answer === undefined) return super.stream(request);
    this.answered++;
    return sendText(answer, request.inText?.code ?? "none");
  }
}

let folder = "";
let conversations = 0;

/** Plays a conversation of fuzzed turns and one sensible turn. */
async function converse<Answer>(
  model: FuzzedModel,
  turns: readonly (readonly Answer[])[],
  load: (answers: readonly Answer[]) => void,
  exits: readonly TurnExit[] = EXITS,
): Promise<void> {
  const clock = new ManualClock();
  const store = new MemoryStore(clock);
  const key = { tenant: "t", project: "p", user: "u", conversation: `c${++conversations}` };
  await store.createConversation(key);
  const workspace = await openStoreWorkspace(store, key, join(folder, key.conversation));
  let ids = 0;
  let now = Date.parse("2026-02-09T10:00:00Z");
  const run = async (message: string) => {
    const input = { key: message, mode: "turn" as const, message, attachments: [], ts: "2026-02-09T10:00:00Z" };
    await store.append(key, [makeEvent("input.received", input)]);
    return runTurn({
      agent: { name: "test", instructions: "You help.", model, tools, budgets: { iterations: 12 } },
      store,
      key,
      workspace,
      countTokens,
      ids: { turn: () => `turn_${++ids}`, call: () => `tc_${(++ids).toString(16).padStart(12, "0")}` },
      now: () => (now += 10),
      sleep: async () => undefined,
      random: () => 0.5,
      holder: "fuzz",
    });
  };
  for (const [nth, answers] of turns.entries()) {
    load(answers);
    const outcome = await run(`turn ${nth}`);
    expect(outcome).toMatchObject({ status: "ended", end: { exit: expect.toBeOneOf([...exits]) } });
    const { state } = await store.load(key);
    expect([state.openTurn, state.unsettled.size, state.pendingInputs.size]).toEqual([null, 0, 0]);
  }
  load([]);
  expect(await run("sensible")).toMatchObject({ status: "ended", end: { exit: "complete", text: "Fine." } });
  expect(await store.verifyConversation(key)).toEqual([]);
  const { state } = await store.load(key);
  Timeline.fromState(state, { clock, countTokens }).render({ includeSources: true });
}

describe("a model that sends anything", { timeout: patience }, () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeAll(async () => {
    process.on("unhandledRejection", note);
    folder = await mkdtemp(join(tmpdir(), "cairn-fuzz-"));
  });
  afterAll(async () => {
    process.off("unhandledRejection", note);
    await rm(folder, { recursive: true, force: true });
  });

  it("never leaves a turn without an end, or a conversation that cannot continue", async () => {
    const turns = fc.array(fc.array(fuzzedDecision, { minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: TURNS,
    });
    const models = Array.from({ length: AT_ONCE }, () => new FuzzedModel());
    const asked = () => models.reduce((sum, model) => sum + model.asked, 0);
    const fuzz = async (model: FuzzedModel) => {
      const property = fc.asyncProperty(turns, (given) => converse(model, given, (each) => model.load(each)));
      while (asked() < DECISIONS) await fc.assert(property, { numRuns: AT_A_TIME });
    };
    await Promise.all(models.map(fuzz));
    expect(unhandled).toEqual([]);
  });

  it("does not end a turn without an answer if it writes invalid texts first and then valid ones", async () => {
    // Three violations in a row are allowed.
    const turn = fc.array(fuzzedText, { minLength: 1, maxLength: 3 });
    const turns = fc.array(turn, { minLength: 1, maxLength: TURNS });
    const models = Array.from({ length: AT_ONCE }, () => new FuzzedTextModel());
    const answered = () => models.reduce((sum, model) => sum + model.answered, 0);
    const fuzz = async (model: FuzzedTextModel) => {
      const load = (answers: readonly FuzzedText[]) => model.loadTexts(answers);
      const property = fc.asyncProperty(turns, (given) => converse(model, given, load, ["complete", "clarify"]));
      while (answered() < TEXTS) await fc.assert(property, { numRuns: AT_A_TIME });
    };
    await Promise.all(models.map(fuzz));
    expect(unhandled).toEqual([]);
  });

  it("does no harm over the wire either, and the requests sent back to it stay valid", async () => {
    const turns = fc.array(fc.array(fuzzedReply, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: TURNS });
    let asked = 0;
    const play = async (given: readonly (readonly Reply[])[]) => {
      const openStore = (dir: string) => openEmbeddedStore({ dir, sync: "off" });
      await using bench = await TurnBench.open({ agent: { tools }, openStore });
      const left: Reply[] = [];
      bench.simulator.script([{ reply: () => left.shift() ?? { text: "Fine." }, times: Number.POSITIVE_INFINITY }]);
      for (const [nth, replies] of given.entries()) {
        left.push(...replies);
        expect(await bench.turn(`turn ${nth}`)).toMatchObject({ status: "ended" });
        left.length = 0;
      }
      expect(await bench.turn("sensible")).toMatchObject({ end: { exit: "complete", text: "Fine." } });
      expect(bench.simulator.requests.filter(({ step }) => step === null)).toEqual([]);
      expect(await bench.store.verifyConversation(bench.key)).toEqual([]);
      asked += bench.simulator.requests.length;
    };
    const fuzz = async () => {
      while (asked < DECISIONS / 30)
        await fc.assert(fc.asyncProperty(turns, play), { numRuns: Math.ceil(AT_A_TIME / 5) });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fuzz));
    expect(unhandled).toEqual([]);
  });
});
