/**
 * Before every model call: what the cache's age and the model's window ask for is done and made durable, then the
 * timeline is rendered. What is announced once, and what changed the prefix, stays due until a request is answered.
 */
import {
  type CacheTtl,
  type ContextBudget,
  type DeclaredReset,
  expectRemoval,
  PROVIDERS,
  type RenderedView,
  type RenderOptions,
} from "@cairn/timeline";
import { requestAnnouncement } from "./request-announcement.ts";
import { summarise } from "./summarise.ts";
import type { TurnContext } from "./turn-context.ts";

export interface PreparedRequest {
  readonly view: RenderedView;
  readonly resets: readonly DeclaredReset[];
  readonly ttl: CacheTtl;
  readonly tokens: { readonly tools: number; readonly system: number; readonly stable: number; readonly tail: number };
}

export interface PrepareOptions {
  /** After a provider said that the request is too large. */
  readonly forceCompaction?: boolean;
  /** Asked of the model instead of a free decision, behind everything else. */
  readonly lastWord?: string;
}

export async function prepareRequest(context: TurnContext, options: PrepareOptions = {}): Promise<PreparedRequest> {
  const { agent, journal, progress, countTokens } = context;
  const { timeline } = journal;
  const ttl: CacheTtl = "5m";
  const pruned = timeline.prune({
    now: Math.floor(context.now() / 1000),
    session: { cache_ttl_seconds: PROVIDERS[agent.model.provider].ttlSeconds[ttl], ...agent.memory?.session },
    firstRender: progress.firstRender,
    policy: agent.memory?.prune ?? "economic",
    prices: removalPrices(context, ttl),
    turnId: context.turnId,
  });
  progress.firstRender = false;
  progress.resets.push(...pruned.resets);
  progress.notices.push(...pruned.notices);
  announce(context, options.lastWord);

  const render: RenderOptions = {
    turnId: context.turnId,
    includeSources: true,
    includeAnnounce: true,
    maxTokens: agent.model.contextTokens,
  };
  const system = countTokens(agent.instructions);
  const tools = countTokens(JSON.stringify(context.specs));
  const budget: ContextBudget = {
    maxTokens: agent.model.contextTokens,
    systemTokens: system,
    toolsTokens: tools,
    tailTokens: timeline.tailTokens(render),
    maxOutputTokens: agent.model.maxOutputTokens,
  };
  const plan = timeline.planCompaction(budget, options.forceCompaction ?? false);
  if (plan !== null) {
    await journal.commit();
    const prose = await summarise(context, plan);
    progress.resets.push(timeline.commitCompaction(plan, prose).reset);
    progress.previousView = null;
  }
  timeline.checkFits(budget);
  await journal.commitIfNeeded();

  const { previousView } = progress;
  const resets = [...progress.resets];
  const previous = resets.length > 0 || previousView === null ? {} : { previousLength: previousView.stableLength };
  const view = timeline.render({ ...render, ...previous });
  const tokens = { tools, system, stable: timeline.visibleTokens(), tail: budget.tailTokens ?? 0 };
  return { view, resets, ttl, tokens };
}

function announce(context: TurnContext, lastWord: string | undefined): void {
  const { agent, journal, progress, now, startedAt, timeZone } = context;
  journal.timeline.announce([
    requestAnnouncement({
      ...{ state: journal.timeline.state, budgets: agent.budgets ?? {}, spent: progress.spent, timeZone },
      elapsedMs: now() - startedAt,
      now: now(),
      notices: lastWord === undefined ? progress.notices : [...progress.notices, lastWord],
    }),
  ]);
}

function removalPrices({ agent, journal }: TurnContext, ttl: CacheTtl) {
  const { read, write } = PROVIDERS[agent.model.provider];
  const requests = journal.timeline.state.lastReceipt?.n;
  const past = { requests: typeof requests === "number" ? requests : 0, pruned: 0, readAgain: 0 };
  return expectRemoval(past, { read, write: write[ttl] });
}
