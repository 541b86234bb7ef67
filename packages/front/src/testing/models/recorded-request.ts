/** The record that a simulator keeps of every request, including rejected ones. */
import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "@cairn/timeline";
import type { Prompt } from "./cache/prompt.ts";
import type { PromptUsage } from "./cache/prompt-cache.ts";
import type { ModelRequest } from "./script/model-request.ts";

export interface RecordedRequest {
  /** Number of the request in order of arrival, from 1. */
  readonly nth: number;
  /** Arrival time in milliseconds on the simulator's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came over the wire. */
  readonly bytes: string;
  /** The body, if it was JSON. */
  readonly body: JsonObject | null;
  /** The request as the script got it; null if the request was rejected before. */
  readonly request: ModelRequest | null;
  /** The prompt as the provider's cache compared it; null if the request was rejected before. */
  readonly prompt: Prompt | null;
  /** Name of the step that answered. */
  readonly step: string | null;
  /** Input tokens as billed; null when nothing was generated. */
  readonly usage: PromptUsage | null;
  /** Status of the answer; null while there is none. */
  readonly status: number | null;
  /** Message of the error in the answer. */
  readonly refusal: string | null;
  /** Whether the client disconnected before the answer was complete. */
  readonly aborted: boolean;
  /** Whether the answer has ended, successfully or not. */
  readonly done: boolean;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
