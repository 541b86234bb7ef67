/** Answers a question about the user's own earlier messages from the view, because a search would not find them. */
import type { Recalled } from "./intent.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { withoutTokens } from "./wording.ts";

const MAX_LISTED = 10;
const MAX_LENGTH = 400;

export function recall(situation: Situation, which: Recalled): OfflineDecision {
  const { phrases, timeline } = situation;
  const said = timeline.turns.slice(0, -1).flatMap(({ prompts }) => prompts);
  const [first] = said;
  const last = said.at(-1);
  if (first === undefined || last === undefined) return answer(situation.introduced(phrases.askedNothing));
  // The view does not contain messages that a summary covers.
  const since = timeline.summaries.length === 0 ? "" : phrases.asFarAsISee;
  switch (which) {
    case "first":
      return answer(phrases.firstMessage(since, quoted(first)));
    case "last":
      return answer(phrases.messageBefore(quoted(last)));
    case "all": {
      const listed = said.slice(-MAX_LISTED).map((message) => `- ${quoted(message)}`);
      const left = said.length - listed.length;
      const heading = left > 0 ? phrases.lastMessages(listed.length) : phrases.allMessages(since);
      return answer(`${heading}\n\n${listed.join("\n")}`);
    }
  }
}

/** The message in quotation marks, on one line and without citation tokens. */
export function quoted(message: string): string {
  const line = withoutTokens(message.replace(/\s+/g, " ")).trim();
  return `“${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).toWellFormed()}…` : line}”`;
}
