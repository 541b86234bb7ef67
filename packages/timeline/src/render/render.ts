/**
 * Rendering: the stable view with its checkpoints, then the tail. Pure: it changes nothing and has no side effects.
 *
 * The tail is, in this order, the texts of unsettled calls, the raw text of a decision that could not be read, the
 * sources pool and the announcement. The tail is never cached.
 */
import { renderAnnounce } from "../announce/announce.ts";
import type { CountTokens } from "../base/ports.ts";
import type { Block } from "../block/block.ts";
import {
  type CacheStrategy,
  type CheckpointOptions,
  checkpointSettings,
  placeCheckpoints,
} from "../cache/checkpoints.ts";
import type { EscapeRules } from "../message/escape-rules.ts";
import type { MessageBlock } from "../message/message.ts";
import { paragraph } from "../message/paragraph.ts";
import type { TimelineState } from "../state/state.ts";
import { escapeRules } from "./escape.ts";
import type { ModelView } from "./model-view.ts";
import { RenderedView } from "./rendered-view.ts";

export interface RenderOptions {
  /** The current turn (default: the last turn). */
  readonly turnId?: string;
  readonly includeSources?: boolean;
  readonly includeAnnounce?: boolean;
  readonly tailOrder?: "sources_first" | "announce_first";
  /** The checkpoint strategy (default: `economic`). */
  readonly strategy?: CacheStrategy;
  /** `stableLength` of the previous request; if absent, it is derived from the last decision. */
  readonly previousLength?: number;
  readonly cache?: CheckpointOptions;
  /** Tokens of the model's window. Unused sources are folded into ranges when sources exceed 15 % of it. */
  readonly maxTokens?: number;
  /** Token limit of the tail. Beyond it all sources fold, including used ones. */
  readonly maxTailTokens?: number;
}

/** The share of the window that the sources may fill before they fold. */
const SOURCES_SHARE = 0.15;

export function renderView(
  view: ModelView,
  state: TimelineState,
  announced: readonly Block[],
  countTokens: CountTokens,
  options: RenderOptions,
): RenderedView {
  const checkpoints = placeCheckpoints(view, {
    strategy: options.strategy ?? "economic",
    currentTurn: options.turnId ?? view.lastTurn,
    settings: checkpointSettings(options.cache),
    previousLength: options.previousLength,
  });
  const rules = escapeRules(view.version);
  const announce = options.includeAnnounce ? paragraph(renderAnnounce(announced, rules)) : [];
  const tail: MessageBlock[] = [];
  for (const text of [...view.openCallTexts(), unreadDecision(state, rules)]) tail.push(...paragraph(text));
  const beside = options.maxTailTokens === undefined ? 0 : textTokens([...tail, ...announce], countTokens);
  const sources = options.includeSources ? viewSources(view, state, countTokens, options, beside) : [];
  const ordered = options.tailOrder === "announce_first" ? [announce, sources] : [sources, announce];
  for (const messages of ordered) tail.push(...messages);
  return new RenderedView(view.messages, view.length, checkpoints, tail, view.groupStarts, view.origins);
}

function textTokens(messages: readonly MessageBlock[], countTokens: CountTokens): number {
  return messages.reduce((sum, message) => sum + (message.type === "text" ? countTokens(message.text) : 0), 0);
}

/**
 * `beside`: tokens of the rest of the tail. `paragraph` is not used: it would copy the long text of a pool each time.
 */
function viewSources(
  view: ModelView,
  state: TimelineState,
  countTokens: CountTokens,
  { maxTokens, maxTailTokens = Number.POSITIVE_INFINITY }: RenderOptions,
  beside: number,
) {
  const mostTokens = Math.max(0, maxTailTokens - beside);
  const folding =
    maxTokens === undefined
      ? null
      : { budgetTokens: Math.min(maxTokens * SOURCES_SHARE, mostTokens), mostTokens, pinned: () => view.usedSources() };
  const text = view.sourcesTail(countTokens).text(state.pool, folding);
  return text === "" ? [] : [{ type: "text" as const, text: `${text}\n\n` }];
}

/** The raw text of the last decision if it could not be parsed and only notices followed it. */
function unreadDecision(state: TimelineState, rules: EscapeRules): string {
  const { window } = state;
  let last = window.length - 1;
  while (last >= 0 && window[last]?.kind.role === "notice") last--;
  const entry = window[last];
  return entry?.kind.role === "raw_decision" ? rules.payload(entry.block.text ?? "") : "";
}
