/** Conversations whose process ended in the middle of a turn, or whose turn waits for a person. */
import type { PlayOptions, RunOptions, ScriptedReply } from "./played-conversation.ts";
import { calls, hidesLast, looks, type Scenario, says, scenario, step, stepAfter } from "./scenario.ts";

const order = calls(["site.order", { what: "tea" }]);
const send = calls(["site.send", { what: "letter" }]);
const LONG_ANSWER = { text: "A long answer that comes piece by piece. ".repeat(12), pieceSize: 24 };

/** Plays one turn until it waits for a person. */
function parked(
  name: string,
  parkAt: () => RunOptions["parkAt"],
  replies: readonly ScriptedReply[],
  run: RunOptions = {},
): Scenario {
  return scenario(name, async (played) => {
    await played.turn("First question.", [looks("first", 40), says("First answer.")]);
    const parkAtStep = parkAt();
    const outcome = await played.turn("Second question.", replies, {
      ...run,
      ...(parkAtStep === undefined ? {} : { parkAt: parkAtStep }),
    });
    if (outcome !== "parked") throw new Error(`${name} was not parked.`);
  });
}

const choices: readonly Scenario[] = [
  scenario("asked-for-a-model-call-started", async (played) => {
    await played.say("Look.", "turn", { agent: "frozen", model: "anthropic:claude-sonnet-5" });
    await played.run([looks("a", 40)], { parkAt: step(/^after append .*call\.started/) });
    await played.title("Mine");
  }),
];

const approvals: readonly Scenario[] = [
  scenario("approval-open", (played) => played.turn("Order tea.", [order])),
  scenario("approval-open-beside-a-settled-call", (played) =>
    played.turn("Order tea and look.", [
      calls(["site.order", { what: "tea" }], ["site.look", { what: "tea", words: 30 }]),
    ]),
  ),
  scenario("approval-given-not-run", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(true);
  }),
  scenario("approval-denied-not-run", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(false);
  }),
  scenario("approval-given-and-run", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(true);
    await played.run([says("Ordered.")]);
  }),
  scenario("approval-denied", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(false);
    await played.run([says("I did not order it.")]);
  }),
  scenario("approval-given-call-started", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(true);
    await played.run([], { parkAt: step(/^after append .*call\.started/) });
  }),
  scenario("approval-open-cancel-requested", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.cancel();
  }),
  scenario("approval-open-imported", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.import("approval-open-imported");
  }),
  scenario("approval-given-imported", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(true);
    await played.import("approval-given-imported");
  }),
];

const callsUnderWay: readonly Scenario[] = [
  parked("call-started", () => step(/^after append .*call\.started/), [send]),
  parked("call-started-idempotent", () => step(/^after append .*call\.started/), [looks("second", 40)]),
  parked("calls-started-one-settled", () => step(/^after append .*call\.settled/), [
    calls(
      ["site.look", { what: "a", words: 20 }],
      ["site.send", { what: "b" }],
      ["site.search", { query: "c", count: 2 }],
    ),
  ]),
  parked("call-settled", () => step(/^after append .*call\.settled/), [send]),
  parked("call-failed", () => step(/^after append .*call\.settled/), [calls(["site.fail", { what: "coffee" }])]),
  scenario("call-interrupted", async (played) => {
    await played.turn("Send the letter.", [send], { parkAt: step(/^after append .*call\.started/) });
    await played.run([says("It is not known whether the letter was sent.")]);
  }),
  parked("file-being-written", () => step(/^after append .*call\.started/), [
    calls(["react.write", { path: "files/a.md", channel: "canvas", content: "# A\n\nText of the file.\n" }]),
  ]),
];

const streams: readonly Scenario[] = [
  parked("stream-open-answer", () => step(/^after appendStream/, 2), [LONG_ANSWER], { tickMs: 400 }),
  parked(
    "stream-open-thinking",
    () => step(/^after appendStream/, 2),
    [{ thinking: "Let me think about this for a while. ".repeat(4), ...LONG_ANSWER }],
    { tickMs: 400 },
  ),
  parked(
    "stream-open-file",
    () => step(/^after appendStream/, 3),
    [
      {
        ...calls([
          "react.write",
          { path: "files/b.md", channel: "canvas", content: "A line of the file. ".repeat(30) },
        ]),
        pieceSize: 24,
      },
    ],
    { tickMs: 400 },
  ),
  parked("request-sent", () => stepAfter(/ask for a decision/, /^the model has begun/), [says("Never kept.")]),
  parked("request-answered", () => stepAfter(/ask for a decision/, /^the model has answered/), [says("Never kept.")]),
  parked("turn-opened", () => step(/^after append .*turn\.opened/), []),
  parked("answer-kept", () => step(/^after append .*turn\.closed/), [says("Second answer.")]),
];

const SMALL: PlayOptions = { contextTokens: 9_000 };
/** A conversation whose third turn does not fit into the model's window. */
const compacting = (name: string, parkAt: () => (each: string) => boolean): Scenario =>
  scenario(
    name,
    async (played) => {
      await played.turn("Remember: always answer in French. What is in a, b and c?", [
        looks("a", 1_500),
        looks("b", 1_500),
        says("Many words."),
      ]);
      await played.turn("Thank you.", [says("You are welcome.")]);
      const more = ["d", "e", "f", "g", "h", "i"].map((what) => looks(what, 1_500));
      const outcome = await played.turn("And in d?", [...more, says("Never said.")], { parkAt: parkAt() });
      if (outcome !== "parked") throw new Error(`${name} was not parked.`);
    },
    SMALL,
  );

const maintenance: readonly Scenario[] = [
  compacting("compaction-planned", () => step(/^ask for a summary/)),
  compacting("compaction-summary-begun", () => stepAfter(/^ask for a summary/, /^the model has begun/)),
  compacting("compaction-summary-answered", () => stepAfter(/^ask for a summary/, /^the model has answered/)),
  compacting("compaction-committed", () => step(/^after append .*compaction\.committed/)),
  scenario(
    "compaction-twice",
    async (played) => {
      await played.turn("Remember: always answer in French. What is in a?", [
        looks("a", 1_500),
        looks("b", 1_500),
        says("Words."),
      ]);
      for (const what of ["c", "d", "e", "f"])
        await played.turn(`What is in ${what}?`, [looks(what, 1_500), says(`Words of ${what}.`)]);
      await played.turn("What was in a?", [
        ({ texts }) =>
          calls(["react.read", { paths: [texts.join("\n").match(/tc:\S+\.result/)?.[0] ?? "ar:turn_1.user.prompt"] }]),
        says("Words."),
      ]);
    },
    SMALL,
  ),
  parked("hidden-just-now", () => step(/^after append .*blocks\.hidden/), [looks("large", 400), hidesLast]),
  scenario(
    "ttl-pruned-just-now",
    async (played) => {
      for (const what of ["a", "b", "c"])
        await played.turn(`What is in ${what}?`, [looks(what, 1_200), says("Words.")]);
      played.pass(4_000);
      const outcome = await played.turn("And in d?", [], { parkAt: step(/^after append .*blocks\.pruned/) });
      if (outcome !== "parked") throw new Error("ttl-pruned-just-now was not parked.");
    },
    { agent: { memory: { prune: "seed", session: { keep_recent_turns: 2, keep_recent_intact_turns: 1 } } } },
  ),
];

const inputs: readonly Scenario[] = [
  scenario("message-waiting", (played) => played.say("Nobody has read this yet.")),
  scenario("message-waiting-with-attachment", async (played) => {
    await played.attach("notes.txt", "text/plain", "Kept for later.");
    await played.say("Read the notes.");
  }),
  scenario(
    "steering-waiting",
    async (played) => {
      await played.turn("Ask them.", [calls(["site.ask", {}])], { parkAt: step(/^after append .*call\.settled/) });
    },
    { ask: (played) => played.say("In green, please.", "steer") },
  ),
  scenario(
    "follow-up-waiting",
    async (played) => {
      await played.turn("Ask them.", [calls(["site.ask", {}])], { parkAt: step(/^after append .*call\.settled/) });
    },
    { ask: (played) => played.say("And then?", "follow-up") },
  ),
  scenario("feedback-waiting", async (played) => {
    await played.turn("First.", [says("Answer.")]);
    await played.react("ok");
    await played.say("Second.");
  }),
  scenario("cancel-requested", async (played) => {
    await played.turn("Ask them.", [calls(["site.ask", {}])], { parkAt: step(/^after append .*call\.started/) });
    await played.cancel();
  }),
];

export const parkedScenarios: readonly Scenario[] = [
  ...choices,
  ...approvals,
  ...callsUnderWay,
  ...streams,
  ...maintenance,
  ...inputs,
];
