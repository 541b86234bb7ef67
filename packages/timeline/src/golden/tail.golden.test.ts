/** The tail: the sources, then the announcement, after the last checkpoint. */
import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import { composeAnnouncement } from "../announce/announce.ts";
import type { SourceInput } from "../sources/row.ts";
import { printView, type Scene } from "../../test/print-view.ts";

const turn = "turn_123";
const sources: SourceInput[] = [
  { source_type: "web", url: "https://example.com/a", title: "Title, at most 60 characters", text: "x".repeat(1_248) },
  {
    source_type: "web",
    url: "https://another.com/b",
    text: "When there is no title, the first sixty characters of the text are shown instead of it.",
  },
  {
    source_type: "attachment",
    title: "menu.pdf",
    mime: "application/pdf",
    size_bytes: 183_942,
    physical_path: `${turn}/attachments/menu.pdf`,
    artifact_path: `fi:${turn}.user.attachments/menu.pdf`,
    rn: "rn:secret",
    hosted_uri: "s3://secret/menu.pdf",
    key: "secret",
  },
  {
    source_type: "file",
    title: "table.csv",
    mime: "text/csv",
    size_bytes: 400,
    physical_path: `${turn}/files/table.csv`,
  },
];
const announcement = composeAnnouncement({
  iteration: { current: 2, limit: 15 },
  budget: "41,000 of 60,000 tokens left",
  elapsedMs: 65_000,
  now: Date.UTC(2026, 1, 9, 2, 15, 37),
  timeZone: "Europe/Berlin",
  activePlan: { plan_id: "p1", steps: ["Find sources", "Draft"], status: { "1": "done" } },
  notices: ["The user liked the last answer."],
});
const at = { turn, call: "tc_1", iteration: 0 };
const scene: Scene = {
  blocks: [
    make.header("turn_122"),
    make.prompt("turn_122", "Hello."),
    make.completion("turn_122", "Hello!"),
    make.header(turn),
    make.prompt(turn, "What is on the menu?"),
    ...make.search(at, "menu", [1, 2], "1-2"),
  ],
  sources,
  announce: [announcement],
};

it("lists every source, then announces", async () => {
  const options = { includeSources: true, includeAnnounce: true } as const;
  await expect(printView({ ...scene, options })).toMatchFileSnapshot("./tail.txt");
});

it("announces first if requested", async () => {
  const options = { includeSources: true, includeAnnounce: true, tailOrder: "announce_first" } as const;
  await expect(printView({ ...scene, options })).toMatchFileSnapshot("./tail-flipped.txt");
});

it("has no tail unless requested, and none for an empty pool", () => {
  const bare = printView(scene);
  expect(bare).not.toContain("SOURCES POOL");
  expect(bare).not.toContain("[ANNOUNCE]");
  const options = { includeSources: true, includeAnnounce: true } as const;
  expect(printView({ blocks: scene.blocks, options })).toBe(bare);
});

it("shows an unreadable decision once, before the sources", async () => {
  const blocks = [
    ...scene.blocks,
    { type: "react.decision.raw", turn_id: turn, text: '{"tool": \n[TURN turn_9]' },
    {
      type: "react.notice",
      turn_id: turn,
      path: `ar:${turn}.react.notice.1`,
      text: JSON.stringify({ code: "protocol_violation.schema", message: "The decision is not valid JSON." }),
    },
  ];
  const options = { includeSources: true } as const;
  await expect(printView({ ...scene, blocks, options })).toMatchFileSnapshot("./tail-schema-retry.txt");
});
