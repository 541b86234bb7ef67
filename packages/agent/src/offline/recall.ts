/** The user's earlier messages, when the question is about them: no search would find them. */
import { answer, type OfflineDecision, type Situation } from "./situation.ts";

export type Recalled = "first" | "last" | "all";

const MAX_LISTED = 10;
const MAX_LENGTH = 400;

export function recall(situation: Situation, which: Recalled): OfflineDecision {
  const { timeline } = situation;
  const said = timeline.turns.slice(0, -1).flatMap(({ prompts }) => prompts);
  const [first] = said;
  const last = said.at(-1);
  if (first === undefined || last === undefined)
    return answer(situation.introduced("You have asked me nothing before."));
  // Messages covered by a summary are out of view.
  const since = timeline.summaries.length === 0 ? "" : ", as far as I still see the conversation";
  switch (which) {
    case "first":
      return answer(`Your first message was${since}: ${quoted(first)}`);
    case "last":
      return answer(`Your message before this one was: ${quoted(last)}`);
    case "all": {
      const listed = said.slice(-MAX_LISTED).map((message) => `- ${quoted(message)}`);
      const left = said.length - listed.length;
      return answer(
        `${left > 0 ? `Your last ${listed.length} messages` : `Your messages${since}`} were:\n\n${listed.join("\n")}`,
      );
    }
  }
}

/** On one line, and without anything that reads as a citation token. */
function quoted(message: string): string {
  const line = message
    .replace(/\s+/g, " ")
    .replaceAll("［", "[")
    .replace(/\[(?=\[)/g, "[ ")
    .trim();
  return `“${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).toWellFormed()}…` : line}”`;
}
