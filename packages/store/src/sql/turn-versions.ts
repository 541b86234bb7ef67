/**
 * The versions of turns in a tree. A branch has its own turns after its cut. Two conversations have different versions
 * of a turn when they share all turns before it, but not the turn itself.
 */
import type { TurnVersions } from "../contract/records.ts";

export interface TreeMember {
  readonly id: number;
  readonly parent: number | null;
  /** Id of the conversation; null for a deleted conversation whose events branches need. */
  readonly name: string | null;
  /** Number of turns that it shares with `parent`. */
  readonly sharedTurns: number;
  readonly turns: number;
  readonly activeAt: number;
}

/** A conversation reads its first `turns` turns from `of`; later turns belong to `branch`. */
interface Step {
  readonly of: TreeMember;
  readonly turns: number;
  readonly branch: TreeMember | null;
}

/** The versions of a turn: the id of the member that owns a version, and the last active conversation that has it. */
type Versions = Map<number, TreeMember>;

export function turnVersions(members: readonly TreeMember[], asked: number): TurnVersions[] {
  const byId = new Map(members.map((member) => [member.id, member]));
  const self = byId.get(asked);
  if (self === undefined) return [];
  const points = new Map<number, { readonly of: TreeMember; readonly own: number; readonly versions: Versions }>();
  const path = stepsTo(self, byId);
  for (const member of members) {
    const step = member.parent === null ? undefined : stepsTo(member, byId)[1];
    const passed = path.find(({ of }) => of.id === step?.of.id);
    if (step === undefined || passed === undefined || step.turns > passed.turns) continue;
    if (step.turns >= self.turns) continue;
    const own = step.turns === passed.turns && passed.branch !== null ? passed.branch.id : passed.of.id;
    points.set(step.turns, { of: step.of, own, versions: new Map() });
  }
  for (const member of members)
    if (member.name !== null)
      for (const { of, turns, branch } of stepsTo(member, byId))
        for (const [shared, point] of points) {
          if (point.of !== of || shared > turns || shared >= member.turns) continue;
          offer(point.versions, shared === turns && branch !== null ? branch.id : of.id, member, asked);
        }
  return [...points]
    .sort(([a], [b]) => a - b)
    .map(([shared, { own, versions }]) => {
      const ids = [...versions.keys()].sort((a, b) => a - b);
      return {
        turn: shared + 1,
        conversations: ids.map((id) => versions.get(id)?.name ?? ""),
        current: ids.indexOf(own),
      };
    })
    .filter(({ conversations, current }) => conversations.length > 1 && current >= 0);
}

/** Adds a conversation to a version. The asking conversation is preferred, otherwise the last active one. */
function offer(versions: Versions, version: number, member: TreeMember, asked: number): void {
  const known = versions.get(version);
  if (known?.id === asked) return;
  if (known === undefined || member.id === asked || member.activeAt >= known.activeAt) versions.set(version, member);
}

/** The steps from the member itself, with all its turns, up to the first conversation of the tree. */
function stepsTo(member: TreeMember, byId: ReadonlyMap<number, TreeMember>): Step[] {
  const steps: Step[] = [{ of: member, turns: Number.POSITIVE_INFINITY, branch: null }];
  for (let branch = member; ; ) {
    let of = parentOf(branch, byId);
    if (of === undefined) return steps;
    // A branch that was cut before its parent's first own turn shares no turns with it, so the parent is skipped.
    for (let next = parentOf(of, byId); next !== undefined && of.sharedTurns >= branch.sharedTurns; ) {
      of = next;
      next = parentOf(of, byId);
    }
    steps.push({ of, turns: branch.sharedTurns, branch });
    branch = of;
  }
}

function parentOf({ parent }: TreeMember, byId: ReadonlyMap<number, TreeMember>): TreeMember | undefined {
  return parent === null ? undefined : byId.get(parent);
}
