/**
 * The table of escapes: every attack runs once without a sandbox, where it must succeed, and once in each sandbox,
 * where it must fail, be reported, not reach the canary and leave nothing running. Each sandbox has its own test file,
 * so that they run at the same time.
 */
import type { Sandbox } from "@cairn/tools/exec";
import { afterAll, beforeAll, expect, it } from "vitest";
import { standsAlone } from "./attack-program.ts";
import type { Attack, ControlKind } from "./attacks/attack.ts";
import { Canary } from "./attacks/canary.ts";
import { FILES } from "./attacks/files.ts";
import { HIDDEN_DISK } from "./attacks/hidden-disk.ts";
import { INTERPRETER } from "./attacks/interpreter.ts";
import { KERNEL_MEMORY } from "./attacks/kernel-memory.ts";
import { MEMORY } from "./attacks/memory.ts";
import { NETWORK } from "./attacks/network.ts";
import { PROCESSES } from "./attacks/processes.ts";
import { RESOURCES } from "./attacks/resources.ts";
import { type Attempt, attempt } from "./attempt.ts";

export const ATTACKS: readonly Attack[] = [
  ...[...NETWORK, ...FILES, ...PROCESSES, ...MEMORY, ...KERNEL_MEMORY],
  ...[...RESOURCES, ...HIDDEN_DISK, ...INTERPRETER],
];

/** Timeout of a test. The timeout is long because a busy machine starts many processes slowly. */
const MAX_MS = 300_000;

export interface TriedSandbox {
  readonly sandbox: Sandbox;
  /** Why the sandbox cannot be tested on this machine; null when it can. */
  readonly missing: string | null;
}

export function controlSuite(): void {
  const outcomeOf = useOutcomes();
  for (const attack of ATTACKS) {
    const needsRoot = attack.controlNeedsRoot === true && process.getuid?.() !== 0;
    it.skipIf(needsRoot)(
      `${nameOf(attack)} succeeds without a sandbox${needsRoot ? " (skipped: only root can show it)" : ""}`,
      async () => {
        const outcome = await outcomeOf(attack, attack.control);
        expect(outcome?.escaped === true ? "" : outcome?.told).toBe("");
        const named = new Set(outcome?.told.match(/\w+/g));
        expect(attack.ways?.filter((way) => !named.has(way)) ?? []).toEqual([]);
      },
      MAX_MS,
    );
  }
}

export function escapeSuite({ sandbox, missing }: TriedSandbox): void {
  const outcomeOf = useOutcomes();
  for (const attack of ATTACKS.filter((each) => canBeTried(each, sandbox)))
    it.skipIf(missing !== null)(
      `${nameOf(attack)} is contained in ${sandbox.name}${missing === null ? "" : ` (skipped: ${missing})`}`,
      async () => {
        const outcome = await outcomeOf(attack, sandbox);
        expect(outcome).toMatchObject({ escaped: false, harm: [], left: [] });
        if (attack.evidence === undefined) expect(outcome?.told).toMatch(reportOf(attack));
      },
      MAX_MS,
    );
}

/** Tries attacks against a canary that lives as long as the test file. */
function useOutcomes(): (attack: Attack, place: Sandbox | ControlKind) => Promise<Attempt | undefined> {
  let canary: Canary;
  const tried = new Map<string, Promise<readonly Attempt[]>>();
  beforeAll(async () => {
    canary = await Canary.open();
    process.env.CANARY_SECRET = canary.facts.secret;
  });
  afterAll(async () => {
    delete process.env.CANARY_SECRET;
    await canary[Symbol.asyncDispose]();
  });
  // Attacks of one program run once, when the first of them is needed.
  return async (attack, place) => {
    const together = standsAlone(attack) ? [attack] : ATTACKS.filter((other) => goTogether(attack, other, place));
    const where = typeof place === "string" ? `control ${place}` : `sandbox ${place.name}`;
    const key = `${where} ${together.map(nameOf).join()}`;
    const attempts = tried.get(key) ?? attempt(together, canary, place);
    tried.set(key, attempts);
    return (await attempts)[together.indexOf(attack)];
  };
}

function nameOf({ name, language }: Attack): string {
  return `${name} (${language})`;
}

function canBeTried({ sandboxes }: Attack, { name }: Sandbox): boolean {
  return sandboxes?.includes(name) ?? true;
}

function goTogether(attack: Attack, other: Attack, place: Sandbox | ControlKind): boolean {
  if (standsAlone(other) || other.language !== attack.language) return false;
  return typeof place === "string" ? other.control === attack.control : canBeTried(other, place);
}

/** The expected report: the limit that was exceeded, or the error of the program. */
function reportOf({ expected = [] }: Attack): RegExp {
  return new RegExp(["CONTAINED", "execution_failed", ...expected].join("|"));
}
