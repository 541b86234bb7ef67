/** The operations on a whole timeline payload. */
import { type Block, debugPrint, fixedEstimator, type JsonObject, parseBlock, Timeline } from "@cairn/timeline";
import { z } from "zod";
import { type Operation, operation } from "./operation.ts";
import { countTokens } from "./tokens.ts";

const rows = z.custom<readonly JsonObject[]>(Array.isArray, "a list of rows");

const options = z
  .object({
    turn_id: z.string().nullish(),
    now: z.union([z.string(), z.number()]).nullish(),
    include_sources: z.boolean().nullish(),
    include_announce: z.boolean().nullish(),
    announce: z.array(z.looseObject({})).nullish(),
    tail_order: z.enum(["sources_first", "announce_first"]).nullish(),
    strategy: z.enum(["seed", "economic"]).nullish(),
    max_tokens: z.number().nullish(),
    tokens_per_char: z.number().nullish(),
    cache: z
      .object({
        cache_point_min_rounds: z.number().int().nonnegative().optional(),
        cache_point_offset_rounds: z.number().int().nonnegative().optional(),
      })
      .nullish(),
  })
  .nullish();

type Options = z.infer<typeof options>;

const payloadInput = z.object({ payload: z.unknown(), sources_pool: rows.nullish(), options });

async function openTimeline(input: z.infer<typeof payloadInput>): Promise<Timeline> {
  const rate = input.options?.tokens_per_char;
  const deps = {
    clock: { now: () => readNow(input.options?.now) },
    countTokens: rate == null ? await countTokens() : fixedEstimator(rate),
  };
  const timeline = Timeline.fromPayload(input.payload, input.sources_pool ?? [], deps);
  timeline.announce((input.options?.announce ?? []).map((block): Block => parseBlock(block, "announce")));
  return timeline;
}

/** Epoch seconds or an ISO time; the epoch when absent, for nothing here may depend on the real clock. */
function readNow(now: string | number | null | undefined): number {
  if (now == null) return 0;
  return typeof now === "number" ? now * 1000 : Date.parse(now);
}

function render(timeline: Timeline, given: Options) {
  const { cache, max_tokens, tail_order, turn_id } = given ?? {};
  return timeline.render({
    includeSources: given?.include_sources ?? false,
    includeAnnounce: given?.include_announce ?? false,
    ...(turn_id == null ? {} : { turnId: turn_id }),
    ...(tail_order == null ? {} : { tailOrder: tail_order }),
    ...(max_tokens == null ? {} : { maxTokens: max_tokens }),
    ...(given?.strategy == null ? {} : { strategy: given.strategy }),
    ...(cache == null ? {} : { cache }),
  });
}

export const TIMELINE_OPERATIONS: Readonly<Record<string, Operation>> = {
  "timeline.render": operation(payloadInput, async (input) => {
    const timeline = await openTimeline(input);
    const messages = render(timeline, input.options).messages();
    return { messages, payload: timeline.payload(), resets: [], notices: [] };
  }),
  "timeline.debug": operation(payloadInput, async (input) => ({
    text: debugPrint(render(await openTimeline(input), input.options)),
  })),
  "timeline.resolve": operation(payloadInput.extend({ path: z.string() }), async (input) => {
    const artifact = (await openTimeline(input)).resolve(input.path);
    return artifact === null ? { missing: true } : { artifact };
  }),
  "timeline.turn": operation(payloadInput.extend({ turn_id: z.string() }), async (input) => ({
    turn: (await openTimeline(input)).turn(input.turn_id),
  })),
};
