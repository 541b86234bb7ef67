/** The law of receipts, over generated conversations in which anything may be hidden, pruned or compacted. */
import { type Batch, conversations } from "@cairn/testkit/conversation";
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hashMessage } from "../cache/hash.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import { decodeEvent, encodeEvent, makeEvent } from "../event/codec.ts";
import { isKnown, type TimelineEvent } from "../event/event.ts";
import { applyEvent } from "../state/apply.ts";
import { Timeline, type TimelineDeps } from "../timeline.ts";
import { explainCacheMiss } from "./explain-cache-miss.ts";
import { makeReceipt } from "./make-receipt.ts";
import { type Receipt, receiptOf } from "./receipt.ts";
import { applyReceipt, type RequestChain } from "./request-chain.ts";
import { verifyRequest } from "./verify-request.ts";

const deps: TimelineDeps = {
  clock: { now: () => 1_770_603_272_000 },
  countTokens: (text) => Math.ceil(text.length / 4),
};

interface Removal {
  readonly is: "none" | "hide" | "ttl_prune" | "turn_prune" | "compaction";
  readonly at: number;
}

const removal = fc.record<Removal>({
  is: fc.constantFrom("none", "none", "none", "hide", "ttl_prune", "turn_prune", "compaction"),
  at: fc.nat(),
});

/** Types of blocks before which a cut separates no call from its results. */
const CUTS = new Set(["turn.header", "user.prompt", "assistant.completion"]);

/** The event of a removal somewhere in the window; null for none. */
function eventOf(removal: Removal, timeline: Timeline): TimelineEvent | null {
  const { window, nextPosition } = timeline.state;
  const places = removal.is === "compaction" ? window.filter(({ block }) => CUTS.has(block.type)) : window;
  const position = places[removal.at % Math.max(1, places.length)]?.position;
  if (removal.is === "none" || position === undefined) return null;
  const groups = [{ positions: [position], anchor: position, replacement: "gone" }];
  if (removal.is === "hide") return makeEvent("blocks.hidden", { groups });
  if (removal.is !== "compaction")
    return makeEvent("blocks.pruned", { by: removal.is === "ttl_prune" ? "ttl" : "policy", groups });
  const path = "su:turn_1.conv.range.summary";
  const summary = { type: "conv.range.summary", turn_id: "turn_1", path, text: "What was said." };
  const body = { cut: position, position: nextPosition, summary, tokens: 5, version: 0 };
  return makeEvent("compaction.committed", body);
}

/** The journal of a conversation with a request after every batch, and the hashes that each request had. */
function journalOf(batches: readonly Batch[], removals: readonly Removal[]) {
  const timeline = Timeline.create(deps);
  const journal: TimelineEvent[] = [];
  const sent: string[][] = [];
  let chain: RequestChain | null = null;
  for (const [nth, batch] of batches.entries()) {
    timeline.contribute(batch.blocks);
    timeline.mergeSources(batch.sources);
    journal.push(...timeline.takeEvents());
    const removal = removals[nth % Math.max(1, removals.length)];
    const event = removal === undefined ? null : eventOf(removal, timeline);
    const resets: DeclaredReset[] = [];
    if (event !== null && removal !== undefined && removal.is !== "none") {
      applyEvent(timeline.state, event);
      journal.push(event);
      resets.push({ cause: removal.is, blocks: 1 });
    }
    const view = timeline.render({ includeSources: true });
    const tokens = { tools: 0, system: 0, stable: 0, tail: 0 };
    const receipt: Receipt = makeReceipt(view, { tools: [], system: "", startedAt: nth, resets, tokens }, chain);
    chain = applyReceipt(chain, receipt);
    journal.push(makeEvent("model.receipt", receipt));
    sent.push(view.messages().slice(0, view.stableLength).map(hashMessage));
  }
  return { journal: journal.map((event) => decodeEvent(JSON.parse(JSON.stringify(encodeEvent(event))))), sent };
}

it("a journal's receipts rebuild every past request and its hashes, and its blocks render to them again", () => {
  fc.assert(
    fc.property(conversations(), fc.array(removal, { maxLength: 6 }), (batches, removals) => {
      const { journal, sent } = journalOf(batches, removals);
      let chain: RequestChain | null = null;
      for (const [at, event] of journal.entries()) {
        if (!isKnown(event) || event.kind !== "model.receipt") continue;
        const receipt = receiptOf(event.body);
        if (receipt === null) throw new Error("a receipt lost its fields");
        const next: RequestChain = applyReceipt(chain, receipt);
        expect(next.hashes()).toEqual(sent[next.n - 1]);
        expect(verifyRequest(Timeline.fromEvents(journal.slice(0, at), deps).render(), next).same).toBe(true);
        const miss = chain === null ? null : explainCacheMiss(chain, next);
        expect(miss?.cause ?? "declared").not.toBe("undeclared");
        expect(miss?.at.index ?? receipt.keep).toBe(receipt.keep);
        chain = next;
      }
      expect(chain?.n).toBe(batches.length);
    }),
    { numRuns: costlyRuns },
  );
});
