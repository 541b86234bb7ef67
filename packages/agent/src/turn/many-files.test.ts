/** Tests that many pictures and documents do not end a conversation: requests leave out the oldest files. */
import { type BenchOptions, TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { rebuildRequest } from "../receipt/past-request.ts";
import { recordedRequests } from "../receipt/recorded-requests.ts";
import { spellRequest } from "../receipt/spell-request.ts";
import { resolveModel } from "../resolve/resolve-model.ts";

/** A PNG by its header, with a given size and number of bytes; `nth` makes it different from others. */
function png(nth: number, bytes = 64, side = 10): Uint8Array {
  const image = Buffer.alloc(bytes);
  image.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  image.writeUInt32BE(13, 8);
  image.write("IHDR", 12, "latin1");
  image.writeUInt32BE(side, 16);
  image.writeUInt32BE(10, 20);
  image.writeUInt32BE(nth, 40);
  return image;
}

const env = (url: string) => ({
  ANTHROPIC_API_KEY: "k",
  ANTHROPIC_BASE_URL: url,
  CAIRN_MODEL_BASE_URL: url,
  CAIRN_MODEL_API_KEY: "k",
  CAIRN_MODEL_CONTEXT_TOKENS: "1000000",
});

async function openBench(name: string, simulator: BenchOptions["simulator"] = {}): Promise<TurnBench> {
  const bench = await TurnBench.open({ model: (url) => resolveModel(name, env(url)), simulator });
  bench.simulator.script([{ reply: { text: "I see." }, times: Number.POSITIVE_INFINITY }]);
  return bench;
}

/** Numbers of the pictures in the last request, in order. */
function shownIn(bench: TurnBench): number[] {
  const { bytes = "" } = bench.simulator.requests.at(-1) ?? {};
  // A regular expression over megabytes of base64 would overflow the stack.
  const pictures = bytes.split("iVBORw0KGgo").slice(1);
  return pictures.map((rest) => Buffer.from(`iVBORw0KGgo${rest.slice(0, 53)}`, "base64").readUInt32BE(40));
}

const refusals = (bench: TurnBench) => bench.simulator.requests.flatMap(({ refusal }) => refusal ?? []);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

async function attach(bench: TurnBench, nths: readonly number[], bytes?: number, side?: number): Promise<void> {
  for (const nth of nths) await bench.attach(`p${nth}.png`, "image/png", png(nth, bytes, side));
}

describe("Anthropic takes 100 pictures in a request of 32 MB", () => {
  it("the 101st removes the oldest, half of them at once, and the change is declared", async () => {
    await using bench = await openBench("anthropic:claude-sonnet-5");
    await attach(bench, range(1, 60));
    await bench.turn("Look.");
    await attach(bench, range(61, 100));
    await bench.turn("And these.");
    expect(shownIn(bench)).toEqual(range(1, 100));
    await attach(bench, [101]);
    expect(await bench.turn("And this.")).toMatchObject({ end: { exit: "complete" } });
    expect(shownIn(bench)).toEqual(range(52, 101));
    await attach(bench, [102]);
    await bench.turn("And this.");
    expect(shownIn(bench)).toEqual(range(52, 102));
    expect(refusals(bench)).toEqual([]);
    const texts = bench.simulator.requests.at(-1)?.request?.texts.join("\n") ?? "";
    expect(texts.match(/\[CLIPPED\] image\/png, 64 bytes: no longer shown.*p51\.png/)).not.toBeNull();
    const told = [];
    for await (const { n, receipt, miss } of recordedRequests(bench.store, bench.key)) {
      const past = await rebuildRequest(bench.store, bench.key, n, (text) => Math.ceil(text.length / 4));
      const { same } = await spellRequest(bench.store, bench.key, past, bench.agent.model);
      told.push([same, receipt.resets.map(({ cause, blocks }) => [cause, blocks]), miss?.cause ?? null]);
    }
    expect(told).toEqual([
      [true, [], null],
      [true, [], null],
      [true, [["clip", 51]], "clip"],
      [true, [], null],
    ]);
  });

  it("eight pictures of 3.6 MB, which would make a request of 39 MB, are answered", async () => {
    await using bench = await openBench("anthropic:claude-sonnet-5");
    await attach(bench, range(1, 4), 3_600_000);
    await bench.turn("Look.");
    expect(shownIn(bench)).toEqual(range(1, 4));
    await attach(bench, range(5, 8), 3_600_000);
    expect(await bench.turn("And these.")).toMatchObject({ end: { exit: "complete" } });
    expect(shownIn(bench)).toEqual([7, 8]);
    expect(refusals(bench)).toEqual([]);
  });

  it("a picture that is too wide is described by its path, and one of 2,400 pixels lowers the limit to 20", async () => {
    await using bench = await openBench("anthropic:claude-sonnet-5");
    await attach(bench, [1], 64, 9_000);
    await attach(bench, range(2, 21), 64, 2_400);
    await bench.turn("Look.");
    expect(shownIn(bench)).toEqual(range(2, 21));
    const texts = bench.simulator.requests.at(-1)?.request?.texts.join("\n") ?? "";
    expect(texts).toContain("[CLIPPED] image/png, 64 bytes: too large to be shown. Path: fi:");
    await attach(bench, [22]);
    expect(await bench.turn("And this.")).toMatchObject({ end: { exit: "complete" } });
    expect(shownIn(bench)).toEqual(range(13, 22));
    expect(refusals(bench)).toEqual([]);
  });
});

it("a server that states its limit of pictures gets the newest, after one refusal", async () => {
  await using bench = await openBench("openai-compatible:any", { server: "vllm" });
  await attach(bench, range(1, 7));
  expect(await bench.turn("Look.")).toMatchObject({ end: { exit: "complete" } });
  expect(shownIn(bench)).toEqual([6, 7]);
  expect(refusals(bench)).toEqual(["At most 5 image(s) may be provided in one request."]);
});
