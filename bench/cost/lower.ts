/**
 * Views as the requests a provider gets, refused where it would refuse them. A wire block seen before is not hashed and
 * counted again: the same few megabytes come back in every request.
 */
import { refuseBody, type TimedRequest } from "@cairn/testkit/cache";
import {
  type CacheStrategy,
  type CacheTtl,
  type CountTokens,
  type DescribedBlock,
  describeBlock,
  lowerView,
  type ProviderId,
  type WireBlock,
  type WireInput,
} from "@cairn/timeline";
import { composeSystem, composeTools } from "./compose.ts";
import type { Moment } from "./replay.ts";
import type { Trace } from "./trace.ts";

export interface LoweredAs {
  readonly strategy: CacheStrategy;
  readonly provider: ProviderId;
  readonly ttl: CacheTtl;
}

export class Lowering {
  readonly #frame: WireInput;
  readonly #countTokens: CountTokens;
  /** By place and spelling, then by text. */
  readonly #described = new Map<string, Map<string, DescribedBlock>>();

  constructor(trace: Trace, countTokens: CountTokens) {
    this.#frame = { tools: composeTools(trace), system: composeSystem(trace), cacheKey: "conversation" };
    this.#countTokens = countTokens;
  }

  /** Throws `request_refused` when the provider would. */
  request({ t, view }: Moment, { strategy, provider, ttl }: LoweredAs): TimedRequest {
    const wire = lowerView(view, { ...this.#frame, strategy, ttl }, provider);
    refuseBody(wire);
    return { t, blocks: wire.blocks.map((block) => this.#describe(block, provider)), breakpoints: wire.breakpoints };
  }

  #describe(block: WireBlock, provider: ProviderId): DescribedBlock {
    if (block.part.type !== "text") return describeBlock(block, this.#countTokens);
    const known = this.#knownAs(`${provider} ${block.kind} ${block.startsMessage}`);
    let described = known.get(block.part.text);
    if (described === undefined) {
      described = describeBlock(block, this.#countTokens);
      known.set(block.part.text, described);
    }
    return described;
  }

  #knownAs(spelling: string): Map<string, DescribedBlock> {
    let known = this.#described.get(spelling);
    if (known === undefined) {
      known = new Map();
      this.#described.set(spelling, known);
    }
    return known;
  }
}
