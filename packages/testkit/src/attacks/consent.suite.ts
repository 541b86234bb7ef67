/**
 * Each attack runs in its own turn. Without the guard, the policy allows the tool, and calls run that no person
 * approved.
 */
import { reactTools } from "@cairn/agent";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import type { OpenBench } from "../turns/index.ts";
import { CONSENT_ATTACKS, type ConsentAttack } from "./consent.ts";
import { orderTool } from "./order-tool.ts";

const TS = "2026-02-09T10:00:01Z";

/** The calls that took effect. */
async function effectsOf(open: OpenBench, attack: ConsentAttack, hasGuard: boolean): Promise<readonly string[]> {
  const effects: string[] = [];
  const tools = ["shop.order", "shop.order_small"].map((id) => orderTool(id, effects));
  const policies = hasGuard ? {} : { policies: { "shop.*": "allow" as const } };
  await using bench = await open({ agent: { tools: [...reactTools(), ...tools], ...policies } });
  const done = { reply: { text: "Done." } };
  bench.simulator.script([...attack.decisions.map((calls) => ({ reply: { calls: [...calls] } })), done, done]);
  if (attack.before !== undefined) await bench.append(makeEvent("approval.given", attack.before("tc_000000000002")));
  await bench.turn("Order");
  const { approvalsRequested } = (await bench.store.load(bench.key)).state;
  const asked = [...approvalsRequested.values()];
  if (attack.isCancelled) await bench.append(makeEvent("cancel.requested", { key: "cancel", ts: TS }));
  for (const given of attack.answers?.(asked, bench.key) ?? []) await bench.append(makeEvent("approval.given", given));
  await bench.run();
  return effects;
}

/** `alsoUnguarded` (default: true) shows that each attack works without the guard. */
export function resistCalls(open: OpenBench, alsoUnguarded = true): void {
  describe.each(CONSENT_ATTACKS.map((attack) => [attack.name, attack] as const))(
    "without consent, by %s,",
    (_, attack) => {
      const agreed = attack.agreed ?? [];

      if (alsoUnguarded)
        it("a call runs if nobody is asked", async () => {
          expect(await effectsOf(open, attack, false)).not.toEqual(agreed);
        });

      it("no call runs except those that people approved, if they are asked", async () => {
        expect(await effectsOf(open, attack, true)).toEqual(agreed);
      });
    },
  );
}
