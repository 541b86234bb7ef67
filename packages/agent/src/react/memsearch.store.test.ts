/** Tests searches of the past in a real store: in turns long ago, and in the user's other conversations. */
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { type Block, Timeline } from "@cairn/timeline";
import { describe, expect, it } from "vitest";

const DAY = 86_400_000;
const FIRST_DAY = Date.parse("2026-01-01T10:00:00Z");

/** A conversation with one turn for each day, whose texts `textOf` makes. */
async function past(
  bench: TurnBench,
  conversation: string,
  days: number,
  textOf: (day: number) => string,
  user = bench.key.user,
) {
  const key = { ...bench.key, conversation, user };
  let now = FIRST_DAY;
  const timeline = Timeline.create({ clock: { now: () => now }, countTokens: (text) => text.length });
  for (let day = 1; day <= days; day++, now += DAY) {
    const turn_id = `turn_${now}_${conversation}`;
    timeline.openTurn(turn_id);
    const prompt: Block = { type: "user.prompt", turn_id, path: `ar:${turn_id}.user.prompt`, text: textOf(day) };
    timeline.contribute([prompt]);
    timeline.closeTurn("complete");
  }
  if (conversation !== bench.key.conversation) await bench.store.createConversation(key);
  const { token } = await bench.store.acquireLease(key, "past", 60_000);
  await bench.store.append(key, timeline.takeEvents(), { lease: { token, expectedSeq: 0 } });
  await bench.store.releaseLease(key, token);
}

async function hits(bench: TurnBench, params: Parameters<typeof callOf>[1]) {
  const played = await playTurn(bench, [callOf("react.memsearch", params)]);
  const result = played.blocks.find(({ type }) => type === "react.tool.result");
  return (JSON.parse(result?.text ?? "{}") as { hits: Record<string, unknown>[] }).hits;
}

describe("react.memsearch", () => {
  it("finds words within a time range, however often they were said since", async () => {
    await using bench = await TurnBench.open();
    await past(bench, "c1", 300, (day) => `About tea, day ${day}.`);
    const found = await hits(bench, { query: "tea", until: "2026-01-02" });
    expect(found.map(({ excerpt }) => excerpt)).toEqual(["About tea, day 2.", "About tea, day 1."]);
  });

  it("finds the user's turns by time in every conversation, and no other user's", async () => {
    await using bench = await TurnBench.open();
    await past(bench, "c2", 5, (day) => `Elsewhere, day ${day}.`);
    await past(bench, "c3", 5, (day) => `Somebody else, day ${day}.`, "bob");
    await past(bench, "c1", 3, (day) => `Here, day ${day}.`);
    const found = await hits(bench, { scope: "user", since: "2026-01-02", until: "2026-01-03" });
    expect(found.map(({ conversation, prompt, turn }) => [conversation, prompt, turn])).toEqual([
      [undefined, "Here, day 2.", 2],
      ["c2", "Elsewhere, day 2.", null],
      [undefined, "Here, day 3.", 3],
      ["c2", "Elsewhere, day 3.", null],
    ]);
    expect(await hits(bench, { since: "2026-01-02", until: "2026-01-02" })).toMatchObject([{ prompt: "Here, day 2." }]);
  });

  it("does not find the question that it is called for", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [callOf("react.memsearch", { query: "zebras" })], "What about zebras?");
    expect(played.contents("react.tool.result tc:T1.C1.result")).toEqual([{ hits: [] }]);
  });

  it("finds an answer by a question in other words, and by any of several phrasings", async () => {
    await using bench = await TurnBench.open();
    const said = [
      "The weather was fine.",
      "We bought a canoe for the lake.",
      "Nothing happened.",
      "Lunch was soup.",
      "The vehicle is in the garage.",
      "We went home.",
    ];
    await past(bench, "c1", said.length, (day) => said[day - 1] ?? "");
    const best = async (params: Parameters<typeof hits>[1]) => (await hits(bench, params))[0];
    expect(await best({ query: "When did we buy canoes?" })).toMatchObject({ excerpt: said[1], turn: 2 });
    expect(await best({ query: "where is my automobile", queries: ["vehicle garage", "car"] })).toMatchObject({
      excerpt: said[4],
      path: expect.stringMatching(/^ar:.*\.user\.prompt$/),
    });
    const inTurn = await hits(bench, { query: "canoe", turn: 2 });
    expect(inTurn.map(({ turn }) => turn)).toEqual([2]);
  });

  it("returns a repeated text once, even if each phrasing finds a different repetition", async () => {
    await using bench = await TurnBench.open();
    const said = [
      "Alder trees.",
      "We bought a canoe.",
      "Soup.",
      "Bread.",
      "Rice.",
      "We bought a canoe.",
      "Birch trees.",
    ];
    await past(bench, "c1", said.length, (day) => said[day - 1] ?? "");
    const found = await hits(bench, { query: "canoe alder", queries: ["canoe birch"] });
    expect(found.filter(({ excerpt }) => excerpt === said[1])).toMatchObject([{ repeats: 1 }]);
  });

  it("returns texts of other conversations, because their paths cannot be read here", async () => {
    await using bench = await TurnBench.open();
    const long = `${"Words. ".repeat(60)}The code is 4711. ${"More. ".repeat(40)}The end.`;
    await past(bench, "c2", 1, () => long);
    const [hit] = await hits(bench, { query: "code 4711", scope: "user" });
    expect(hit).toMatchObject({ conversation: "c2", path: null, excerpt: long });
  });
});
