/**
 * Lowering: converts a rendered view and its checkpoints to the blocks of a provider's request body.
 *
 * Pure: the same view gives the same bytes. If a view extends an earlier one, its wire blocks begin with the wire
 * blocks of the earlier view (without the tail), byte for byte. Cache markers are returned beside the blocks, so moving
 * a marker changes no block.
 */
import type { RenderedView } from "../../render/rendered-view.ts";
import { PROVIDERS, type ProviderId } from "../providers.ts";
import { anthropicMessages } from "./anthropic.ts";
import { bedrockConverse } from "./bedrock.ts";
import type { Piece } from "./compose-parts.ts";
import { googleGenerate } from "./google.ts";
import { FLAT_1 } from "./lowering.ts";
import { loweringRules } from "./lowerings.ts";
import { openaiChat, openaiResponses } from "./openai.ts";
import { placeBreakpoints } from "./place-breakpoints.ts";
import { orderTools } from "./tools.ts";
import type { WireFormat } from "./wire-format.ts";
import type { WireBlock, WireInput, WireKind, WirePart, WireRequest } from "./wire-request.ts";

export function lowerView(view: RenderedView, input: WireInput, provider: ProviderId): WireRequest {
  const format = formatOf(provider, input);
  const { strategy = "economic", ttl = "5m", lowering = FLAT_1 } = input;
  const rules = loweringRules(lowering);
  const isNative = lowering.name === "native";
  // OpenAI's cache never matches a message that grew, so it gets a message per group. The chat templates of some other
  // servers require alternating roles.
  const messagePerGroup = format.messagePerGroup && (isNative ? provider === "openai" : !rules.joinsMessages);
  const composed = rules.compose(view, input, format.resultFiles);
  const tools = orderTools(input.tools).map(
    (tool): WireBlock => ({
      kind: "tools",
      part: { type: "text", text: JSON.stringify(tool) },
      content: format.tool(tool),
      startsMessage: false,
    }),
  );
  const block = (kind: WireKind, { part, role }: Piece, startsMessage: boolean): WireBlock => ({
    kind,
    part,
    content: format.part(part, role),
    startsMessage,
    role,
  });
  const text = input.system.toWellFormed();
  const system = /\S/.test(text) ? [systemBlock(format, text)] : [];
  const { groups } = composed;
  const all = [...composed.stable, ...composed.tail];
  const changesRole = (at: number) => isNative && all[at]?.role !== all[at - 1]?.role;
  const stable = composed.stable.map((piece, at) => {
    const startsGroup = messagePerGroup && piece.role === "user" && groups[at] !== groups[at - 1];
    return block("stable", piece, at === 0 || startsGroup || changesRole(at));
  });
  // Where the whole history is one message, the tail is its last part. Otherwise the tail is a separate message,
  // because it must not extend the last message of the history.
  const tail = composed.tail.map((piece, at) => {
    const starts = at === 0 && (messagePerGroup || stable.length === 0);
    return block("tail", piece, starts || changesRole(stable.length + at));
  });
  const prefix = [...tools, ...system];
  const breakpoints = placeBreakpoints(composed, PROVIDERS[provider], {
    strategy,
    ttl,
    prefixLength: prefix.length,
    marksPrefix: system.length > 0 || format.marksTools,
    marksAssistant: format.marksAssistant,
  });
  const blocks = [...prefix, ...stable, ...tail];
  const ttls = new Map(breakpoints.map((point) => [point.i, point.ttl]));
  const body = format.body(blocks, (at) => ttls.get(at), input);
  const returnsReasoning = isNative && input.reasoningOf !== undefined;
  return { provider, lowering, body, blocks, breakpoints, returnsReasoning };
}

function systemBlock(format: WireFormat, text: string): WireBlock {
  const part: WirePart = { type: "text", text };
  return { kind: "system", part, content: format.system(part), startsMessage: true };
}

function formatOf(provider: ProviderId, { api, lowering = FLAT_1 }: WireInput): WireFormat {
  switch (provider) {
    case "anthropic":
      return anthropicMessages;
    case "bedrock":
      return bedrockConverse;
    case "openai":
      return api === "chat" ? openaiChat : openaiResponses;
    case "automatic":
      if (lowering.name === "flat") return openaiChat;
      return api === "google" ? googleGenerate : api === "responses" ? openaiResponses : openaiChat;
  }
}
