/** A title by the offline model: the topic of a report, or the beginning of the first message. */
import { intentOf } from "./intent.ts";
import type { ReadTimeline } from "./read-view.ts";
import { sentencesOf } from "./sentences.ts";

const MAX_LOOK_LENGTH = 2_000;
const COURTESY =
  /^(?:(?:hello|hi|hey|please|so|ok|okay)\b[\s,!.]*|(?:can|could|would|will) you (?:please )?(?:tell me |show me )?|(?:tell|show) me )+/i;

export function titleOffline({ turns }: ReadTimeline): string {
  const message = turns.find(({ prompts }) => prompts.length > 0)?.prompts[0] ?? "";
  const intent = intentOf(message);
  if (intent.kind === "report" && intent.topic !== "") return `Report: ${intent.topic}`;
  const [first = message] = sentencesOf(message.slice(0, MAX_LOOK_LENGTH));
  const bare = first.replace(COURTESY, "").replace(/(?<![\s.!?:])[\s.!?:]+$/, "");
  const title = bare === "" ? first : bare;
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`;
}
