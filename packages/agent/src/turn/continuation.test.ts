/**
 * Tests answers that end before they are complete: at the limit of output tokens, or because the provider paused them.
 */
import type { Step } from "@cairn/testkit/models";
import { type BenchOptions, TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { rebuildRequest } from "../receipt/past-request.ts";
import { recordedRequests } from "../receipt/recorded-requests.ts";
import { spellRequest } from "../receipt/spell-request.ts";
import { resolveModel } from "../resolve/resolve-model.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const FIRST = "The harbour was built in 1867, and the first ship that called there was ";
const SECOND = "the Aurora, which carried timber from Riga and left with ";
const THIRD = "coal for Lübeck.";
const STORY = `${FIRST}${SECOND}${THIRD}`;
const PARTS: Step[] = [
  { reply: { text: FIRST, truncated: true } },
  { reply: { text: SECOND, truncated: true } },
  { reply: { text: THIRD } },
];

/** The text on a follower's screen, built only from the signals of the turn: the text of each open stream. */
function shown(bench: TurnBench): Map<string, string> {
  const streams = new Map<string, string>();
  for (const signal of bench.signals) {
    if (signal.type === "delta") {
      const before = streams.get(signal.stream) ?? "";
      expect(signal.offset).toBe(before.length);
      streams.set(signal.stream, before + signal.text);
    } else if (signal.type === "discarded") streams.delete(signal.stream);
  }
  return streams;
}

async function receipts(bench: TurnBench) {
  const told = [];
  for await (const { n, record, receipt } of recordedRequests(bench.store, bench.key)) {
    const past = await rebuildRequest(bench.store, bench.key, n, countTokens);
    const { body, same } = await spellRequest(bench.store, bench.key, past, bench.agent.model);
    expect(bench.simulator.requests[n - 1]?.bytes).toBe(body);
    told.push({ purpose: record.purpose, same, output: receipt.usage?.output_tokens, resets: receipt.resets });
  }
  return told;
}

describe.each<[string, BenchOptions]>([
  ["Anthropic", {}],
  [
    "OpenAI Responses",
    {
      model: (url) => resolveModel("openai:gpt-4.1", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: url }),
    },
  ],
  [
    "Google",
    {
      model: (url) =>
        resolveModel("google:gemini-3.8-flash", {
          GOOGLE_GENERATIVE_AI_API_KEY: "k",
          GOOGLE_GENERATIVE_AI_BASE_URL: `${url}beta`,
        }),
    },
  ],
  [
    "a compatible server",
    { model: (url) => resolveModel("openai-compatible:any", { CAIRN_MODEL_BASE_URL: url, CAIRN_MODEL_API_KEY: "k" }) },
  ],
])("at %s", (_, options) => {
  it("an answer that reaches the output limit is continued, and its parts join into one answer", async () => {
    await using bench = await TurnBench.open(options);
    bench.simulator.script(PARTS);
    expect(await bench.turn("Tell me")).toMatchObject({ end: { exit: "complete", text: STORY } });
    expect(bench.simulator.requests).toHaveLength(3);
    expect([...shown(bench).values()]).toEqual([STORY]);
    expect((await receipts(bench)).map(({ purpose, same }) => [purpose, same])).toEqual([
      ["decision", true],
      ["continuation", true],
      ["continuation", true],
    ]);
    expect((await bench.blocks()).filter(({ type }) => type === "react.notice")).toEqual([]);
  });
});

const answered = async (bench: TurnBench) =>
  (await bench.blocks()).filter(({ type }) => type === "assistant.completion").map(({ text }) => text);

it("a model that repeats the words it was asked to begin with does not duplicate them", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([
    { reply: { text: "Once upon a time there was a fisherm", truncated: true } },
    {
      reply: ({ lastText }) => {
        const [, anchor = ""] = /begin with its last words, "(.*?)", and go on/.exec(lastText) ?? [];
        return { text: `${anchor}an who lived by the sea.`, pieceSize: 3 };
      },
    },
  ]);
  await bench.turn("A tale");
  expect(await answered(bench)).toEqual(["Once upon a time there was a fisherman who lived by the sea."]);
  expect([...shown(bench).values()]).toEqual(["Once upon a time there was a fisherman who lived by the sea."]);
});

it("a pause_turn of Anthropic is continued", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { text: FIRST, paused: true } }, { reply: { text: `${SECOND}${THIRD}` } }]);
  expect(await bench.turn("Tell me")).toMatchObject({ end: { exit: "complete", text: STORY } });
});

it("notes that were cut off can be followed by the calls they announce", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([
    { reply: { text: "I will write this down, and then ", truncated: true } },
    { reply: { text: "answer.", calls: [{ name: "react__write", input: { path: "a.md", content: "Note." } }] } },
    { reply: { text: "Done." } },
  ]);
  expect(await bench.turn("Note it")).toMatchObject({ end: { exit: "complete", text: "Done." } });
  const notes = (await bench.blocks()).find(({ type }) => type === "react.notes");
  expect(notes?.text).toBe("I will write this down, and then answer.");
});

const FILE = '{"path": "harbour.md", "content": "# The harbour\\n\\nBuilt in 1867, it was the largest';
const REST = ' of its time.\\nToday it is a museum."}';
const cutWrite: Step = {
  reply: { text: "Writing.", calls: [{ name: "react__write", rawInput: FILE }], truncated: true },
};
const written = async (bench: TurnBench) =>
  (await bench.blocks()).filter(({ type, path }) => type === "react.tool.result" && path?.startsWith("fi:"));

describe("a call that is cut off", () => {
  it.each([
    ["at once", REST],
    ["behind the characters it was asked to begin with", `largest${REST}`],
    ["in a code fence, with a remark behind it", `\`\`\`json\n${REST}\n\`\`\`\nThat is all.`],
    ["with a line break that JSON does not allow", REST.replace("\\n", "\n")],
  ])("is completed by the rest of its parameters, %s", async (_, text) => {
    await using bench = await TurnBench.open();
    bench.simulator.script([cutWrite, { reply: { text, pieceSize: 5 } }, { reply: { text: "Written." } }]);
    expect(await bench.turn("Write")).toMatchObject({ end: { exit: "complete", text: "Written." } });
    const [file, ...others] = await written(bench);
    expect([file?.text, others]).toEqual([
      "# The harbour\n\nBuilt in 1867, it was the largest of its time.\nToday it is a museum.",
      [],
    ]);
    expect([...shown(bench).values()]).toContain(file?.text);
    expect((await receipts(bench)).every(({ same }) => same)).toBe(true);
  });

  it("is replaced when the model repeats it", async () => {
    await using bench = await TurnBench.open();
    const again = { name: "react__write", input: { path: "harbour.md", content: "A short one." } };
    bench.simulator.script([cutWrite, { reply: { calls: [again] } }, { reply: { text: "Written." } }]);
    expect(await bench.turn("Write")).toMatchObject({ end: { exit: "complete" } });
    expect((await written(bench)).map(({ text }) => text)).toEqual(["A short one."]);
  });

  it("is made at once when only the end of the answer is missing", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { calls: [{ name: "react__write", rawInput: FILE + REST }], truncated: true } },
      { reply: { text: "Written." } },
    ]);
    expect(await bench.turn("Write")).toMatchObject({ end: { exit: "complete" } });
    expect(bench.simulator.requests).toHaveLength(2);
    expect(await written(bench)).toHaveLength(1);
  });

  it("a cut-off call that is invalid together with its rest is a violation, which the model is informed of", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([cutWrite, { reply: { text: "Sorry, where was I?" } }, { reply: { text: "Never mind." } }]);
    expect(await bench.turn("Write")).toMatchObject({ end: { exit: "complete", text: "Never mind." } });
    expect((await bench.blocks()).find(({ type }) => type === "react.notice")?.text).toContain("bad_json");
  });
});

describe("a continuation is bounded", () => {
  it("by the number of requests, and the answer is given up to where it was cut off", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: ({ texts }) => ({ text: `${texts.join("").length} more. `, truncated: true }), times: 99 },
    ]);
    const outcome = await bench.turn("Tell");
    expect(outcome).toMatchObject({ end: { exit: "complete", interrupted: true } });
    expect(bench.simulator.requests).toHaveLength(5);
    expect(outcome).toMatchObject({
      end: { text: expect.stringMatching(/^(?:\d+ more\. ?){5}…\n\n\(The answer was/) },
    });
  });

  it("by a model that has nothing to add", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "Once upon a time", truncated: true }, times: 99 }]);
    expect(await bench.turn("Tell")).toMatchObject({
      end: { exit: "complete", text: expect.stringMatching(/^Once upon a time…\n\n\(The answer was cut off/) },
    });
    expect(bench.simulator.requests).toHaveLength(2);
  });

  it("by the window of the model", async () => {
    await using bench = await TurnBench.open({ contextTokens: 20_000, maxOutputTokens: 4_000 });
    bench.simulator.script([{ reply: { text: "word ".repeat(4_200), truncated: true }, times: 99 }]);
    expect(await bench.turn("Tell")).toMatchObject({ end: { exit: "complete", interrupted: true } });
    expect(bench.simulator.requests).toHaveLength(1);
  });

  it("by the budget of the turn, which ends the turn with the text so far", async () => {
    await using bench = await TurnBench.open({ agent: { budgets: { tokens: 10 } } });
    bench.simulator.script(PARTS);
    expect(await bench.turn("Tell me")).toMatchObject({
      end: {
        exit: "budget",
        text: `${FIRST.trim()}…\n\n(The answer was cut off: the budget of 10 tokens is used up.)`,
      },
    });
    expect(bench.simulator.requests).toHaveLength(1);
  });

  it("by the budget of the turn, which drops a call that was cut off and answers", async () => {
    await using bench = await TurnBench.open({ agent: { budgets: { tokens: 10 } } });
    bench.simulator.script([cutWrite, { reply: { text: "That is all.", truncated: true } }]);
    expect(await bench.turn("Write")).toMatchObject({ end: { exit: "budget", text: "That is all." } });
    expect([...shown(bench).values()]).toEqual(["That is all."]);
    expect(await bench.store.openStreams(bench.key)).toEqual([]);
  });

  it("not by the number of decisions, because it belongs to a decision that was already counted", async () => {
    await using bench = await TurnBench.open({ agent: { budgets: { iterations: 1 } } });
    bench.simulator.script(PARTS);
    expect(await bench.turn("Tell me")).toMatchObject({ end: { exit: "complete", text: STORY } });
  });
});

describe("in the middle of a continuation", () => {
  it.each([
    ["before the rest is asked for", 1],
    ["while the rest comes", 2],
  ])("a restart %s continues without losing or repeating anything", async (_, at) => {
    await using bench = await TurnBench.open();
    const dying = { text: SECOND, interrupt: { after: 2, by: "stall" as const }, pieceSize: 8 };
    bench.simulator.script([
      { reply: { text: FIRST, truncated: true } },
      ...(at === 1 ? [] : [{ reply: dying }]),
      { reply: { text: SECOND, truncated: true } },
      { reply: { text: THIRD } },
    ]);
    await bench.say("Tell me");
    const end = new AbortController();
    const dies = bench.run({
      signal: end.signal,
      listener: (signal) => {
        bench.signals.push(signal);
        const isKept = signal.type === "events" && JSON.stringify(signal.events).includes("unfinished");
        if (at === 1 ? isKept : signal.type === "delta" && signal.offset > FIRST.length) end.abort();
      },
    });
    await expect(dies).rejects.toThrow();
    bench.signals.length = 0;
    expect(await bench.run()).toMatchObject({ end: { exit: "complete", text: STORY } });
    expect(await answered(bench)).toEqual([STORY]);
    expect([...shown(bench).values()]).toEqual([STORY]);
  });

  it("a cancellation keeps the text so far", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { text: FIRST, truncated: true } },
      { reply: { text: SECOND, pieceSize: 300, interrupt: { after: 1, by: "stall" } } },
    ]);
    await bench.say("Tell me");
    const outcome = await bench.run({
      listener: (signal) => {
        if (signal.type === "events" && JSON.stringify(signal.events).includes("unfinished"))
          void bench.append(makeEvent("cancel.requested", { key: "stop", ts: "2026-02-09T10:00:00Z" }));
      },
    });
    expect(outcome).toMatchObject({
      end: { exit: "cancelled", interrupted: true, text: expect.stringContaining(FIRST.trim()) },
    });
  });

  it("a message of the user waits until the answer is complete, and is then answered", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([...PARTS, { reply: { text: "In 1867." } }]);
    await bench.say("Tell me");
    let said: Promise<void> | null = null;
    const outcome = await bench.run({
      listener: (signal) => {
        if (signal.type === "events" && JSON.stringify(signal.events).includes("unfinished"))
          said ??= bench.say("When was that?", "steer");
      },
    });
    await said;
    expect(outcome).toMatchObject({ end: { exit: "complete", text: STORY } });
    expect(await bench.run()).toMatchObject({ end: { text: "In 1867." } });
    expect(await answered(bench)).toEqual([STORY, "In 1867."]);
  });

  it("an answer that breaks off is requested again from the last part", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { text: FIRST, truncated: true } },
      { reply: { text: SECOND, interrupt: { after: 1, by: "cut" } } },
      { reply: { fault: "overloaded" } },
      { reply: { text: `${SECOND}${THIRD}` } },
    ]);
    expect(await bench.turn("Tell me")).toMatchObject({ end: { exit: "complete", text: STORY } });
    expect([...shown(bench).values()]).toEqual([STORY]);
  });

  it("a permanent error keeps the text so far", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: FIRST, truncated: true } }, { reply: { fault: "status", status: 401 } }]);
    expect(await bench.turn("Tell me")).toMatchObject({
      end: { exit: "error", text: expect.stringContaining(`${FIRST.trim()}…\n\nI could not go on: `) },
    });
  });

  it("a request that is too large is retried after a compaction, with the answer so far", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "One." } }, { reply: { text: "Two." } }]);
    await bench.turn("First");
    await bench.turn("Second");
    bench.simulator.script([
      { reply: { text: FIRST, truncated: true } },
      { reply: { fault: "context_limit" } },
      { when: ({ toolNames }) => toolNames.length === 0, reply: { text: "A summary." }, times: 9 },
      {
        reply: ({ texts }) => {
          expect(texts.join("\n")).toContain(FIRST.trim());
          return { text: `${SECOND}${THIRD}` };
        },
      },
    ]);
    expect(await bench.turn("Tell me")).toMatchObject({ end: { exit: "complete", text: STORY } });
  });
});
