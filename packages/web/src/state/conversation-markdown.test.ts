import { emptyView, makeEvent, viewEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { conversationMarkdown } from "./conversation-markdown.ts";

it("writes questions as quotations and answers with their citations as links", () => {
  const completion = {
    text: "At six.[[S:1]]",
    path: null,
    position: 1,
    sources_known: 1,
    interrupted: false,
    clarification: false,
  };
  const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: "t" });
  const { turns } = viewEvent(emptyView(), { seq: 1, event: opened });
  const prompt = { text: "# When?\nTell me.", ts: null };
  const sources = [{ sid: 1, title: "Tides", url: "https://example.com/tides" }];
  const text = conversationMarkdown({
    ...emptyView(),
    title: "The tide",
    turns: turns.map((turn) => ({ ...turn, prompt, completion })),
    sources,
  });
  expect(text).toBe(
    "# The tide\n\n## 1. Question\n\n> # When?\n> Tell me.\n\n### Answer\n\nAt six.[Tides](https://example.com/tides)\n",
  );
});

it("ends code that an answer left open, so that later turns are not part of it", () => {
  const completion = {
    text: "So:\n```js\nlet a",
    path: null,
    position: 1,
    sources_known: 0,
    interrupted: true,
    clarification: false,
  };
  const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: "t" });
  const { turns } = viewEvent(emptyView(), { seq: 1, event: opened });
  const prompt = { text: "How?\r\nNow.", ts: null };
  const text = conversationMarkdown({ ...emptyView(), turns: turns.map((turn) => ({ ...turn, prompt, completion })) });
  expect(text).toContain("> How?\n> Now.\n");
  expect(text).toContain("let a\n```\n");
});
