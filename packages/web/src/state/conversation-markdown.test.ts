import { emptyView, makeEvent, viewEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { conversationMarkdown } from "./conversation-markdown.ts";

it("writes questions as quotations and answers with their citations as links", () => {
  const completion = {
    text: "At six.[[S:1]] See `fi:turn_1.files/a/tides.md`.",
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
  expect(text).toEqual([
    "# The tide",
    "## 1. Question",
    "> # When?\n> Tell me.",
    "### Answer",
    "At six.[Tides](https://example.com/tides) See `tides.md`.",
  ]);
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
  expect(text).toContain("> How?\n> Now.");
  expect(text.at(-1)).toMatch(/let a\n```$/);
});

it("names files as code, and includes the pictures among them", () => {
  const file = (name: string) => ({
    name,
    path: `fi:turn_1.files/${name}`,
    physical_path: `turn_1/files/${name}`,
    kind: "file",
    hosted: false,
    mime: null,
    size_bytes: 1,
    version: 1,
    visibility: "external" as const,
    position: 1,
    sources_known: 0,
  });
  const completion = {
    text: "![chart](fi:turn_1.files/a_b_c.svg) and ![none](fi:turn_1.files/gone.svg)",
    path: null,
    position: 1,
    sources_known: 0,
    interrupted: false,
    clarification: false,
  };
  const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: "t" });
  const { turns } = viewEvent(emptyView(), { seq: 1, event: opened });
  const files = [file("a_b_c.svg"), file("odd`name.csv")];
  const attachments = [file("in[1].png")];
  const text = conversationMarkdown(
    { ...emptyView(), turns: turns.map((turn) => ({ ...turn, completion, files, attachments })) },
    (path) => (/a_b_c|in/.test(path) ? `data:,${path.length}` : null),
  );
  expect(text.slice(2)).toEqual([
    "> Attached: `in[1].png`\n> \n> ![in\\[1\\].png](<data:,25>)",
    "### Answer",
    "![chart](<data:,25>) and ![none](fi:turn_1.files/gone.svg)",
    "Files:",
    "- `a_b_c.svg`\n- `` odd`name.csv ``",
    "![a_b_c.svg](<data:,25>)",
  ]);
});
