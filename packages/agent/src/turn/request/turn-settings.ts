/** The settings of a turn's requests: the settings of the agent, with those of the message in precedence. */
import { mergeSettings, type RequestSettings } from "../../model/request-settings.ts";
import type { RequestContext, TurnContext } from "../state/turn-context.ts";

/** Settings of a decision's request. A forced call applies to the first decision only; later decisions may answer. */
export function decisionSettings({ agent, progress, settings }: RequestContext): {
  readonly settings?: RequestSettings;
} {
  const { toolChoice, ...merged } = mergeSettings(agent.request ?? {}, settings);
  const isForced = toolChoice !== undefined && toolChoice !== "auto" && toolChoice !== "none";
  const isFirst = progress.spent.iterations === 0;
  const all = toolChoice === undefined || (isForced && !isFirst) ? merged : { ...merged, toolChoice };
  return Object.keys(all).length === 0 ? {} : { settings: all };
}

/** A request for a summary begins like the others, so it keeps the settings that affect the provider's cache. */
export function summarySettings({ agent, settings }: RequestContext): { readonly settings?: RequestSettings } {
  const { providerOptions, reasoning } = mergeSettings(agent.request ?? {}, settings);
  const kept = {
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
  return Object.keys(kept).length === 0 ? {} : { settings: kept };
}

/** Tells the user, once per turn, which settings the provider does not accept. */
export function tellLeftOut({ agent, listener, progress }: TurnContext, leftOut: readonly string[]): void {
  for (const setting of leftOut) {
    if (!progress.tellsSetting(setting)) continue;
    listener({ type: "progress", callId: "model", text: `${agent.model.id} does not take the setting ${setting}.` });
  }
}
