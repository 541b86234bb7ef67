/** Draws the last turns of a conversation when the conversation is continued. */
import { join } from "node:path";
import type { ConversationStore } from "@cairn/store";
import { extractCitations, replaceCitations, type SourceRow, type TurnView } from "@cairn/timeline";
import { readView } from "cairn-agent/turns";
import { plainLine } from "../../command/terminal.ts";
import { MESSAGE_PROMPT } from "../ask/line-source.ts";
import { describeSource } from "../conversation/answer.ts";
import type { OpenedChat } from "../conversation/open-chat.ts";
import { describeCall } from "../show/describe-call.ts";
import { foldReasoning } from "../show/reasoning.ts";
import { describeOutcome } from "../show/watch-turn.ts";
import type { ScreenOutput } from "./screen-output.ts";

const MAX_TURNS = 5;

export async function showTurns(store: ConversationStore, { key, folder }: OpenedChat, output: ScreenOutput) {
  const { turns, sources, has_more } = await readView(store, key, { limit: MAX_TURNS });
  if (has_more) output.line("dim", `(Earlier turns: cairn show ${key.conversation})`);
  for (const turn of turns) showTurn(turn, sources, folder, output);
}

function showTurn(turn: TurnView, sources: readonly SourceRow[], folder: string, output: ScreenOutput): void {
  const { prompt, attachments, rounds, completion, exit, error, files, followups } = turn;
  const cite = (text: string, known: number) =>
    replaceCitations(
      text,
      sources.filter(({ sid }) => sid <= known),
      "markdown",
    );
  output.echo(MESSAGE_PROMPT, prompt.text);
  if (prompt.made_with !== undefined) output.line("dim", `  ${plainLine(`made with /${prompt.made_with}`)}`);
  for (const { name } of attachments) output.line("dim", `  ${plainLine(name)}`);
  const think = (text = "") => text !== "" && output.line("dim", foldReasoning(text));
  for (const round of rounds) {
    think(round.thinking);
    if (round.notes !== null && round.notes !== "") output.answer(cite(round.notes, round.sources_known));
    output.line("dim", `→ ${describeCall(round.tool_id, round.params)}`);
    const outcome = describeOutcome(round);
    if (outcome !== null) output.line(outcome.style, outcome.text);
  }
  think(turn.thinking);
  if (completion !== null) output.answer(cite(completion.text, completion.sources_known));
  if (exit === "cancelled") output.line("yellow", "(stopped)");
  if (error !== null) output.line("red", plainLine(error.message));
  const cited = completion === null ? [] : extractCitations(completion.text, "markdown");
  output.details([
    ...sources.filter(({ sid }) => cited.includes(sid)).map((row) => sourceLine(describeSource(row))),
    ...files.map(({ name, physical_path }) =>
      plainLine(physical_path === null ? name : `${name}  ${join(folder, physical_path)}`),
    ),
    ...followups.map((text) => `? ${plainLine(text)}`),
  ]);
}

function sourceLine({ sid, title, where }: ReturnType<typeof describeSource>): string {
  return `[${sid}] ${plainLine(title)}  ${plainLine(where)}`;
}
