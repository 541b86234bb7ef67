/** The rule of both of OpenAI's APIs for the options of a stream. */
import type { JsonObject } from "@cairn/timeline";
import type { Rule } from "./rule.ts";

interface Streamed {
  readonly stream?: boolean | null | undefined;
  readonly stream_options?: unknown;
}

export function streamOptionsRule(source: string, example: JsonObject): Rule<Streamed> {
  return {
    rule: "Stream options are sent only with a stream.",
    about: "settings",
    source,
    date: "2026-11-15",
    refuses: ({ stream_options, stream }) =>
      stream_options != null && stream !== true
        ? {
            message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            param: "stream_options",
          }
        : null,
    example,
  };
}
