/**
 * Tests the work that an imported file starts. The guard closes everything that the file leaves open. The store closes
 * nothing in a conversation that moves from another store of the same owner (`moves`). Each file is also imported in
 * that way, where it must start work, to prove that the attack is real.
 */
import { type FollowLink, reactTools } from "@cairn/agent";
import { LINK_SERVER, LINK_URI, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import type { OpenBench } from "../turns/index.ts";
import {
  exportFile,
  exportLines,
  FORMAT_ATTACKS,
  HONEST_EVENTS,
  IMPORT_ATTACKS,
  type ImportAttack,
} from "./imports.ts";
import { orderTool } from "./order-tool.ts";

const TS = "2026-02-09T11:00:00Z";

interface Outcome {
  readonly status: string;
  readonly effects: readonly string[];
  /** Whether a turn is open, or will be cancelled. */
  readonly isOpen: boolean;
  readonly answers: number;
}

async function outcomeOf(open: OpenBench, attack: ImportAttack, hasGuard: boolean): Promise<Outcome> {
  const effects: string[] = [];
  const order = orderTool("shop.order", effects);
  const follow: FollowLink = async ({ [LINK_SERVER]: server, [LINK_URI]: uri }) => {
    if (server === undefined || uri === undefined) return null;
    effects.push(`${String(server)} ${String(uri)}`);
    return { text: "A car." };
  };
  await using bench = await open({ agent: { tools: [...reactTools([], follow), order] } });
  const call =
    attack.reads === undefined
      ? { name: "shop__order", input: { what: "car" } }
      : { name: "react__read", input: { paths: [attack.reads] } };
  bench.simulator.script([
    { reply: attack.message === "Hello" ? { text: "Hi." } : { calls: [call] } },
    { reply: { text: "Done." } },
  ]);
  const key = { ...bench.key, conversation: `${bench.key.conversation}.copy` };
  await bench.store.importConversation(key, [exportFile(exportLines(attack.events(key)))], { moves: !hasGuard });
  if (attack.message !== undefined) {
    const body = { key: "own", mode: "turn" as const, message: attack.message, attachments: [], ts: TS };
    await bench.store.append(key, [makeEvent("input.received", body)]);
  }
  const { status } = await bench.run({ key });
  const { state } = await bench.store.load(key);
  const answers = state.window.filter(({ block }) => block.type === "assistant.completion").length;
  return { status, effects, isOpen: state.openTurn !== null || state.cancelRequested !== null, answers };
}

/** `alsoUnguarded` (default: true) shows that each file does harm without the guard. */
export function resistImports(open: OpenBench, alsoUnguarded = true): void {
  describe.each(IMPORT_ATTACKS.map((attack) => [attack.name, attack] as const))("an import with %s", (_, attack) => {
    /** The harmless outcome: nothing happens, or the owner's message is answered, or a person is asked for approval. */
    const calm =
      attack.message === undefined
        ? { status: "idle", effects: [], isOpen: false, answers: 0 }
        : attack.message === "Hello" || attack.reads !== undefined
          ? { status: "ended", effects: [], isOpen: false, answers: 1 }
          : { status: "waiting", effects: [] };

    if (alsoUnguarded)
      it("starts work if nothing closes it", async () => {
        expect(await outcomeOf(open, attack, false)).not.toMatchObject(calm);
      });

    it("starts no work", async () => {
      expect(await outcomeOf(open, attack, true)).toMatchObject(calm);
    });
  });

  describe("an import of a file that is not valid", () => {
    it("is refused for its fault alone: a valid file made in the same way is accepted", async () => {
      await using bench = await open();
      const key = (name: string) => ({
        ...bench.key,
        conversation: `${bench.key.conversation}.${name.replaceAll(" ", "_")}`,
      });
      await bench.store.importConversation(key("honest"), [exportFile(exportLines(HONEST_EVENTS))]);
      expect((await bench.store.load(key("honest"))).state.turnIds).toEqual(["turn_1"]);
      const outcomes: Record<string, unknown> = {};
      for (const { name, spoil } of FORMAT_ATTACKS) {
        const file = exportFile(spoil(exportLines(HONEST_EVENTS)));
        outcomes[name] = await bench.store.importConversation(key(name), [file]).then(
          () => "taken",
          (error) => error.code,
        );
        await expect(bench.store.load(key(name))).rejects.toMatchObject({ code: "not_found" });
      }
      expect(outcomes).toEqual(Object.fromEntries(FORMAT_ATTACKS.map(({ name }) => [name, "corrupt"])));
    });
  });
}
