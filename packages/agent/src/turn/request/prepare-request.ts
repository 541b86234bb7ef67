/**
 * Runs before every model request: prunes and compacts as needed, makes the changes durable, then renders the timeline.
 * One-time notices and declared changes stay pending until a request is answered.
 */
import {
  type CacheTtl,
  finishMaintenance,
  maintainInSteps,
  outputTokens,
  type RenderedView,
  type RenderOptions,
  type RequestTokens,
} from "@cairn/timeline";
import { cacheNeeds, prunePolicy, renderSettings } from "../../definition/agent-memory.ts";
import { inSlices } from "../state/in-slices.ts";
import { previousRequest, type TurnContext } from "../state/turn-context.ts";
import { requestAnnouncement } from "./request-announcement.ts";
import { summarise } from "./summarise.ts";

export interface PreparedRequest {
  readonly view: RenderedView;
  readonly ttl: CacheTtl;
  readonly tokens: RequestTokens;
}

export interface PrepareOptions {
  /** Set after a provider rejected the request as too large. */
  readonly forceCompaction?: boolean;
  /** Asked of the model instead of a free decision, after everything else. */
  readonly lastWord?: string;
}

export async function prepareRequest(context: TurnContext, options: PrepareOptions = {}): Promise<PreparedRequest> {
  const { agent, journal, progress, countTokens, turnId } = context;
  const { timeline } = journal;
  announce(context, options.lastWord);
  const render: RenderOptions = { ...renderSettings(agent), turnId };
  const system = countTokens(agent.instructions);
  const tools = countTokens(JSON.stringify(context.specs));
  const steps = maintainInSteps(timeline, {
    prune: {
      now: Math.floor(context.now() / 1000),
      session: agent.memory?.session,
      // The TTL may change from request to request. The one of the last request decides whether the cache has expired.
      firstRender: true,
      policy: prunePolicy(agent),
      turnId,
    },
    cache: cacheNeeds(agent),
    budget: {
      maxTokens: agent.model.contextTokens,
      systemTokens: system,
      toolsTokens: tools,
      maxOutputTokens: outputTokens(agent.model),
    },
    model: { id: agent.model.id },
    refused: progress.refused ?? undefined,
    render,
    forceCompaction: options.forceCompaction ?? false,
    files: progress.files ?? agent.model.files,
    describes: progress.describes,
  });
  const maintenance = await inSlices(steps);
  const { budget, compaction, notices, resets } = maintenance;
  progress.notices.push(...notices);
  // The request for a summary is the first to show these changes, so it declares them.
  progress.resets.push(...resets);
  if (compaction !== null) await journal.commit();
  const prose = compaction === null ? undefined : await summarise(context, compaction);
  const { ttl, compaction: compacted } = finishMaintenance(timeline, maintenance, prose);
  if (compacted !== null) progress.resets.push(compacted.reset);
  await journal.commitIfNeeded();

  const view = timeline.render({ ...maintenance.render, ...previousRequest(progress) });
  progress.sourcesKnown = timeline.state.pool.maxSid;
  const tokens = { tools, system, stable: timeline.visibleTokens(), tail: budget?.tailTokens ?? 0 };
  return { view, ttl, tokens };
}

function announce(context: TurnContext, lastWord: string | undefined): void {
  const { agent, journal, progress, now, startedAt, timeZone } = context;
  journal.timeline.announce([
    requestAnnouncement({
      ...{ state: journal.timeline.state, budgets: agent.budgets ?? {}, spent: progress.spent, timeZone },
      elapsedMs: now() - startedAt,
      now: now(),
      notices: lastWord === undefined ? [] : [lastWord],
    }),
  ]);
  journal.timeline.announceOnce(progress.notices);
}
