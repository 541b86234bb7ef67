/** A request as a script gets it: its content in one form for all APIs, and the body itself. */
import type { JsonObject } from "@cairn/timeline";

export type ApiName = "anthropic" | "openai-responses" | "openai-chat" | "google" | "bedrock";

export interface ToolResult {
  /** Id of the call it answers. */
  readonly id: string;
  readonly text: string;
}

export interface ModelRequest {
  readonly api: ApiName;
  readonly model: string;
  readonly stream: boolean;
  /** Upper limit of output tokens, if given. */
  readonly maxTokens: number | null;
  readonly system: string;
  readonly toolNames: readonly string[];
  /** Results of calls, in order. */
  readonly toolResults: readonly ToolResult[];
  /** Every text of the conversation after the system text, in order. */
  readonly texts: readonly string[];
  /** Text of the last message, or of the last results. */
  readonly lastText: string;
  readonly body: JsonObject;
}
