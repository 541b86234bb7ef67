/**
 * A recorded conversation of `bench/traces`, played with one model of each wire form. Its texts have a tenth of the
 * characters, and each character counts ten times as many tokens. So content is pruned and checkpoints are placed as in
 * the recording, because both depend on tokens, and the frozen set stays small.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plainContent, type Trace, type TraceContent, type TraceTurn } from "../../turns/trace.ts";
import { MODELS } from "./finished.ts";
import { PlayedConversation } from "./played-conversation.ts";
import type { Scenario } from "./scenario.ts";
import { step } from "./scenario.ts";

const WIRES = ["anthropic", "responses", "chat"] as const;

const TRACE = join(import.meta.dirname, "../../../../../bench/traces/trace-short.json");
const SCALE = 10;
/** A word of a trace's text has five characters and stands for `SCALE` tokens. */
const countTokens = (text: string) => Math.ceil(text.length / 5) * SCALE;

/** The recorded conversations of new sets; v1 contains longer traces, too. */
export const traceScenarios: readonly Scenario[] = WIRES.map((wire): Scenario => {
  const conversation = `trace-short-${wire}`;
  return {
    name: conversation,
    play: async (place) => {
      const trace = shorten(JSON.parse(readFileSync(TRACE, "utf8")) as Trace);
      const content = plainContent(trace);
      const played: PlayedConversation = await PlayedConversation.open(place, conversation, {
        model: MODELS[wire],
        contextTokens: 1_000_000,
        countTokens,
        agent: {
          instructions: content.instructions,
          tools: content.tools((seconds) => played.pass(seconds)),
        },
      });
      for (const [index, turn] of trace.turns.entries()) await playTurn(played, content, turn, index);
      await played.close();
    },
  };
});

async function playTurn(
  played: PlayedConversation,
  content: TraceContent,
  turn: TraceTurn,
  index: number,
): Promise<void> {
  played.pass(turn.pause_seconds);
  const replies = content.replies(turn, index);
  const { restart_after_round: restart } = turn;
  await played.say(content.prompt(turn, index));
  if (restart !== null) {
    const parkAt = step(/^after append .*call\.settled/, restart);
    const outcome = await played.run(replies.splice(0, restart), { parkAt });
    if (outcome !== "parked") throw new Error("The process did not end where the trace says.");
  }
  await played.run(replies);
}

function shorten(trace: Trace): Trace {
  const less = (tokens: number) => Math.max(1, Math.round(tokens / SCALE));
  return {
    system_tokens: less(trace.system_tokens),
    tools_tokens: less(trace.tools_tokens),
    turns: trace.turns.map((turn) => ({
      ...turn,
      prompt_tokens: less(turn.prompt_tokens),
      answer_tokens: less(turn.answer_tokens),
      rounds: turn.rounds.map((round) => ({
        ...round,
        notes_tokens: less(round.notes_tokens),
        call_tokens: less(round.call_tokens),
        result_tokens: round.result_tokens.map(less),
      })),
    })),
  };
}
