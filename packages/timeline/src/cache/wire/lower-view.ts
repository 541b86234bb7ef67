/**
 * Lowering: one rendered view and its checkpoint plan, in the wire form of a provider.
 *
 * Pure. The same view gives the same bytes. A view that extends another gives the other's wire blocks, without the
 * tail, byte for byte, before its own: markers are beside blocks and not part of them.
 */
import type { RenderedView } from "../../render/rendered-view.ts";
import { PROVIDERS, type ProviderId } from "../providers.ts";
import { anthropicMessages } from "./anthropic.ts";
import { bedrockConverse } from "./bedrock.ts";
import { composeParts } from "./compose-parts.ts";
import { FLAT_1, joinsMessages } from "./lowering.ts";
import { openaiChat, openaiResponses } from "./openai.ts";
import { placeBreakpoints } from "./place-breakpoints.ts";
import { orderTools } from "./tools.ts";
import type { WireFormat } from "./wire-format.ts";
import type { WireBlock, WireInput, WireKind, WirePart, WireRequest } from "./wire-request.ts";

export function lowerView(view: RenderedView, input: WireInput, provider: ProviderId): WireRequest {
  const format = formatOf(provider, input);
  const { strategy = "economic", ttl = "5m", lowering = FLAT_1 } = input;
  const messagePerGroup = format.messagePerGroup && !joinsMessages(lowering);
  const composed = composeParts(view, input);
  const tools = orderTools(input.tools).map(
    (tool): WireBlock => ({
      kind: "tools",
      part: { type: "text", text: JSON.stringify(tool) },
      content: format.tool(tool),
      startsMessage: false,
    }),
  );
  const block = (kind: WireKind, part: WirePart, startsMessage: boolean): WireBlock => ({
    kind,
    part,
    content: kind === "system" ? format.system(part) : format.part(part),
    startsMessage,
  });
  const text = input.system.toWellFormed();
  const system = /\S/.test(text) ? [block("system", { type: "text", text }, true)] : [];
  const { groups } = composed;
  const stable = composed.stable.map((part, at) => {
    const starts = at === 0 || (messagePerGroup && groups[at] !== groups[at - 1]);
    return block("stable", part, starts);
  });
  // Where the whole history is one message, the tail is its last part. Otherwise the tail is a separate message,
  // because it must not extend another.
  const tail = composed.tail.map((part, at) =>
    block("tail", part, at === 0 && (messagePerGroup || stable.length === 0)),
  );
  const prefix = [...tools, ...system];
  const breakpoints = placeBreakpoints(composed, PROVIDERS[provider], {
    strategy,
    ttl,
    prefixLength: prefix.length,
    marksPrefix: system.length > 0 || format.marksTools,
  });
  const blocks = [...prefix, ...stable, ...tail];
  const ttls = new Map(breakpoints.map((point) => [point.i, point.ttl]));
  return { provider, lowering, body: format.body(blocks, (at) => ttls.get(at), input), blocks, breakpoints };
}

function formatOf(provider: ProviderId, { api }: WireInput): WireFormat {
  switch (provider) {
    case "anthropic":
      return anthropicMessages;
    case "bedrock":
      return bedrockConverse;
    case "openai":
      return api === "chat" ? openaiChat : openaiResponses;
    case "automatic":
      return openaiChat;
  }
}
