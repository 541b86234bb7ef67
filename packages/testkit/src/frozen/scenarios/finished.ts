/** Conversations whose last turn has ended. */

import { resolveModel, type TurnOutcome } from "@cairn/agent";
import { gradientPng } from "../../documents/gradient-png.ts";
import { onePagePdf } from "../../documents/one-page-pdf.ts";
import type { MessageReply } from "../../models/index.ts";
import { PlayedConversation, type RunOptions, type ScriptedReply } from "./played-conversation.ts";
import { calls, hidesLast, looks, type Scenario, says, scenario, step } from "./scenario.ts";

/** One model of each wire form, and of each kind of prompt cache. */
export const MODELS = {
  anthropic: "anthropic:claude-sonnet-5",
  responses: "openai:gpt-6.1-sol",
  "responses-automatic": "openai:gpt-4.1",
  chat: "openai-compatible:local-large",
} as const;

const writes = (path: string, content: string, channel = "canvas"): MessageReply =>
  calls(["react.write", { path, channel, content }]);

/** Plays plans, notes, file versions, sources, parallel calls, a failing call, hiding, reading again, and search. */
async function playEverything(played: PlayedConversation, options: RunOptions = {}): Promise<TurnOutcome | "parked"> {
  const first: readonly ScriptedReply[] = [
    calls(["react.plan", { mode: "new", steps: ["Find sources", "Write it", "Check it"] }]),
    {
      text: "→ 1. searching",
      ...calls(["site.search", { query: "cairns", count: 3 }], ["site.search", { query: "paths", count: 2 }]),
    },
    { text: "✓ 1. found", ...writes("files/report.md", "# Report\n\nCairns mark paths [[S:1,4]].\n") },
    calls([
      "react.patch",
      {
        path: "files/report.md",
        patch: "@@ -3,1 +3,1 @@\n-Cairns mark paths [[S:1,4]].\n+Cairns mark old paths [[S:1,4-5]].\n",
      },
    ]),
    writes("files/note.md", "[P] The user likes short answers.", "internal"),
    {
      text: "✓ 2. written",
      ...calls(["site.fail", { what: "coffee" }], ["site.look", { what: "cairns", words: 200 }]),
    },
    says("The report is written [[S:1]].\n\n✓ 3. checked"),
  ];
  const outcome = await played.turn("Plan the report, and find sources.", first, options);
  if (outcome === "parked") return outcome;
  await played.react("ok");
  const second: readonly ScriptedReply[] = [
    looks("unneeded", 500),
    hidesLast,
    ({ texts }) => {
      const [report = "", result = ""] = [/fi:\S+report\.md/, /tc:\S+\.result/].map(
        (each) => each.exec(texts.join("\n"))?.[0],
      );
      return calls(["react.read", { paths: [report, result, "so:sources_pool[1-2]", "fi:turn_1.files/missing.md"] }]);
    },
    calls(["react.memsearch", { query: "report" }], ["react.search_files", { name: "*.md", text: "paths" }]),
    {
      text: "It says that cairns mark old paths [[S:1,4-5]]. Unknown: [[S:99]].",
      ...calls(["suggest_followups", { items: ["Which paths?"] }]),
    },
  ];
  return played.turn("What does it say? Hide what you do not need.", second, options);
}

/** The same conversation once for every batch of events that it appends, parked directly after the batch. */
const parkedEverywhere: Scenario = {
  name: "parked-after-batch",
  play: async (place) => {
    const startedAt = place.clock.time;
    for (let nth = 1, isParked = true; isParked; nth++) {
      place.clock.time = startedAt;
      const played = await PlayedConversation.open(place, `parked-after-batch-${String(nth).padStart(2, "0")}`);
      isParked = (await playEverything(played, { parkAt: step(/^after append/, nth) })) === "parked";
      await played.close();
    }
  },
};

async function playMedia(played: PlayedConversation): Promise<void> {
  await played.attach("photo.png", "image/png", gradientPng(64, 48, [200, 40, 40], [40, 40, 200]));
  await played.attach("contract.pdf", "application/pdf", onePagePdf(["A contract.", "Clause 1."]));
  await played.attach("table.csv", "text/csv", "name,stones\nHollin Gate,12\n");
  await played.turn("What is in these files?", [looks("files", 60), says("A picture, a contract and a table.")]);
  await played.attach("photo.png", "image/png", gradientPng(32, 32, [0, 80, 0], [250, 250, 0]));
  await played.turn("And in this one?", [
    ({ texts }) =>
      calls([
        "react.read",
        {
          paths: [
            /fi:\S+contract\.pdf/.exec(texts.join("\n"))?.[0] ?? "",
            /fi:\S+photo\.png/.exec(texts.join("\n"))?.[0] ?? "",
          ],
        },
      ]),
    says("Another picture."),
  ]);
}

async function playPruned(played: PlayedConversation): Promise<void> {
  for (const what of ["a", "b", "c", "d"]) {
    await played.turn(`What is in ${what}?`, [
      looks(what, 1_200),
      calls(["site.search", { query: what, count: 4 }]),
      says(`Words of ${what}.`),
    ]);
    played.pass(what === "b" ? 400 : 30);
  }
  played.pass(90_000);
  await played.turn("What was in a?", [
    ({ texts }) => calls(["react.read", { paths: [texts.join("\n").match(/tc:\S+\.result/)?.[0] ?? ""] }]),
    says("Words."),
  ]);
}

const perModel: readonly Scenario[] = Object.entries(MODELS).flatMap(([name, model]) => [
  scenario(`everything-${name}`, (played) => playEverything(played), { model }),
  scenario(`media-${name}`, playMedia, { model }),
  scenario(`pruned-${name}`, playPruned, {
    model,
    agent: {
      memory: { session: { keep_recent_turns: 2, keep_recent_intact_turns: 1, cache_truncation_max_text_chars: 500 } },
    },
  }),
  scenario(
    `compacted-${name}`,
    async (played) => {
      for (const what of ["a", "b", "c", "d", "e"])
        await played.turn(`What is in ${what}?`, [looks(what, 1_200), says(`Words of ${what}.`)]);
    },
    { model, contextTokens: 9_000 },
  ),
  scenario(
    `restarted-${name}`,
    async (played) => {
      await played.turn("First.", [looks("a"), looks("b"), says("Done.")]);
      await played.turn("Second.", [looks("c")], { parkAt: step(/^after append .*call\.settled/) });
      await played.run([looks("d"), says("Done.")]);
    },
    { model },
  ),
]);

const endings: readonly Scenario[] = [
  scenario("empty", async () => undefined),
  scenario("finished", (played) => played.turn("Hello.", [says("Hello.")])),
  scenario(
    "steered",
    async (played) => {
      await played.turn("Ask them.", [calls(["site.ask", {}]), says("In green.")]);
      await played.run([says("That is all.")]);
    },
    {
      ask: async (played) => {
        await played.say("In green, please.", "steer");
        await played.say("And then?", "follow-up");
      },
    },
  ),
  scenario(
    "cancelled",
    async (played) => {
      await played.turn("Ask them.", [calls(["site.ask", {}])]);
      await played.turn("Once more.", [says("Done.")]);
    },
    { ask: (played) => played.cancel() },
  ),
  scenario("budget-used-up", (played) =>
    played.turn("Look.", [looks("a"), looks("b"), says("As far as I know.")], {
      agent: { budgets: { iterations: 2 } },
    }),
  ),
  scenario("answer-cut-off", (played) =>
    played.turn("Look.", [
      looks("a"),
      { text: "half an answer", interrupt: { after: 1, by: "cut" }, pieceSize: 4 },
      says("A whole answer."),
    ]),
  ),
  scenario("wrong-calls", (played) =>
    played.turn("Look.", [calls(["site.unknown", {}]), calls(["site.look", { what: 7 }]), says("Done.")]),
  ),
  scenario("clarified", (played) =>
    played.turn("Order it.", [{ text: "One thing first.", ...calls(["ask_user", { question: "Which one?" }]) }]),
  ),
  scenario("ended-in-error", (played) =>
    played.turn("Look.", [looks("a"), looks("a"), looks("a"), looks("a"), looks("a")]),
  ),
  scenario("agent-changed", async (played) => {
    await played.turn("One.", [looks("a"), says("Done.")]);
    await played.turn("Two.", [says("Done.")], { agent: { instructions: "You help with another site." } });
    await played.turn("Three.", [says("Done.")], { agent: { tools: [] } });
  }),
  scenario("models-changed", async (played) => {
    const models = [...Object.values(MODELS), "anthropic:claude-opus-5", MODELS.anthropic];
    for (const [nth, name] of models.entries())
      await played.turn(`Turn ${nth}.`, [looks(`word ${nth}`, 100), says("Done.")], {
        agent: { model: await played.model(name) },
      });
  }),
  scenario("titled-by-a-model", async (played) => {
    const model = await played.model(MODELS.anthropic);
    await played.turn("What are cairns?", [looks("cairns", 40), says("Stones.")], { agent: { gate: { model } } });
  }),
  scenario("titled-by-a-person", async (played) => {
    const model = await played.model(MODELS.anthropic);
    const agent = { gate: { model } };
    await played.title("Stones");
    await played.turn("What are cairns?", [says("Stones.")], { agent });
    await played.title("Piles of stones");
    await played.turn("And cists?", [says("Boxes of stones.")], { agent });
    await played.fork("titled-by-a-person-forked");
  }),
  scenario("asked-for-an-agent", async (played) => {
    await played.turn("One.", [says("Done.")]);
    await played.say("Two.", "turn", { agent: "frozen", model: MODELS.anthropic });
    await played.run([looks("a"), says("Done.")]);
    await played.say("Three.", "turn", { model: MODELS.anthropic });
  }),
  scenario("offline-model", async (played) => {
    const agent = { model: await resolveModel("offline", {}) };
    await played.attach("notes.txt", "text/plain", "Cairns are piles of stones that mark a path.");
    await played.turn("What are cairns?", [], { agent });
    await played.turn("Remember that I like short answers.", [], { agent });
  }),
  scenario("kept-artifact", async (played) => {
    await played.turn("Hello.", [says("Hello.")]);
    await played.place.store.saveArtifact(played.key, {
      kind: "note",
      payload: { text: "beside the journal" },
      content_str: "a note",
    });
  }),
  scenario("forked", async (played) => {
    await played.turn("One.", [looks("a"), says("Done.")]);
    await played.fork("forked-untouched");
    await played.fork("forked-gone-on");
    await played.turn("Two.", [looks("b"), says("Done.")]);
    await played.fork("forked-twice");
    await played.turn("Three.", [says("Done.")]);
  }),
  scenario(
    "forked-responses",
    async (played) => {
      await played.turn("One.", [looks("a"), says("Done.")]);
      await played.fork("forked-responses-gone-on");
      await played.turn("Two.", [looks("b"), says("Done.")]);
    },
    { model: MODELS.responses },
  ),
  scenario("branched", async (played) => {
    await played.attach("photo.png", "image/png", gradientPng(16, 16, [9, 9, 9], [99, 99, 99]));
    await played.turn("One.", [looks("a"), says("Done.")]);
    await played.turn("Two.", [looks("b"), says("Done.")]);
    await played.branch("branched-untouched");
    await played.branch("branched-gone-on");
    await played.turn("Three.", [looks("c"), says("Done.")]);
    await played.branch("branched-before-three", 2);
    await played.turn("Three, again.", [says("Done.")]);
    await played.branch("branched-of-a-branch");
    await played.turn("Four.", [says("Done.")]);
    // The events of the deleted conversation stay as far as branches need them.
    await played.place.store.deleteConversation({ ...played.key, conversation: "branched-gone-on" });
  }),
  scenario("imported", async (played) => {
    await played.attach("photo.png", "image/png", gradientPng(16, 16, [9, 9, 9], [99, 99, 99]));
    await played.turn("One.", [looks("a"), calls(["site.search", { query: "x", count: 2 }]), says("Done [[S:1]].")]);
    await played.import("imported-untouched");
    await played.import("imported-gone-on");
    await played.turn("Two.", [looks("b"), says("Done.")]);
  }),
];

export const finishedScenarios: readonly Scenario[] = [...perModel, parkedEverywhere, ...endings];
