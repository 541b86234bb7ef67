/**
 * Rendering: the stable view with its checkpoints, then the tail. Pure: it changes nothing and calls nobody.
 *
 * The tail is, in this order, what unsettled calls show for now, the raw text of a decision that could not be read,
 * the sources pool and the announcement. None of it is ever cached.
 */
import { renderAnnounce } from "../announce/announce.ts";
import type { Block } from "../block/block.ts";
import {
  type CacheStrategy,
  type CheckpointOptions,
  checkpointSettings,
  placeCheckpoints,
} from "../cache/checkpoints.ts";
import type { CountTokens } from "../ports.ts";
import type { TimelineState } from "../state/state.ts";
import { type EscapeRules, escapeRules } from "./escape.ts";
import type { MessageBlock } from "./message.ts";
import type { ModelView } from "./model-view.ts";
import { paragraph } from "./paragraph.ts";
import { RenderedView } from "./rendered-view.ts";

export interface RenderOptions {
  /** The current turn; the last turn when not given. */
  readonly turnId?: string;
  readonly includeSources?: boolean;
  readonly includeAnnounce?: boolean;
  readonly tailOrder?: "sources_first" | "announce_first";
  /** Where cache checkpoints go; `economic` unless said otherwise. */
  readonly strategy?: CacheStrategy;
  /** `stableLength` of the previous request, if it is known; otherwise it is taken from the last decision. */
  readonly previousLength?: number;
  readonly cache?: CheckpointOptions;
  /** The model's window. Past 15 % of it the sources nobody uses fold into ranges. */
  readonly maxTokens?: number;
  /** What the tail may take. Past it all sources fold, also those that are used. */
  readonly maxTailTokens?: number;
}

/** The part of the window the sources may fill before they fold. */
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
  return new RenderedView(view.messages, view.length, checkpoints, tail, view.groupStarts);
}

function textTokens(messages: readonly MessageBlock[], countTokens: CountTokens): number {
  return messages.reduce((sum, message) => sum + (message.type === "text" ? countTokens(message.text) : 0), 0);
}

/** `beside`: tokens of the rest of the tail. Not a `paragraph`, which would copy the text of a long pool at every render. */
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

/** The raw text of the last decision when it could not be read and nothing but notices followed it. */
function unreadDecision(state: TimelineState, rules: EscapeRules): string {
  const { window } = state;
  let last = window.length - 1;
  while (last >= 0 && window[last]?.block.type === "react.notice") last--;
  const block = window[last]?.block;
  return block?.type === "react.decision.raw" ? rules.payload(block.text ?? "") : "";
}
