/**
 * Plans the request for a decision, with everything that it sends. Before that, content is pruned and compacted, and
 * these changes are stored. Notices and declared changes stay pending until a request is answered.
 */
import {
  type CompactionPlan,
  type CompactionProse,
  finishMaintenance,
  maintainInSteps,
  outputTokens,
  type RenderOptions,
} from "@cairn/timeline";
import { cacheNeeds, cacheStrategy, prunePolicy } from "../../definition/agent-memory.ts";
import { offeredText } from "../../definition/check-agent-fits.ts";
import type { ModelRequest } from "../../model/model.ts";
import type { ToolChoice } from "../../model/request-settings.ts";
import type { OfferedTools } from "../../protocol/decision-protocol.ts";
import { protocolOf } from "../../protocol/protocol-of.ts";
import { askForRest } from "../../protocol/unfinished.ts";
import { readBase64 } from "../../workspace/read-base64.ts";
import { inSlices } from "../state/in-slices.ts";
import type { RequestContext } from "../state/turn-context.ts";
import { announceRequest } from "./announce-request.ts";
import type { PlannedRequest } from "./in-flight-request.ts";
import { loweringField } from "./keep-receipt.ts";
import { nativeOutput } from "./native-output.ts";
import { decisionSettings } from "./turn-settings.ts";

export interface PlanOptions {
  /** Set after a provider rejected the request as too large. */
  readonly forceCompaction?: boolean;
  /** A text at the end that demands an answer instead of a free decision. No tool may be called then. */
  readonly lastWord?: string;
  /** Set after a provider rejected a request because of the schema for the answer. */
  readonly outputByTool?: boolean;
}

/** Writes the prose of a summary. If it is absent, the digest is the summary. */
export type Summarise = (plan: CompactionPlan) => Promise<CompactionProse | undefined>;

/** The purpose of the request: the next decision, or the rest of a decision that was cut off. */
export async function planDecision(
  context: RequestContext,
  options: PlanOptions,
  summarise: Summarise,
): Promise<PlannedRequest> {
  const { agent, journal, progress, countTokens, turnId } = context;
  const { timeline } = journal;
  const { unfinished } = progress;
  const render = announce(context, options.lastWord ?? (unfinished === null ? undefined : askForRest(unfinished)));
  const system = countTokens(agent.instructions);
  const offered = requestTools(context);
  const tools = countTokens(offeredText(offered));
  const { settings } = decisionSettings(context);
  const lowering = agent.model.loweringOf?.({ ...offered, ...(settings === undefined ? {} : { settings }) });
  const steps = maintainInSteps(timeline, {
    prune: {
      now: Math.floor(context.now() / 1000),
      session: agent.memory?.session,
      // The lifetime (TTL) may differ between requests. The last one decides whether the cache has expired.
      firstRender: true,
      policy: prunePolicy(agent),
      turnId: turnId ?? undefined,
    },
    cache: cacheNeeds(agent),
    budget: {
      maxTokens: agent.model.contextTokens,
      systemTokens: system,
      toolsTokens: tools,
      maxOutputTokens: outputTokens(agent.model),
    },
    model: {
      id: agent.model.id,
      isSentReasoning: agent.model.keepsReasoning === true && lowering?.name === "native",
      ...loweringField(lowering),
    },
    refused: progress.refused ?? undefined,
    render,
    forceCompaction: options.forceCompaction ?? false,
    files: progress.files ?? agent.model.files,
    describes: progress.describes,
  });
  const maintenance = await inSlices(steps);
  const { budget, compaction, notices, resets } = maintenance;
  progress.announceOnce(...notices);
  // The request for a summary is the first request with these changes, so its receipt declares them.
  progress.declare(...resets);
  if (compaction !== null) await journal.commit();
  const prose = compaction === null ? undefined : await summarise(compaction);
  const { ttl, compaction: compacted } = finishMaintenance(timeline, maintenance, prose);
  if (compacted !== null) progress.declare(compacted.reset);
  await journal.commitIfNeeded();

  const view = timeline.render({ ...maintenance.render, ...progress.previousEnd });
  progress.noteRendered(timeline.state.pool.maxSid);
  const tokens = { tools, system, stable: timeline.visibleTokens(), tail: budget?.tailTokens ?? 0 };
  const request = composeRequest(context, {
    view,
    ttl,
    maxOutputTokens: Math.min(outputTokens(agent.model), settings?.maxOutputTokens ?? Number.POSITIVE_INFINITY),
    ...(options.lastWord === undefined ? {} : { toolChoice: "none" }),
    ...(settings === undefined ? {} : { settings }),
    ...(options.outputByTool === true ? {} : nativeOutput(context, settings?.toolChoice)),
  });
  return { purpose: unfinished === null ? "decision" : "continuation", request, tokens };
}

function announce(context: RequestContext, lastWord: string | undefined): RenderOptions {
  const { agent, budgets, caller, journal, progress, now, startedAt, timeZone, turnId } = context;
  const render = announceRequest(journal.timeline, agent, {
    turnId,
    spent: progress.spent,
    elapsedMs: now() - startedAt,
    now: now(),
    timeZone,
    notices: lastWord === undefined ? [] : [lastWord],
    caller,
    budgets,
  });
  journal.timeline.announceOnce(progress.notices);
  return render;
}

/** The tools in the turn's requests. A fallback model may call tools in another way and then gets other tools. */
function requestTools({ agent, cacheKey, specs }: RequestContext): OfferedTools {
  return protocolOf(agent).offer(specs, cacheKey);
}

/** Adds the data that are the same in every request of the turn. */
export function composeRequest(
  context: RequestContext,
  own: Pick<ModelRequest, "view" | "ttl" | "maxOutputTokens" | "toolChoice" | "instruction" | "settings" | "output">,
): ModelRequest {
  const { agent, cacheKey, key, store, progress } = context;
  const offered = requestTools(context);
  const choice = offered.inText === undefined ? null : describeChoice(own.toolChoice ?? own.settings?.toolChoice);
  return {
    ...(choice === null ? {} : { instruction: choice }),
    ...own,
    ...offered,
    system: agent.instructions,
    ...(progress.describes.size === 0 ? {} : { describes: [...progress.describes].sort() }),
    strategy: cacheStrategy(agent),
    cacheKey,
    readBlob: (ref) => readBase64(store.readBlob(key, ref)),
  };
}

/** The tool choice as an instruction in words, for a model that calls tools in text. */
function describeChoice(choice: ToolChoice | undefined): string | null {
  if (choice === undefined || choice === "auto") return null;
  if (choice === "none") return "Do not call a tool now. Answer the user.";
  return choice === "required" ? "Call a tool now." : `Call ${choice.tool} now.`;
}
