import { emptyView, makeEvent, viewEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { conversationMarkdown } from "./conversation-markdown.ts";
import { placeIn } from "./source-list.ts";

const NO_PICTURES = {
  pictureSource: () => null,
  texts: new Map<string, string>(),
  addressOf: ({ turn_id }: { readonly turn_id: string }, part: string) =>
    `https://cairn.example/c/1#${turn_id}-${part}`,
};

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
  const text = conversationMarkdown(
    {
      ...emptyView(),
      title: "The tide",
      turns: turns.map((turn) => ({ ...turn, prompt, completion })),
      sources,
    },
    NO_PICTURES,
  );
  expect(text).toEqual([
    "# The tide",
    "## 1. Question",
    "> # When?\n> Tell me.",
    "### Answer",
    "At six.[Tides](https://example.com/tides) See `tides.md`.",
    "Sources:\n\n- [Tides](https://example.com/tides) (example.com)",
  ]);
});

it("ends code that an answer left open, so that later turns do not become code", () => {
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
  const text = conversationMarkdown(
    { ...emptyView(), turns: turns.map((turn) => ({ ...turn, prompt, completion })) },
    NO_PICTURES,
  );
  expect(text).toContain("> How?\n> Now.");
  expect(text.at(-1)).toMatch(/let a\n```$/);
});

it("names files as code, and includes the pictures among them", () => {
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
    { ...NO_PICTURES, pictureSource: (path) => (/a_b_c|in/.test(path) ? `data:,${path.length}` : null) },
  );
  expect(text.slice(2)).toEqual([
    "> Attached: `in[1].png`\n> \n> ![in\\[1\\].png](<data:,25>)",
    "### Answer",
    "![chart](<data:,25>) and ![none](fi:turn_1.files/gone.svg)",
    "Files, [in the app](https://cairn.example/c/1#turn_1-answer):",
    "- `a_b_c.svg`\n- `` odd`name.csv ``",
    "![a_b_c.svg](<data:,25>)",
  ]);
});

it("lists the sources of an answer with the cited places, and leaves out links that lead nowhere", () => {
  const path = "fi:turn_1.user.attachments/tides.md";
  const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: "t" });
  const { turns } = viewEvent(emptyView(), { seq: 1, event: opened });
  const attached = { ...file("tides.md"), path };
  const steer = { mode: "steer" as const, text: "And the north pier?", attachments: [], ts: null };
  const completion = {
    text: "- “High water is at six.” [[S:1]]\n- “It follows.” [[S:1]] “See [memory](memory.md#orders) and `[a](b)`.” [[S:2,3]]",
    path: null,
    position: 1,
    sources_known: 3,
    interrupted: false,
    clarification: false,
  };
  const library =
    "# Questions\n\n```sh\n# no heading\n```\n\n## Orders\n\nSee [memory](memory.md#orders) and `[a](b)`.\n";
  const text = conversationMarkdown(
    {
      ...emptyView(),
      turns: turns.map((turn) => ({ ...turn, completion, attachments: [attached], inputs: [steer] })),
      sources: [
        { sid: 1, title: "tides.md", artifact_path: path, mime: "text/markdown", source_type: "attachment" },
        { sid: 2, title: "Questions", url: "corpus:///questions.md", content: library },
        { sid: 3, title: "Orders", url: "https://example.com/orders", content: "Other words", domain: "example.com" },
      ],
    },
    { ...NO_PICTURES, texts: new Map([[path, "# Tides\n\nHigh water is at six.\n\n## Low\n\nIt follows.\n"]]) },
  );
  expect(text).toContain(
    "> Attached: `tides.md`\n> \n> *Sent while the agent was working:*\n> \n> And the north pier?",
  );
  expect(text).toContain(
    "- “High water is at six.” tides.md\n- “It follows.” tides.md “See memory and `[a](b)`.” Questions [Orders](https://example.com/orders)",
  );
  expect(text.at(-1)).toBe(
    [
      "Sources:\n",
      "- tides.md (attached to [question 1](https://cairn.example/c/1#turn_1-prompt)): section “Tides”, line 3; section “Low”, line 7",
      "- Questions (Library: questions.md): section “Orders”, line 9",
      "- [Orders](https://example.com/orders) (example.com)",
    ].join("\n"),
  );
});

it("names the page of a document that has pages", () => {
  const text = "[page 1]\n# One\n[page 2]\nThe tide comes in slowly.";
  expect(placeIn(text, "“The tide comes in slowly.”", { isWhole: true, isMarkdown: true })).toBe("page 2");
  expect(placeIn(text, "“Nothing like this is there.”", { isWhole: true, isMarkdown: true })).toBe("");
});
