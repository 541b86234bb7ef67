/** The operations on a whole timeline payload. */
import {
  debugPrint,
  finishMaintenance,
  type JsonObject,
  maintain,
  parseBlock,
  type RenderOptions,
  Timeline,
} from "@cairn/timeline";
import { z } from "zod";
import { type Operation, operation } from "./operation.ts";
import { countTokens } from "./tokens.ts";

const count = z.number().nonnegative();
const rows = z.custom<readonly JsonObject[]>(Array.isArray, "a list of rows");

const options = z
  .object({
    turn_id: z.string().nullish(),
    now: z
      .union([z.string(), z.number()])
      .refine((now) => readNow(now) !== null, "an ISO time or epoch seconds")
      .nullish(),
    include_sources: z.boolean().nullish(),
    include_announce: z.boolean().nullish(),
    announce: z.array(z.unknown()).nullish(),
    tail_order: z.enum(["sources_first", "announce_first"]).nullish(),
    strategy: z.enum(["seed", "economic"]).nullish(),
    max_tokens: count.nullish(),
    system_tokens: count.nullish(),
    force_compaction: z.boolean().nullish(),
    summary: z.string().nullish(),
    prefix_summary: z.string().nullish(),
    tokens_per_char: count.nullish(),
    first_render_after_load: z.boolean().nullish(),
    cache: z
      .object({
        cache_point_min_rounds: count.optional(),
        cache_point_offset_rounds: count.optional(),
        editable_tail_size_in_tokens: count.optional(),
      })
      .nullish(),
    session: z
      .object({
        cache_ttl_seconds: z.number().nullish(),
        cache_ttl_prune_buffer_seconds: count.optional(),
        keep_recent_turns: count.optional(),
        keep_recent_intact_turns: count.optional(),
      })
      .loose()
      .nullish(),
  })
  .nullish();

const payloadInput = z.object({ payload: z.unknown(), sources_pool: rows.nullish(), options });
type Input = z.infer<typeof payloadInput>;

async function openTimeline({ payload, sources_pool, options }: Input): Promise<Timeline> {
  const rate = options?.tokens_per_char;
  const counter = rate == null ? await countTokens() : (text: string) => Math.ceil(text.length * rate);
  const now = readNow(options?.now) ?? lastKnownTime(payload);
  const timeline = Timeline.fromPayload(payload, sources_pool ?? [], {
    clock: { now: () => now * 1000 },
    countTokens: counter,
  });
  timeline.announce((options?.announce ?? []).map((block) => parseBlock(block, "announce")));
  return timeline;
}

/** Without a given time, nothing may depend on the real clock: the payload's own times are used. */
function lastKnownTime(payload: unknown): number {
  const { ts, last_activity_at } = (payload ?? {}) as { readonly ts?: string; readonly last_activity_at?: string };
  return readNow(ts) ?? readNow(last_activity_at) ?? 0;
}

/** Epoch seconds, from epoch seconds or an ISO time. */
function readNow(now: string | number | null | undefined): number | null {
  if (now == null) return null;
  const seconds = typeof now === "number" ? now : Date.parse(now) / 1000;
  return Number.isFinite(seconds) ? seconds : null;
}

function renderOptions({ options }: Input): RenderOptions {
  const { cache, max_tokens, strategy, tail_order, turn_id } = options ?? {};
  return {
    includeSources: options?.include_sources ?? false,
    includeAnnounce: options?.include_announce ?? false,
    ...(turn_id == null ? {} : { turnId: turn_id }),
    ...(tail_order == null ? {} : { tailOrder: tail_order }),
    ...(max_tokens == null ? {} : { maxTokens: max_tokens }),
    ...(strategy == null ? {} : { strategy }),
    ...(cache == null ? {} : { cache }),
  };
}

function maintainTimeline(timeline: Timeline, input: Input) {
  const {
    first_render_after_load,
    force_compaction,
    max_tokens,
    now,
    prefix_summary,
    session,
    summary,
    system_tokens,
  } = input.options ?? {};
  const seconds = readNow(now);
  const maintenance = maintain(timeline, {
    ...(seconds === null
      ? {}
      : {
          prune: {
            now: seconds,
            session: session ?? undefined,
            firstRender: first_render_after_load ?? false,
            turnId: input.options?.turn_id ?? undefined,
          },
        }),
    ...(max_tokens == null ? {} : { budget: { maxTokens: max_tokens, systemTokens: system_tokens ?? 0 } }),
    render: renderOptions(input),
    forceCompaction: force_compaction ?? false,
  });
  const prose = { summary: summary ?? null, prefix: prefix_summary ?? null };
  const { resets } = finishMaintenance(timeline, maintenance, prose);
  return { notices: maintenance.notices, resets, view: timeline.render(maintenance.render) };
}

async function renderInput(input: Input) {
  const timeline = await openTimeline(input);
  return { timeline, ...maintainTimeline(timeline, input) };
}

export const TIMELINE_OPERATIONS: Readonly<Record<string, Operation>> = {
  "timeline.render": operation(payloadInput, async (input) => {
    const { timeline, view, resets, notices } = await renderInput(input);
    return { messages: view.messages(), payload: timeline.payload(), resets, notices };
  }),
  "timeline.debug": operation(payloadInput, async (input) => ({ text: debugPrint((await renderInput(input)).view) })),
  "timeline.hide": operation(
    payloadInput.extend({ paths: z.array(z.string()), replacement: z.string() }),
    async (input) => {
      const timeline = await openTimeline(input);
      const { cache } = input.options ?? {};
      const result = timeline.hide({
        paths: input.paths,
        replacement: input.replacement,
        cache: cache ?? undefined,
        editableTailTokens: cache?.editable_tail_size_in_tokens,
      });
      return { ...result, payload: timeline.payload() };
    },
  ),
  "timeline.resolve": operation(payloadInput.extend({ path: z.string() }), async (input) => {
    const artifact = (await openTimeline(input)).resolve(input.path);
    return artifact === null ? { missing: true } : { artifact };
  }),
  "timeline.turn": operation(payloadInput.extend({ turn_id: z.string() }), async (input) => ({
    turn: (await openTimeline(input)).turn(input.turn_id),
  })),
};
