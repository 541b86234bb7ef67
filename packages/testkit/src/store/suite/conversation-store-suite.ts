/**
 * The conformance suite of `ConversationStore` and `StoreMaintenance`: every method, every typed error, and the laws
 * between them. A back end runs it with one line; `opened-store.ts` describes what it must provide.
 */
import { describe } from "vitest";
import { appendingSuite } from "./appending.ts";
import { branchTreesSuite } from "./branch-trees.ts";
import { branchingSuite } from "./branching.ts";
import { composingSuite } from "./composing.ts";
import { copyingSuite } from "./copying.ts";
import { deletingSuite } from "./deleting.ts";
import { findingSuite } from "./finding.ts";
import { leasingSuite } from "./leasing.ts";
import { lifecycleSuite } from "./lifecycle.ts";
import { loadingSuite } from "./loading.ts";
import { maintainingSuite } from "./maintaining.ts";
import { mixingSuite } from "./mixing.ts";
import { onBranches } from "./on-branches.ts";
import type { OpenStore } from "./opened-store.ts";
import { racingSuite } from "./racing.ts";
import { recallingSuite } from "./recalling.ts";
import { referringSuite } from "./referring.ts";
import { scopingSuite } from "./scoping.ts";
import { secretsSuite } from "./secrets.ts";
import { spendingSuite } from "./spending.ts";
import { storingSuite } from "./storing.ts";
import { streamingSuite } from "./streaming.ts";

export function conversationStoreSuite(name: string, open: OpenStore): void {
  describe(`${name} keeps the contract of a conversation store`, () => {
    lifecycleSuite(open);
    appendingSuite(open);
    leasingSuite(open);
    loadingSuite(open);
    composingSuite(open);
    findingSuite(open);
    recallingSuite(open);
    copyingSuite(open);
    deletingSuite(open);
    referringSuite(open);
    streamingSuite(open);
    spendingSuite(open);
    secretsSuite(open);
    storingSuite(open);
    maintainingSuite(open);
    scopingSuite(open);
    racingSuite(open);
    mixingSuite(open);
    branchingSuite(open);
    branchTreesSuite(open);
  });
  describe(`${name} keeps the contract of a conversation store on branches`, () => {
    const onBranch = onBranches(open);
    appendingSuite(onBranch);
    loadingSuite(onBranch);
    composingSuite(onBranch);
    findingSuite(onBranch);
    recallingSuite(onBranch);
    copyingSuite(onBranch);
    deletingSuite(onBranch);
    referringSuite(onBranch);
  });
}
