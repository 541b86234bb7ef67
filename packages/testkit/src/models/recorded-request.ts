/** What a simulator remembers of every request, refused ones included. */
import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "@cairn/timeline";
import type { Prompt } from "./cache/prompt.ts";
import type { PromptUsage } from "./cache/prompt-cache.ts";
import type { ModelRequest } from "./script/model-request.ts";

export interface RecordedRequest {
  /** From 1, in order of arrival. */
  readonly nth: number;
  /** Milliseconds on the simulator's clock when it came in. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came over the wire. */
  readonly bytes: string;
  /** The body, when it was JSON. */
  readonly body: JsonObject | null;
  /** What the script saw; null when the request was refused before. */
  readonly request: ModelRequest | null;
  /** What the provider's cache saw; null when the request was refused before. */
  readonly prompt: Prompt | null;
  /** Name of the step that answered. */
  readonly step: string | null;
  /** Input tokens as billed; null when nothing was generated. */
  readonly usage: PromptUsage | null;
  /** Status of the answer; null as long as there is none. */
  readonly status: number | null;
  /** Message of the error that was answered. */
  readonly refusal: string | null;
  /** The client went away before the answer was complete. */
  readonly aborted: boolean;
  /** The answer is over, whichever way. */
  readonly done: boolean;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
