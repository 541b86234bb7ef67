/**
 * Tests that after a process has ended between two requests, the next process sends the same bytes that the first would
 * have sent.
 */
import type { MessageReply } from "@cairn/testkit/models";
import { type LifeOptions, ReplayedTrace, type ScriptedReply, type Trace } from "@cairn/testkit/turns";
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { lookTool } from "../../test/look-tool.ts";
import { reactTools } from "../react/react-tools.ts";

const trace: Trace = { system_tokens: 1_500, tools_tokens: 1_500, turns: [] };
const look = lookTool(1_200);
const looks = (what: string): MessageReply => ({ calls: [{ name: "site__look", input: { what } }] });
const unreadable: MessageReply = { calls: [{ name: "no_such_tool", input: {} }] };
const says = (text: string): MessageReply => ({ text });

/** The request bodies, each once. Ids are replaced by their order, because they differ between processes. */
async function bodies(play: (replayed: ReplayedTrace) => Promise<void>): Promise<Set<string>> {
  const session = { keep_recent_turns: 1, keep_recent_intact_turns: 1 };
  await using replayed = await ReplayedTrace.open(trace, {
    model: "anthropic:claude-sonnet-5",
    agent: { tools: [...reactTools(), look], memory: { prune: "seed", session } },
  });
  await play(replayed);
  return new Set(
    replayed.simulator.requests.map(({ bytes }) => {
      const names = new Map<string, number>();
      return bytes.replace(/(?:tc|turn)_[0-9a-f]+/g, (id) => {
        if (!names.has(id)) names.set(id, names.size);
        return `id ${names.get(id)}`;
      });
    }),
  );
}

/** The last turn of the conversation, played by one process or by two. */
const lastTurn = (replies: readonly ScriptedReply[], life: LifeOptions) => async (replayed: ReplayedTrace) => {
  await replayed.turn("Two.", replies, life);
  if (life.endsWith === undefined) return;
  await replayed.reopen();
  await replayed.goOn();
};

const isBlock = (type: string) => (event: TimelineEvent) =>
  event.kind === "block.appended" && "body" in event && (event.body as { block: { type: string } }).block.type === type;

describe("a restart changes no request", () => {
  it.each([
    ["behind a decision that could not be read", "react.notice", [looks("b"), unreadable, looks("c"), says("Done.")]],
    ["behind a prune that is announced once", "system.message", [looks("b"), says("Done.")]],
    ["behind feedback that is announced once", "turn.feedback", [looks("b"), says("Done.")]],
  ])("%s", async (_, type, replies) => {
    const play = (life: LifeOptions) =>
      bodies(async (replayed) => {
        await replayed.turn("One.", [looks("a"), says("Done.")]);
        await replayed.turn("More.", [says("Done.")]);
        const ts = new Date(0).toISOString();
        const { turnIds } = (await replayed.store.load(replayed.key)).state;
        const feedback = { key: "f", turn_id: turnIds[0] ?? "", reaction: "up", ts };
        if (type === "turn.feedback")
          await replayed.store.append(replayed.key, [makeEvent("feedback.received", feedback)]);
        if (type === "system.message") replayed.pass(7_200);
        await lastTurn(replies, life)(replayed);
      });
    const undisturbed = await play({});
    const interrupted = await play({ endsWith: isBlock(type) });
    expect([...interrupted]).toEqual([...undisturbed]);
  });
});
