/** Tests a turn as the terminal shows it. */
import { type Block, type KnownEvent, makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import type { ChatOutput } from "./output.ts";
import { TurnWatcher } from "./watch-turn.ts";

const TS = "2026-02-09T10:00:00Z";
const THOUGHT =
  "The user wants tea.\nI know a shop. It has many kinds of tea, so I had better look what there is today.";

function appended(block: Block): KnownEvent {
  return makeEvent("block.appended", { position: 0, block: { turn_id: "turn_1", ...block }, tokens: 1, version: 0 });
}

it("reasoning is one line before the step it led to", async () => {
  let screen = "";
  let open = false;
  const endText = () => {
    if (open) screen += "\n";
    open = false;
  };
  const output: ChatOutput = {
    isLive: true,
    line: (_, text) => {
      screen += `${text}\n`;
    },
    grow: (_, text) => {
      screen += text;
      open = true;
    },
    endText,
    print: () => undefined,
    answer: () => undefined,
    details: () => undefined,
    doing: () => undefined,
    wait: () => undefined,
    meter: () => undefined,
  };
  const watcher = new TurnWatcher(output);
  const events = (...given: KnownEvent[]) => watcher.listen({ type: "events", events: given, lastSeq: 1, streams: [] });
  const thinks = (name: string, text: string, offset = 0) =>
    watcher.listen({ type: "delta", stream: name, kind: "thinking", offset, text });
  events(makeEvent("turn.opened", { turn_id: "turn_1", ts: TS }));
  thinks("a", THOUGHT.slice(0, 30));
  thinks("a", THOUGHT.slice(30), 30);
  watcher.listen({ type: "delta", stream: "b", kind: "say", offset: 0, text: "I look." });
  const call = { turn_id: "turn_1", call_id: "tc_1", tool_id: "shop.find", params: { what: "tea" }, ts: TS };
  events(
    appended({ type: "react.thinking", text: THOUGHT, meta: { tool_call_id: "tc_1" } }),
    appended({ type: "react.notes", text: "I look.", meta: { tool_call_id: "tc_1" } }),
    makeEvent("call.started", call),
    makeEvent("call.settled", { call_id: "tc_1", outcome: "ok", ts: TS }),
  );
  thinks("c", "Green.");
  watcher.listen({ type: "delta", stream: "d", kind: "say", offset: 0, text: "There is green tea." });
  events(
    appended({ type: "react.thinking", text: "Green." }),
    appended({ type: "react.thinking", text: "A secret.", meta: { visibility: "internal" } }),
    appended({ type: "assistant.completion", text: "There is green tea." }),
  );
  watcher.endText();
  await expect(screen).toMatchFileSnapshot("golden/reasoning.txt");
});
