import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent, RequestChain } from "@cairn/timeline";
import { expect, it, vi } from "vitest";
import { recordedRequests } from "./recorded-requests.ts";
import { readRequestRecord } from "./request-record.ts";

it("lists each request with its turn, its model and its place in the journal", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { text: "One." } }, { reply: { text: "Two." } }]);
  await bench.turn("First.");
  await bench.turn("Second.");
  const requests = await Array.fromAsync(recordedRequests(bench.store, bench.key));
  const events = await bench.store.readEvents(bench.key, { limit: 1_000 });
  const seqs = events.filter(({ event }) => event.kind === "model.receipt").map(({ seq }) => seq);
  expect(requests.map(({ n, seq }) => [n, seq])).toEqual(seqs.map((seq, index) => [index + 1, seq]));
  expect(requests.map(({ model, miss }) => [model, miss])).toEqual(Array(2).fill(["anthropic:claude-sonnet-5", null]));
  expect(new Set(requests.map(({ turnId }) => turnId)).size).toBe(2);
  const aborted = AbortSignal.abort(new Error("enough"));
  await expect(Array.fromAsync(recordedRequests(bench.store, bench.key, { signal: aborted }))).rejects.toThrow(
    "enough",
  );
});

it("a receipt records when the first piece of its answer arrived and when the answer ended", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { text: "Done." } }]);
  await bench.turn("Do it.");
  const [request] = await Array.fromAsync(recordedRequests(bench.store, bench.key));
  const { first_token_ms = 0, total_ms = 0 } = request?.record.timing ?? {};
  expect(first_token_ms).toBeGreaterThan(0);
  expect(total_ms).toBeGreaterThan(first_token_ms);
});

it("listing compares no block of a request that only extends the previous one", async () => {
  await using bench = await TurnBench.open();
  const { token } = await bench.store.acquireLease(bench.key, "writer", 60_000);
  const { ref } = await bench.store.putBlob(bench.key, [Buffer.from("[]")]);
  const events = Array.from({ length: 1_500 }, (_, index) => receiptOf(index + 1, ref));
  await bench.store.append(bench.key, events, { lease: { token, expectedSeq: 0 } });
  const compared = vi.spyOn(RequestChain.prototype, "hashAt");
  const read = vi.spyOn(bench.store, "readEvents");
  const requests = await Array.fromAsync(recordedRequests(bench.store, bench.key));
  expect(requests.at(-1)).toMatchObject({ n: 1_500, miss: null });
  expect(requests.at(-1)?.chain.hashes()).toHaveLength(1_500);
  expect({ compared: compared.mock.calls.length, read: read.mock.calls.length }).toEqual({ compared: 0, read: 2 });
  compared.mockRestore();
});

/** The n-th request, which adds one block to the previous request. */
function receiptOf(n: number, ref: `sha256:${string}`) {
  return makeEvent("model.receipt", {
    n,
    previous: n === 1 ? null : n - 1,
    keep: n - 1,
    added: [`hash ${n}`],
    stable: n,
    checkpoints: [],
    tools: ref,
    system: ref,
    tail: ref,
    tokens: { tools: 1, system: 1, stable: n, tail: 1 },
    resets: [],
    ...(n === 1 ? { tool_hashes: [] } : {}),
    renderer_version: 1,
    started_at: n,
  });
}

it("a request whose receipt has other fields, or is missing, cannot be rebuilt", () => {
  const empty = { turn_id: null, model: null, purpose: "decision", stable_hash: null, sent: null, cache: null };
  expect(readRequestRecord({ started_at: 1 })).toEqual(empty);
  const odd = { started_at: 1, turn_id: 7, model: [], purpose: "?", stable_hash: {}, sent: { sha256: 1 }, cache: "x" };
  expect(readRequestRecord(odd)).toEqual(empty);
});
