/** What a simulator is told when it starts. */
import type { Clock, CountTokens, ProviderRules } from "@cairn/timeline";
import type { ServerName } from "./body/server-name.ts";

export interface SimulatorOptions {
  readonly countTokens: CountTokens;
  /** Times of requests and ages of cache entries; the machine's clock unless given. */
  readonly clock?: Clock;
  /** The only key that is taken; any unless given. */
  readonly apiKey?: string;
  /** Tokens of input and output together; prompts that do not fit are refused. No limit unless given. */
  readonly contextWindow?: number;
  /** Whose server answers Chat Completions, and refuses what these refuse; OpenAI's own unless given. */
  readonly server?: ServerName | readonly ServerName[];
  /** False for a server that never tells what an answer cost, asked or not. */
  readonly tellsUsage?: boolean;
  /** Bytes of a body; the provider's limit unless given. */
  readonly maxBytes?: number;
  /** Cache rules in place of the provider's published ones, for instance with another minimum. */
  readonly rules?: ProviderRules;
  /**
   * Anthropic publishes that pictures coming into a prompt, or leaving it, lose what was cached of the messages.
   * So it is here unless this is false.
   */
  readonly imagesResetMessages?: boolean;
}
