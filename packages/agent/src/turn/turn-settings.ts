/** The settings of a turn's requests: those of the agent, and those its message brought. */
import { mergeSettings, type RequestSettings } from "../model/request-settings.ts";
import type { TurnContext } from "./turn-context.ts";

/** A model that was made to call a tool has to be free to answer after that. Nothing where nothing is set. */
export function decisionSettings({ agent, progress, settings }: TurnContext): { readonly settings?: RequestSettings } {
  const { toolChoice, ...merged } = mergeSettings(agent.request ?? {}, settings);
  const isForced = toolChoice !== undefined && toolChoice !== "auto" && toolChoice !== "none";
  const isFirst = progress.spent.iterations === 0;
  const all = toolChoice === undefined || (isForced && !isFirst) ? merged : { ...merged, toolChoice };
  return Object.keys(all).length === 0 ? {} : { settings: all };
}

/** A summary is asked for behind the prefix of the conversation: what the provider's cache depends on stays the same. */
export function summarySettings({ agent, settings }: TurnContext): { readonly settings?: RequestSettings } {
  const { providerOptions } = mergeSettings(agent.request ?? {}, settings);
  return providerOptions === undefined ? {} : { settings: { providerOptions } };
}

/** Said once a turn, of each setting that the provider does not take. */
export function tellLeftOut({ agent, listener, progress }: TurnContext, leftOut: readonly string[]): void {
  for (const setting of leftOut) {
    if (progress.saidLeftOut.has(setting)) continue;
    progress.saidLeftOut.add(setting);
    listener({ type: "progress", callId: "model", text: `${agent.model.id} does not take the setting ${setting}.` });
  }
}
