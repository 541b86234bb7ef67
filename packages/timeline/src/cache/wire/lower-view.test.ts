import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import type { Block } from "../../block/block.ts";
import { Timeline, type TimelineDeps } from "../../timeline.ts";
import { lowerView } from "./lower-view.ts";
import { FLAT_2 } from "./lowering.ts";
import type { WireInput, WireRequest } from "./wire-request.ts";

const deps: TimelineDeps = { clock: { now: () => 1_770_603_272_000 }, countTokens: (text) => text.length };
const tools = [
  { name: "b_tool", description: "B", schema: { type: "object" } },
  { name: "a_tool", description: "A", schema: { type: "object" } },
];
const input: WireInput = { tools, system: "Be brief." };
const at = { turn: "turn_1", call: "tc_1", iteration: 0 };

function viewOf(blocks: readonly Block[], strategy: "seed" | "economic" = "economic") {
  const timeline = Timeline.create(deps);
  timeline.contribute(blocks);
  timeline.announce([{ type: "react.announce", text: "now" }]);
  return timeline.render({ includeAnnounce: true, strategy });
}

/** A turn with one round. It renders to two groups, whose texts `opening` and `round` match. */
const turn = [
  make.header("turn_1"),
  make.prompt("turn_1", "Hello"),
  make.notes(at, "Looking"),
  make.call(at, "mcp.x", { q: 1 }),
  make.result(at, "found", "text/plain"),
];
const opening = expect.stringMatching(/^\[TURN turn_1\].*\n\n\[USER MESSAGE\]\n.*\nHello\n\n$/s);
const round = expect.stringMatching(/^\[AI Agent say\]: Looking\n\n\[TOOL CALL tc_1\].*found\n\n$/s);
const tail = "[ANNOUNCE]\nnow\n\n";
const hour = { type: "ephemeral", ttl: "1h" };
const minutes = { type: "ephemeral" };

describe("Anthropic Messages", () => {
  it("marks the system text for an hour, the previous request's end and the last stable block, never the tail", () => {
    expect(lowerView(viewOf(turn), input, "anthropic").body).toEqual({
      tools: [
        { name: "a_tool", description: "A", input_schema: { type: "object" } },
        { name: "b_tool", description: "B", input_schema: { type: "object" } },
      ],
      system: [{ type: "text", text: "Be brief.", cache_control: hour }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: opening, cache_control: minutes },
            { type: "text", text: round, cache_control: minutes },
            { type: "text", text: tail },
          ],
        },
      ],
    });
  });

  it("marks the last tool when there is no system text", () => {
    const { body } = lowerView(viewOf(turn), { ...input, system: " \n" }, "anthropic");
    expect(body.system).toBeUndefined();
    expect(body.tools).toMatchObject([{ name: "a_tool" }, { name: "b_tool", cache_control: hour }]);
  });

  it("gives the timeline the TTL that was chosen", () => {
    const { breakpoints } = lowerView(viewOf(turn), { ...input, ttl: "1h" }, "anthropic");
    expect(breakpoints).toEqual([2, 3, 4].map((i) => ({ i, ttl: "1h" })));
  });

  it("with seed, sends each message block by itself with one TTL throughout", () => {
    const wire = lowerView(viewOf(turn, "seed"), { ...input, strategy: "seed" }, "anthropic");
    expect(wire.blocks.filter(({ kind }) => kind === "stable")).toHaveLength(5);
    expect(wire.breakpoints).toEqual([
      { i: 2, ttl: "5m" },
      { i: 7, ttl: "5m" },
    ]);
  });

  it("keeps a picture separate from the texts around it", () => {
    const files = [
      make.file(at, { name: "a.png", mime: "image/png", base64: "AAAA" }),
      make.result(at, "after", "text/plain"),
    ];
    const { blocks } = lowerView(viewOf([...turn, ...files.flat()]), input, "anthropic");
    expect(blocks.slice(4, 7).map(({ content }) => content)).toEqual([
      { type: "text", text: expect.stringContaining("Looking") },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      { type: "text", text: expect.stringContaining("after") },
    ]);
  });
});

describe("Bedrock Converse", () => {
  it("marks with separate cachePoint blocks", () => {
    expect(lowerView(viewOf(turn), input, "bedrock").body).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { name: "a_tool" } }, { toolSpec: { name: "b_tool" } }] },
      system: [{ text: "Be brief." }, { cachePoint: { type: "default", ttl: "1h" } }],
      messages: [
        {
          role: "user",
          content: [
            { text: opening },
            { cachePoint: { type: "default" } },
            { text: round },
            { cachePoint: { type: "default" } },
            { text: tail },
          ],
        },
      ],
    });
  });

  it("names documents by their order", () => {
    const pdfs = ["a", "b"].flatMap((name) =>
      make.attachment("turn_1", { name, mime: "application/pdf", base64: "AAAA" }),
    );
    const { blocks } = lowerView(viewOf([...turn.slice(0, 2), ...pdfs]), input, "bedrock");
    const names = blocks.flatMap(({ content }) => (content.document === undefined ? [] : [content.document]));
    expect(names).toMatchObject([{ name: "document-1" }, { name: "document-2" }]);
  });
});

describe("OpenAI", () => {
  const mark = { mode: "explicit" };

  it("sends one user message per group, each end marked, and the tail in a separate message", () => {
    const { body } = lowerView(viewOf(turn), { ...input, cacheKey: "conversation-1" }, "openai");
    expect(body).toMatchObject({
      prompt_cache_key: "conversation-1",
      prompt_cache_options: { mode: "explicit" },
      tools: [
        { type: "function", name: "a_tool" },
        { type: "function", name: "b_tool" },
      ],
      input: [
        { role: "developer", content: [{ type: "input_text", text: "Be brief.", prompt_cache_breakpoint: mark }] },
        { role: "user", content: [{ type: "input_text", text: opening, prompt_cache_breakpoint: mark }] },
        { role: "user", content: [{ type: "input_text", text: round, prompt_cache_breakpoint: mark }] },
        { role: "user", content: [{ type: "input_text", text: tail }] },
      ],
    });
    expect(JSON.stringify(body).match(/prompt_cache_breakpoint/g)).toHaveLength(3);
  });

  it("uses Chat Completions on request", () => {
    const { body } = lowerView(viewOf(turn), { ...input, api: "chat" }, "openai");
    expect(body.messages).toMatchObject([
      { role: "system", content: [{ type: "text", text: "Be brief.", prompt_cache_breakpoint: mark }] },
      { role: "user", content: [{ type: "text", text: opening, prompt_cache_breakpoint: mark }] },
      { role: "user", content: [{ type: "text", text: round, prompt_cache_breakpoint: mark }] },
      { role: "user", content: [{ type: "text", text: tail }] },
    ]);
  });

  it("marks the first two ends and the latest fifty of many rounds: no others are looked at", () => {
    const rounds = Array.from({ length: 80 }, (_, nth) => {
      const here = { turn: "turn_1", call: `tc_${nth}`, iteration: nth };
      return [make.notes(here, "n"), make.call(here, "mcp.x", {}), make.result(here, "r", "text/plain")];
    });
    const { breakpoints } = lowerView(viewOf([...turn.slice(0, 2), ...rounds.flat()]), input, "openai");
    const places = breakpoints.map(({ i }) => i);
    expect(places).toEqual([2, 3, ...Array.from({ length: 50 }, (_, nth) => 34 + nth)]);
  });
});

describe("version 2 of the lowering", () => {
  const joined = { ...input, lowering: FLAT_2 };

  it("sends one user message with one text, and records its version", () => {
    const wire = lowerView(viewOf(turn), joined, "automatic");
    const all = lowerView(viewOf(turn), input, "automatic").body.messages as { content: { text: string }[] }[];
    expect(wire.lowering).toEqual({ name: "flat", version: 2 });
    expect(wire.body.messages).toEqual([
      { role: "system", content: [{ type: "text", text: "Be brief." }] },
      {
        role: "user",
        content: [
          {
            type: "text",
            text: all
              .slice(1)
              .flatMap(({ content }) => content[0]?.text)
              .join(""),
          },
        ],
      },
    ]);
  });

  it("keeps a picture between the texts around it", () => {
    const png = make.attachment("turn_1", { name: "a.png", mime: "image/png", base64: "AAAA" });
    const { body } = lowerView(viewOf([...turn, ...png]), joined, "automatic");
    const [, user] = body.messages as { content: { type: string }[] }[];
    expect(user?.content.map(({ type }) => type)).toEqual(["text", "image_url", "text"]);
  });

  it("changes wire blocks only at the beginning of their message", () => {
    const contents = (wire: WireRequest) => wire.blocks.map(({ kind, part, content }) => ({ kind, part, content }));
    const first = lowerView(viewOf(turn), input, "automatic");
    const second = lowerView(viewOf(turn), joined, "automatic");
    expect(contents(second)).toEqual(contents(first));
    expect(first.blocks.filter(({ startsMessage }) => startsMessage)).toHaveLength(4);
    expect(second.blocks.filter(({ startsMessage }) => startsMessage)).toHaveLength(2);
  });
});

it("automatic caches get no marker at all", () => {
  const wire = lowerView(viewOf(turn), input, "automatic");
  expect(wire.breakpoints).toEqual([]);
  expect(JSON.stringify(wire.body)).not.toContain("cache");
});

describe("content that providers reject is not sent", () => {
  it("a text without a visible character is left out, and its checkpoint moves back", () => {
    const wire = lowerView(viewOf([...turn, { type: "x.blank", text: " \t " }]), input, "anthropic");
    expect(wire.blocks.filter(({ kind }) => kind === "stable")).toHaveLength(2);
    expect(wire.breakpoints.at(-1)).toEqual({ i: 4, ttl: "5m" });
  });

  it("a lone surrogate is replaced", () => {
    const wire = lowerView(viewOf([make.prompt("turn_1", "a\ud83db")]), { tools: [], system: "\udc00" }, "anthropic");
    expect(JSON.stringify(wire.body)).toContain("a\ufffdb");
    expect(JSON.stringify(wire.body)).not.toMatch(/\\ud/);
  });

  it("a picture format that no provider reads is described in words; parameters and old spellings are recognised", () => {
    const svg = make.file(at, { name: "a.svg", mime: "image/svg+xml", base64: "AAAA" });
    const jpg = make.file(at, { name: "a.jpg", mime: "Image/JPG; q=1", base64: "AAAA" });
    const { body } = lowerView(viewOf([...turn, ...svg, ...jpg]), input, "anthropic");
    expect(JSON.stringify(body)).toContain("<image media_type=image/svg+xml: not a kind that can be shown>");
    expect(JSON.stringify(body)).toContain('"media_type":"image/jpeg"');
  });

  it("missing bytes are filled in, or requested", () => {
    const blob = `sha256:${"0".repeat(64)}` as const;
    const block = {
      type: "user.attachment",
      turn_id: "turn_1",
      path: "fi:turn_1.user.attachments/a.png",
      mime: "image/png",
      meta: { blob },
    };
    const view = viewOf([...turn, block]);
    expect(() => lowerView(view, input, "anthropic")).toThrow(expect.objectContaining({ code: "bytes_missing" }));
    const { body } = lowerView(view, { ...input, bytesOf: () => "BBBB" }, "anthropic");
    expect(JSON.stringify(body)).toContain('"data":"BBBB"');
  });

  it("an empty request still gives a body", () => {
    const empty = Timeline.create(deps).render();
    expect(lowerView(empty, { tools: [], system: "" }, "anthropic").body).toEqual({ messages: [] });
    expect(lowerView(empty, { tools: [], system: "" }, "openai").body).toEqual({ input: [] });
  });
});
