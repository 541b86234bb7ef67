/**
 * Makes the receipt of a request when its answer is complete or was interrupted: what was sent, what it cost, and what
 * a restart of the turn needs. The next batch stores the receipt together with the effects of the answer.
 */
import { createHash } from "node:crypto";
import {
  type DeclaredReset,
  type EventBody,
  hashText,
  type Lowering,
  makeReceipt,
  type ReportedUsage,
  type RequestTokens,
  reasoningOf,
  receiptTexts,
  uniteResets,
  type WireRequest,
} from "@cairn/timeline";
import { REASONING_RULES } from "../../model/ask-reasoning.ts";
import { type Model, type ModelRequest, type ModelUsage, NO_USAGE, type SentBody } from "../../model/model.ts";
import { dollarsOf } from "../../model/price.ts";
import { isEmpty, writeSettings } from "../../model/request-settings.ts";
import { offersOutput } from "../../protocol/protocol-tools.ts";
import type { ExpectedRequest } from "../../receipt/cache-memory.ts";
import { hashStable } from "../../receipt/recall-requests.ts";
import {
  type CacheRecord,
  type RequestRecord,
  readRequestRecord,
  type SentRecord,
} from "../../receipt/request-record.ts";
import type { KeptProgress } from "../state/earlier-life.ts";
import type { TurnContext } from "../state/turn-context.ts";
import type { InFlightRequest } from "./in-flight-request.ts";

export interface RequestEnd {
  /** The reported usage; null when the answer was interrupted before it was reported. */
  readonly usage: ModelUsage | null;
  /** The text that the model wrote. Its tokens are counted for providers that do not report usage. */
  readonly written?: string;
  /** The fingerprint of the answer's calls. Absent if the answer was no decision; then the last one stays valid. */
  readonly decision?: string | null;
}

export async function keepReceipt(context: TurnContext, made: InFlightRequest, end: RequestEnd): Promise<void> {
  made.noteReceipt();
  const endedAt = context.now();
  const { agent, journal, progress } = context;
  const { sent } = made;
  const { purpose, request, tokens } = made.planned;
  const isEstimated = lacksUsage(sent, end);
  const usage = isEstimated ? estimateUsage(context, tokens, end) : end.usage;
  const last = journal.timeline.state.lastReceipt;
  const cost = dollarsOf(usage ?? NO_USAGE, agent.model.prices);
  const isPlain = sent === null || request.inText !== undefined;
  const offered = { tools: isPlain ? request.tools.map(plainTool) : sentTools(sent), system: request.system };
  const texts = receiptTexts(request.view, offered);
  const receipt = makeReceipt(
    request.view,
    {
      ...offered,
      startedAt: made.startedAt / 1000,
      resets: uniteResets([
        ...progress.resets,
        ...changedTexts(last, texts),
        ...changedLowering(last, request, sent),
        ...changedModel(last, agent.model),
        ...changedReasoning(last, agent.model, request, sent, progress.resets.length === 0),
        ...changedOutput(last, sent),
      ]),
      tokens,
      ...(usage === null ? {} : { usage: reported(usage) }),
      // Without a known price, the cost is unknown and not 0.
      ...(usage === null || agent.model.prices === undefined ? {} : { cost }),
      ...(progress.previousView === null ? {} : { previousView: progress.previousView }),
      ...(progress.chain === null && typeof last?.n === "number" ? { n: last.n + 1 } : {}),
    },
    progress.chain,
  );
  await keepTexts(context, texts, receipt);
  const { input, output } = usage ?? NO_USAGE;
  const spent = {
    iterations: progress.spent.iterations + (purpose === "decision" && usage !== null ? 1 : 0),
    tokens: progress.spent.tokens + input + output,
    dollars: progress.spent.dollars + cost,
    elapsedMs: endedAt - context.startedAt,
  };
  const { decision = lastDecision(context) } = end;
  const kept: KeptProgress = {
    turn_id: context.turnId,
    spent,
    decision,
    carried_out: progress.lastDecision,
    ...(progress.fellBack === null ? {} : { fell_back: progress.fellBack }),
    ...(offersOutput(request.tools) ? { offers_output: true } : {}),
    ...(isEmpty(context.settings) ? {} : { turn_settings: writeSettings(context.settings) }),
  };
  const record: Omit<RequestRecord, "turn_id"> = {
    model: agent.model.id,
    purpose,
    stable_hash: hashStable(request.view),
    sent: sent === null ? null : recordSent(request, sent),
    cache: recordCache(context, made.expected, end),
    timing: made.timing(endedAt),
    ...(isEstimated ? { usage_estimated: true } : {}),
  };
  const { refused } = progress;
  journal.timeline.record("model.receipt", {
    ...receipt,
    ...kept,
    ...record,
    // The engine learns separately for each model and lowering how the tokens are counted.
    ...loweringField(sent?.wire.lowering),
    ...(refused === null ? {} : { refused: { ...refused } }),
  });
  progress.noteReceipt(receipt, request.view, spent);
}

/** Every answer uses tokens, so a reported usage of zero means that the provider does not report usage. */
function lacksUsage(sent: SentBody | null, { usage }: RequestEnd): boolean {
  return sent !== null && usage !== null && usage.input + usage.output === 0;
}

function estimateUsage({ countTokens }: TurnContext, tokens: RequestTokens, { written = "" }: RequestEnd): ModelUsage {
  const input = Object.values(tokens).reduce((sum, each) => sum + each, 0);
  return { ...NO_USAGE, input, output: countTokens(written) };
}

function lastDecision({ journal, turnId }: TurnContext): string | null {
  const receipt = journal.timeline.state.lastReceipt;
  return receipt?.turn_id === turnId && typeof receipt.decision === "string" ? receipt.decision : null;
}

function plainTool({ name, description, schema }: ModelRequest["tools"][number]) {
  return { name, description, schema };
}

/** The tools with the names and in the order that the provider received them. */
function sentTools({ wire }: SentBody): readonly { readonly name: string }[] {
  return wire.blocks.flatMap(({ kind, part }) =>
    kind === "tools" && part.type === "text" ? [JSON.parse(part.text) as { name: string }] : [],
  );
}

/** Declares that an agent was changed between two requests: a different system text or different tools. */
function changedTexts(
  last: { readonly tools?: string | undefined; readonly system?: string | undefined } | null,
  texts: Readonly<Record<"tools" | "system", string>>,
): DeclaredReset[] {
  const differs = (part: "tools" | "system") =>
    last?.[part] !== undefined && last[part] !== `sha256:${hashText(texts[part])}`;
  return [
    ...(differs("tools") ? [{ cause: "tools_changed" as const }] : []),
    ...(differs("system") ? [{ cause: "system_changed" as const }] : []),
  ];
}

/** A different model has its own cache, even if it is sent the same bytes. */
function changedModel(last: EventBody<"model.receipt"> | null, model: Model): DeclaredReset[] {
  const before = last === null ? null : readRequestRecord(last).model;
  return before === null || before === model.id ? [] : [{ cause: "model_changed" }];
}

/** A schema that the provider makes the answer match comes before the messages. */
function changedOutput(last: EventBody<"model.receipt"> | null, sent: SentBody | null): DeclaredReset[] {
  const before = last === null ? null : readRequestRecord(last).sent;
  return before === null || sent === null || before.output === sent.output ? [] : [{ cause: "output_changed" }];
}

/**
 * Reasoning is sent only to the model that produced it, so another model is sent the same blocks without it. The
 * lowering and the registry also decide whether a model takes reasoning back. `continues`: the view begins with the
 * blocks of the previous request.
 */
function changedReasoning(
  last: EventBody<"model.receipt"> | null,
  model: Model,
  { view }: ModelRequest,
  sent: SentBody | null,
  continues: boolean,
): DeclaredReset[] {
  const before = last === null ? null : readRequestRecord(last);
  if (last === null || before === null || before.sent === null) return [];
  const isOther = before.model !== model.id;
  const returns = sent !== null && reasoningIn(sent.wire) > 0;
  if ((before.sent.reasoning ?? 0) > 0) return isOther || !returns ? [{ cause: "reasoning_dropped" }] : [];
  if (isOther || !returns || !continues) return [];
  // Reasoning that is new since the previous request changes nothing that was already sent.
  for (const { block, isWhole, to } of view.origins())
    if (to <= (last.stable ?? 0) && isWhole && reasoningOf(block)?.model === model.id)
      return [{ cause: "lowering_changed" }];
  return [];
}

/** Number of wire blocks that return reasoning to the provider. */
function reasoningIn({ blocks }: WireRequest): number {
  return blocks.filter(({ part }) => part.type === "reasoning" || (part.type === "call" && part.sealed !== undefined))
    .length;
}

/** Cached message blocks cannot be read in another wire form, because it is a different prefix. */
function changedLowering(
  last: EventBody<"model.receipt"> | null,
  request: ModelRequest,
  sent: SentBody | null,
): DeclaredReset[] {
  const before = last === null ? null : readRequestRecord(last).sent;
  if (before === null || sent === null) return [];
  const { name, version } = sent.wire.lowering;
  const isSame =
    before.lowering.name === name &&
    before.lowering.version === version &&
    before.in_text?.version === request.inText?.version;
  return isSame && !showsOtherFiles(last?.stable ?? 0, before.describes, request)
    ? []
    : [{ cause: "lowering_changed" }];
}

/** Whether files in the stable part of the last request were only described then and are sent now, or vice versa. */
function showsOtherFiles(
  stable: number,
  before: readonly string[] = [],
  { view, describes = [] }: ModelRequest,
): boolean {
  for (let index = 0; index < Math.min(stable, view.stableLength); index++) {
    const type = view.stableAt(index)?.type;
    if (type !== undefined && type !== "text" && before.includes(type) !== describes.includes(type)) return true;
  }
  return false;
}

function reported({ input, output, cacheRead, cacheWrite }: ModelUsage): ReportedUsage {
  return {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    output_tokens: output,
  };
}

function recordSent(request: ModelRequest, { body, speller, wire }: SentBody): SentRecord {
  const { instruction, describes, inText } = request;
  return {
    sha256: body === null ? null : createHash("sha256").update(body).digest("hex"),
    bytes: body === null ? null : Buffer.byteLength(body),
    speller,
    strategy: request.strategy,
    ttl: request.ttl,
    cache_key: request.cacheKey,
    max_output_tokens: request.maxOutputTokens,
    tool_choice: request.toolChoice ?? "auto",
    lowering: wire.lowering,
    ...(wire.returnsReasoning ? { reasoning: reasoningIn(wire) } : {}),
    ...(request.output === undefined ? {} : { output: request.output.hash }),
    ...(request.settings === undefined ? {} : { settings: writeSettings(request.settings) }),
    ...(request.settings?.reasoning === undefined ? {} : { reasoning_rules: REASONING_RULES }),
    ...(inText === undefined ? {} : { in_text: { version: inText.version, code: inText.code } }),
    ...(describes === undefined ? {} : { describes }),
    ...(instruction === undefined ? {} : { instruction }),
  };
}

function recordCache(
  { progress, countTokens }: TurnContext,
  expected: ExpectedRequest | null,
  { usage }: RequestEnd,
): CacheRecord | null {
  if (expected === null || !progress.memory.predicts) return null;
  return progress.memory.settle(expected, usage, countTokens);
}

/** Stores the texts that a receipt refers to, each once: tools and system text hardly ever change. */
async function keepTexts(
  { store, key, progress }: TurnContext,
  texts: Readonly<Record<"tools" | "system" | "tail", string>>,
  receipt: Readonly<Record<"tools" | "system" | "tail", string>>,
): Promise<void> {
  for (const part of ["tools", "system", "tail"] as const) {
    if (progress.hasText(receipt[part])) continue;
    await store.putBlob(key, [new TextEncoder().encode(texts[part])]);
    progress.noteText(receipt[part]);
  }
}

/** Receipts name the lowering only if it is not flat. */
export function loweringField(lowering: Lowering | undefined): { readonly lowering?: string } {
  return lowering === undefined || lowering.name === "flat" ? {} : { lowering: lowering.name };
}
