/**
 * One decision: the request is sent, its text is passed on while it comes, and a receipt is kept. A model that is
 * overloaded is asked again after a wait; a request that is too large is made again after a compaction, once.
 */
import { applyReceipt, CairnError, makeReceipt, receiptTexts } from "@cairn/timeline";
import { ModelError } from "../model/model-error.ts";
import { dollarsOf } from "../model/price.ts";
import { waitBefore } from "../model/retry.ts";
import { fingerprintCalls, gatherDecision, type RawDecision } from "../protocol/decision.ts";
import type { KeptProgress } from "./earlier-life.ts";
import { LiveText } from "./live-text.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import { readBase64 } from "./summarise.ts";
import type { TurnContext } from "./turn-context.ts";

const MOST_ATTEMPTS = 5;

export interface DecideOptions {
  /** Said behind everything else when the budget is used up; no tool may be called. */
  readonly lastWord?: string;
}

export interface MadeDecision {
  readonly raw: RawDecision;
  /** Streams by the number of the call whose text they hold. */
  readonly streams: ReadonlyMap<number, string>;
}

/** The text that came before a decision was cut off by a cancellation. */
export class DecisionInterrupted extends CairnError {
  readonly partial: string;

  constructor(partial: string) {
    super("cancelled", "The turn was cancelled while the model was answering.");
    this.partial = partial;
  }
}

export async function decide(context: TurnContext, options: DecideOptions = {}): Promise<MadeDecision> {
  const lastWord = options.lastWord === undefined ? {} : { lastWord: options.lastWord };
  let prepared = await prepareRequest(context, lastWord);
  for (let attempt = 1, compacted = false; ; attempt++) {
    try {
      return await ask(context, prepared, options);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.kind === "context_limit" && !compacted) {
        compacted = true;
        prepared = await prepareRequest(context, { ...lastWord, forceCompaction: true });
      } else if (error.kind === "transient" && attempt < MOST_ATTEMPTS) await backOff(context, error, attempt);
      else throw error;
    }
  }
}

async function backOff(context: TurnContext, error: ModelError, attempt: number): Promise<void> {
  const ms = waitBefore(attempt, error, { random: context.random });
  if (ms === null) throw error;
  context.listener({ type: "waiting", reason: error.message, ms });
  await context.sleep(ms, context.journal.workSignal);
}

async function ask(context: TurnContext, prepared: PreparedRequest, options: DecideOptions): Promise<MadeDecision> {
  const { agent, journal, key, progress, specs, store } = context;
  const text = new LiveText(context, `${context.turnId}.${progress.spent.iterations}.${context.ids.call()}`);
  const startedAt = context.now();
  try {
    const parts = agent.model.stream(
      {
        system: agent.instructions,
        tools: specs,
        view: prepared.view,
        strategy: "economic",
        ttl: prepared.ttl,
        cacheKey: key.conversation,
        maxOutputTokens: agent.model.maxOutputTokens,
        toolChoice: options.lastWord === undefined ? "auto" : "none",
        readBlob: (ref) => readBase64(store.readBlob(key, ref)),
      },
      { signal: journal.workSignal },
    );
    const raw = await gatherDecision(parts, (piece) => text.take(piece));
    await text.end();
    await keepReceipt(context, prepared, raw, startedAt);
    return { raw, streams: text.ofCalls };
  } catch (error) {
    await text.end();
    journal.signal.throwIfAborted();
    if (journal.isCancelled) throw new DecisionInterrupted(text.said);
    await journal.discardStreams();
    throw error instanceof ModelError || CairnError.is(error) ? error : new ModelError("fatal", String(error));
  }
}

async function keepReceipt(
  context: TurnContext,
  prepared: PreparedRequest,
  raw: RawDecision,
  startedAt: number,
): Promise<void> {
  const { agent, journal, progress, specs } = context;
  const last = journal.timeline.state.lastReceipt?.n;
  const cost = dollarsOf(raw.usage, agent.model.prices);
  const receipt = makeReceipt(
    prepared.view,
    {
      tools: specs.map(({ name, description, schema }) => ({ name, description, schema })),
      system: agent.instructions,
      startedAt: startedAt / 1000,
      resets: prepared.resets,
      tokens: prepared.tokens,
      usage: {
        input_tokens: Math.max(0, raw.usage.input - raw.usage.cacheRead - raw.usage.cacheWrite),
        cache_read_tokens: raw.usage.cacheRead,
        cache_write_tokens: raw.usage.cacheWrite,
        output_tokens: raw.usage.output,
      },
      cost,
      ...(progress.previousView === null ? {} : { previousView: progress.previousView }),
      ...(progress.chain === null && typeof last === "number" ? { n: last + 1 } : {}),
    },
    progress.chain,
  );
  await keepTexts(context, receiptTexts(prepared.view, { tools: specs, system: agent.instructions }), receipt);
  progress.chain = applyReceipt(progress.chain, receipt);
  progress.previousView = prepared.view;
  const { spent } = progress;
  progress.spent = {
    iterations: spent.iterations + 1,
    tokens: spent.tokens + raw.usage.input + raw.usage.output,
    dollars: spent.dollars + cost,
    elapsedMs: context.now() - context.startedAt,
  };
  const kept: KeptProgress = {
    turn_id: context.turnId,
    spent: { ...progress.spent },
    decision: fingerprintCalls(raw),
  };
  journal.timeline.record("model.receipt", { ...receipt, ...kept, model: agent.model.id });
  progress.resets = [];
  progress.notices = [];
}

/** The texts a receipt refers to, each stored once: tools and system text hardly ever change. */
async function keepTexts(
  { store, key, progress }: TurnContext,
  texts: Readonly<Record<"tools" | "system" | "tail", string>>,
  receipt: Readonly<Record<"tools" | "system" | "tail", string>>,
): Promise<void> {
  for (const part of ["tools", "system", "tail"] as const) {
    if (progress.keptTexts.has(receipt[part])) continue;
    await store.putBlob(key, [new TextEncoder().encode(texts[part])]);
    progress.keptTexts.add(receipt[part]);
  }
}
