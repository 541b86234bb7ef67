import crypto from "node:crypto";
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it, vi } from "vitest";
import { hashText } from "../cache/hash.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import { encodeEvent, makeEvent } from "../event/codec.ts";
import { RenderedView } from "../render/rendered-view.ts";
import { RENDERER_VERSION } from "../render/version.ts";
import { applyEvent } from "../state/apply.ts";
import { Timeline, type TimelineDeps } from "../timeline.ts";
import { makeReceipt, type RequestFacts, receiptTexts } from "./make-receipt.ts";
import { type Receipt, receiptOf } from "./receipt.ts";
import { applyReceipt, type RequestChain } from "./request-chain.ts";
import { verifyRequest } from "./verify-request.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};
const facts: RequestFacts = {
  tools: [{ name: "react.read" }, { name: "web_tools.web_search" }],
  system: "You are a careful researcher.",
  startedAt: 1_770_603_272,
  resets: [],
  tokens: { tools: 10, system: 6, stable: 100, tail: 20 },
};

/** A conversation, its last receipt and the chain up to it. */
class Talk {
  readonly timeline = Timeline.create(deps);
  chain: RequestChain | null = null;
  receipts: Receipt[] = [];
  view: RenderedView | null = null;

  round(nth: number): void {
    const at = { turn: "turn_1", call: `tc_${nth}`, iteration: nth };
    if (nth === 0) this.timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Hello")]);
    this.timeline.contribute([make.call(at, "web_tools.web_fetch", { nth }), make.result(at, `Page ${nth}`)]);
  }

  send(resets: readonly DeclaredReset[] = [], more: Partial<RequestFacts> = {}): Receipt {
    const view = this.timeline.render();
    const previousView = this.view === null ? {} : { previousView: this.view };
    const receipt = makeReceipt(view, { ...facts, resets, ...previousView, ...more }, this.chain);
    this.view = view;
    this.chain = applyReceipt(this.chain, receipt);
    this.receipts.push(receipt);
    return receipt;
  }

  hide(position: number): void {
    const groups = [{ positions: [position], anchor: position, replacement: "not needed" }];
    applyEvent(this.timeline.state, makeEvent("blocks.hidden", { groups }));
  }
}

function talkOf(rounds: number): Talk {
  const talk = new Talk();
  for (let nth = 0; nth < rounds; nth++) {
    talk.round(nth);
    talk.send();
  }
  return talk;
}

/** How often a block is looked up among those that have a hash already. */
function countLookups<T>(work: () => T): { readonly lookups: number; readonly result: T } {
  const { get } = WeakMap.prototype;
  let lookups = 0;
  const counted: typeof get = function (this: WeakMap<WeakKey, unknown>, key) {
    lookups++;
    return get.call(this, key);
  };
  Object.assign(WeakMap.prototype, { get: counted });
  try {
    const result = work();
    return { lookups, result };
  } finally {
    Object.assign(WeakMap.prototype, { get });
  }
}

describe("a receipt", () => {
  it("records what the request added to the previous one", () => {
    const { receipts } = talkOf(2);
    expect(receipts[0]).toMatchObject({ n: 1, previous: null, keep: 0, stable: 4 });
    expect(receipts[1]).toMatchObject({ n: 2, previous: 1, keep: 4, stable: 6, checkpoints: expect.anything() });
    expect(receipts[1]?.added).toHaveLength(2);
    expect(receipts[1]).toMatchObject({ renderer_version: RENDERER_VERSION, started_at: facts.startedAt, resets: [] });
  });

  it("refers to tools, system text and tail by the hash of the stored content", () => {
    const talk = talkOf(1);
    const view = talk.timeline.render();
    const texts = receiptTexts(view, facts);
    expect(talk.receipts[0]).toMatchObject({
      tools: `sha256:${hashText(texts.tools)}`,
      system: `sha256:${hashText(texts.system)}`,
      tail: `sha256:${hashText(texts.tail)}`,
    });
    expect(JSON.parse(texts.tools)).toEqual(facts.tools);
    expect(JSON.parse(texts.tail)).toEqual(view.tail);
  });

  it("lists the tools only if they differ from those of the previous request", () => {
    const talk = talkOf(2);
    expect(talk.receipts[0]?.tool_hashes?.map(({ name }) => name)).toEqual(["react.read", "web_tools.web_search"]);
    expect(talk.receipts[1]).not.toHaveProperty("tool_hashes");
    talk.send([{ cause: "tools_changed" }], { tools: [{ name: "react.read" }] });
    expect(talk.receipts[2]?.tool_hashes).toHaveLength(1);
    expect(talk.chain?.tools.map(({ name }) => name)).toEqual(["react.read"]);
  });

  it("keeps the blocks before one that was hidden, and lists the rest again", () => {
    const talk = talkOf(3);
    talk.hide(5);
    const receipt = talk.send([{ cause: "hide", blocks: 1 }]);
    expect(receipt).toMatchObject({ keep: 5, stable: 8, resets: [{ cause: "hide", blocks: 1 }] });
    expect(receipt.added).toHaveLength(3);
  });

  it("keeps no wrong block when a change before the end was not declared", () => {
    const talk = talkOf(3);
    const shorter = talk.timeline.render().messages().slice(1);
    const view = new RenderedView(shorter, shorter.length, [], [], []);
    expect(makeReceipt(view, facts, talk.chain).keep).toBe(0);
  });

  it("is complete in itself and keeps its number when the chain is not available", () => {
    const talk = talkOf(2);
    const receipt = makeReceipt(talk.timeline.render(), { ...facts, n: 3 }, null);
    expect(receipt).toMatchObject({ n: 3, previous: null, keep: 0 });
    expect(applyReceipt(talk.chain, receipt).hashes()).toEqual(talk.chain?.hashes());
  });

  it("hashes no more blocks for a long conversation than for a short one", () => {
    const cost = [50, 800].map((rounds) => {
      const talk = talkOf(rounds);
      talk.round(rounds);
      const hashing = vi.spyOn(crypto, "hash");
      const { lookups, result: receipt } = countLookups(() => talk.send());
      const hashed = hashing.mock.calls.length;
      hashing.mockRestore();
      const { checkpoints: _, ...sized } = receipt;
      return { lookups, hashed, added: receipt.added.length, fields: Object.keys(sized).length };
    });
    expect(cost[1]).toEqual(cost[0]);
    // Five hashes: the two blocks, and the contents that the receipt refers to (tools, system text and tail).
    expect(cost[0]).toMatchObject({ hashed: 5 });
  });

  it("travels as an event whose blobs are its three references", () => {
    const [receipt] = talkOf(1).receipts;
    if (receipt === undefined) throw new Error("no receipt");
    const event = makeEvent("model.receipt", receipt);
    expect(encodeEvent(event).blobs).toEqual([receipt.tools, receipt.system, receipt.tail]);
    expect(receiptOf(event.body)).toEqual(receipt);
    expect(receiptOf({ started_at: 3 })).toBeNull();
  });
});

describe("a chain of receipts", () => {
  it("still knows an earlier request after later ones have grown from it", () => {
    const talk = talkOf(1);
    const first = talk.chain;
    const before = first?.hashes();
    talk.round(1);
    talk.send();
    expect(first?.hashes()).toEqual(before);
    expect(first?.hashAt(4)).toBeUndefined();
    expect(talk.chain?.hashes().slice(0, 4)).toEqual(before);
  });

  it("can continue twice from one request, as a fork does", () => {
    const talk = talkOf(1);
    const fork = (hash: string): Receipt => ({ ...talkOf(2).receipts[1], stable: 5, added: [hash] }) as Receipt;
    const [a, b] = ["a", "b"].map((hash) => applyReceipt(talk.chain, fork(hash)));
    expect(a?.hashAt(4)).toBe("a");
    expect(b?.hashAt(4)).toBe("b");
  });

  it.each<[string, Partial<Receipt>]>([
    ["follows another request", { previous: 7 }],
    ["keeps more than there was", { keep: 99, stable: 101 }],
    ["miscounts its blocks", { stable: 5 }],
    ["changes the tools without listing them", { tools: `sha256:${"0".repeat(64)}` }],
  ])("refuses a receipt that %s", (_, wrong) => {
    const talk = talkOf(2);
    const chain = applyReceipt(null, talk.receipts[0] as Receipt);
    const receipt = { ...talk.receipts[1], ...wrong } as Receipt;
    expect(() => applyReceipt(chain, receipt)).toThrow(expect.objectContaining({ code: "corrupt" }));
  });

  it("refuses a receipt that follows another if that one is missing", () => {
    const second = talkOf(2).receipts[1] as Receipt;
    expect(() => applyReceipt(null, second)).toThrow(expect.objectContaining({ code: "corrupt" }));
  });
});

describe("checking a request", () => {
  it("names the first block that differs and says whether the renderer changed", () => {
    const talk = talkOf(3);
    const { chain } = talk;
    if (chain === null) throw new Error("no chain");
    expect(verifyRequest(talk.timeline.render(), chain)).toMatchObject({ same: true, firstDifference: null });
    talk.hide(5);
    expect(verifyRequest(talk.timeline.render(), chain)).toMatchObject({
      same: false,
      firstDifference: 5,
      recorded: chain.hashAt(5),
      rendererChanged: false,
    });
    const older = applyReceipt(null, { ...makeReceipt(talk.timeline.render(), facts, null), renderer_version: 0 });
    expect(verifyRequest(talk.timeline.render(), older)).toMatchObject({ same: true, rendererChanged: true });
  });

  it("detects an extra block and a missing block", () => {
    const talk = talkOf(2);
    const { chain } = talk;
    if (chain === null) throw new Error("no chain");
    talk.round(2);
    expect(verifyRequest(talk.timeline.render(), chain)).toMatchObject({ firstDifference: 6, recorded: null });
    const fewer = talkOf(1).timeline.render();
    expect(verifyRequest(fewer, chain)).toMatchObject({ firstDifference: 4, found: null });
  });
});
