/** A summary of earlier turns by the offline model: questions, first sentences of answers, notes. */
import type { ReadTimeline } from "./read-view.ts";
import { sentencesOf } from "./sentences.ts";

/** Maximum number of characters of a summary, about 800 tokens. */
const MAX_LENGTH = 3_000;
const MAX_LINE_LENGTH = 200;

export function summariseOffline(timeline: ReadTimeline): string {
  const asked = timeline.turns.filter(({ prompts }) => prompts.length > 0);
  const progress = asked.map(({ prompts, answer }) => {
    const reply = answer === null ? "not answered yet" : firstLine(answer);
    return `- ${firstLine(prompts.join(" "))} → ${reply}`;
  });
  const sections = [
    ["Goal", [firstLine(asked[0]?.prompts.join(" ") ?? "")]],
    [
      "Critical Context",
      [...timeline.notes.map((note) => `- ${firstLine(note)}`), ...timeline.summaries.map(firstLine)],
    ],
    ["Progress", progress],
  ] as const;
  const text = sections
    .filter(([, lines]) => lines.some((line) => line !== ""))
    .map(([heading, lines]) => `**${heading}**\n${lines.join("\n")}`)
    .join("\n\n");
  return text === "" ? "Nothing has happened yet." : text.slice(0, MAX_LENGTH).toWellFormed();
}

function firstLine(text: string): string {
  const [first = ""] = sentencesOf(text.slice(0, 5_000));
  return first.slice(0, MAX_LINE_LENGTH).toWellFormed();
}
