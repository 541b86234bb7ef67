/** The options of a simulator. */
import type { Clock, CountTokens, ProviderRules } from "@cairn/timeline";
import type { ServerName } from "./body/server-name.ts";

export interface SimulatorOptions {
  /** Counts the billed tokens; by default a token for every four characters. */
  readonly countTokens?: CountTokens;
  /** The clock for the times of requests and cache entries; default: the machine's clock. */
  readonly clock?: Clock;
  /** The only accepted key; any key by default. */
  readonly apiKey?: string;
  /** The window, for input and output together. Larger prompts are rejected. Default: no limit. */
  readonly contextWindow?: number;
  /** The server whose Chat Completions rules apply; OpenAI's own by default. */
  readonly server?: ServerName | readonly ServerName[];
  /** Whether the server reports usage on request; default true. */
  readonly tellsUsage?: boolean;
  /** Maximum bytes of a body; the provider's limit by default. */
  readonly maxBytes?: number;
  /** Replaces the provider's published cache rules, for instance with another minimum. */
  readonly rules?: ProviderRules;
  /**
   * Anthropic documents that adding pictures to a prompt, or removing them, invalidates the cached messages. The
   * simulator does the same unless this is false.
   */
  readonly imagesResetMessages?: boolean;
}
