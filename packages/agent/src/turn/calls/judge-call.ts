/** Decides whether a call runs, needs approval or ends at once, and asks for approval. */
import type { Visibility } from "@cairn/timeline";
import { checkParams } from "../../tool/check-params.ts";
import { consentHash, grantHash } from "../../tool/consent.ts";
import { type BoundCall, bindCall, type CallRun, failRun, refuseInternal } from "../../tool/run-call.ts";
import type { Tool } from "../../tool/tool.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { describeCall, type PlannedCall, timestamp } from "./planned-call.ts";
import { toolContext } from "./tool-context.ts";

export async function visibilityOf(context: TurnContext, call: PlannedCall): Promise<Visibility | null> {
  const tool = context.registry.find(call.toolId);
  try {
    return (await tool?.visibility?.(call.params, toolContext(context, call))) ?? null;
  } catch {
    // The tool throws for wrong parameters or missing content. The call itself will report this error.
    return "internal";
  }
}

export interface Judged {
  /** `ask`, `allow`, or the outcome of a call that does not run. */
  readonly policy: "ask" | "allow" | Pick<CallRun, "settle">;
  /** The call as it will run, with references replaced by their values. */
  readonly bound: PlannedCall;
}

/**
 * Decides whether a call runs, needs approval or ends at once. References are replaced first, so that the decision is
 * about the parameters with which the call runs. `known`: references that were already replaced for a hook.
 */
export async function judge(context: TurnContext, call: PlannedCall, known: BoundCall | null): Promise<Judged> {
  const { journal, key, registry } = context;
  const tool = registry.find(call.toolId);
  const isClient = isOfClient(tool);
  const mayAsk = tool !== undefined && (isClient || registry.mayAsk(tool));
  if (known === null && !mayAsk) return { policy: "allow", bound: call };
  const read = known ?? (await bindCall(call.params, toolContext(context, call)));
  if ("refused" in read) return { policy: read.refused, bound: call };
  const bound = { ...call, params: read.params, isBound: true };
  if (!mayAsk) return { policy: "allow", bound };
  const checked = isClient ? checkParams(tool, bound.params) : null;
  if (checked?.ok === false) return { policy: failRun("bad_params", checked.message), bound };
  const isGranted = journal.timeline.state.grants.has(grantHash(key, tool.id));
  if (!isClient && (isGranted || !registry.asks(tool, bound.params, toolContext(context, call))))
    return { policy: "allow", bound };
  return { policy: read.internal === null ? "ask" : refuseInternal(read.internal), bound };
}

/** Asks a person to approve exactly these parameters, with their hash. */
export function askFor(context: TurnContext, call: PlannedCall): void {
  const hash = consentHash(context.key, { ...call, turnId: context.turnId });
  context.journal.timeline.record("approval.requested", {
    ...describeCall(context, call),
    ts: timestamp(context),
    hash,
    ...(isOfClient(context.registry.find(call.toolId)) ? { client: true as const } : {}),
  });
}

function isOfClient(tool: Tool | undefined): boolean {
  return tool?.traits?.client === true;
}
