/** The tree of branches below the chart, and a choice of the version for each turn with several versions. */
import type { ModelRequest } from "@cairn/api";
import { useMemo, useRef } from "react";
import { useApp } from "../../state/app-state.ts";
import { useVersionNames } from "../../state/version-names.ts";
import { showTurns } from "../../text/shown-directions.ts";
import { goTo } from "../data/place.ts";
import { SelectField } from "../parts/fields.tsx";
import { type Fork, forksOf, TREE_HEIGHT, treePaths, withoutRemoved } from "./branch-tree.ts";
import { useWidth } from "./use-width.ts";

export interface BranchTreeViewProps {
  readonly conversationId: string;
  readonly requests: readonly ModelRequest[];
}

const NONE: readonly never[] = [];

export function BranchTreeView({ conversationId, requests }: BranchTreeViewProps) {
  const versions = useApp(({ session }) => (session?.id === conversationId ? session.versions : NONE));
  // The turns are read only for conversations with versions, because they change with every piece of an answer.
  const turns = useApp(({ session }) => (versions.length === 0 ? NONE : (session?.view.turns ?? NONE)));
  const removed = useApp((state) => state.removed);
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const forks = useMemo(
    () => forksOf(requests, versions, turns).flatMap((fork) => withoutRemoved(fork, removed)),
    [requests, versions, turns, removed],
  );
  const paths = useMemo(() => treePaths(forks, requests.length, width), [forks, requests.length, width]);
  return (
    <div ref={frame} className={forks.length === 0 ? "hidden" : "flex flex-col gap-1"}>
      <svg aria-hidden="true" width={width} height={TREE_HEIGHT} className="block overflow-visible">
        <path d={paths.trunk} className="fill-none stroke-accent stroke-[1.5]" />
        <path d={paths.branches} data-tree="branches" className="fill-none stroke-line-strong stroke-[1.5]" />
        <path d={paths.ends} className="fill-[var(--line-strong)]" />
      </svg>
      <ul aria-label="Branches" className="flex max-h-24 flex-wrap gap-x-4 gap-y-1 overflow-y-auto text-xs text-soft">
        {forks.map((fork) => (
          <ForkItem key={fork.turn} fork={fork} />
        ))}
      </ul>
    </div>
  );
}

function ForkItem({ fork: { turn, conversations, current } }: { readonly fork: Fork }) {
  const nameOf = useVersionNames(turn);
  const describe = (id: string, nth: number) => {
    const name = nameOf(id);
    return `version ${nth + 1} of ${conversations.length}${name === null ? "" : `: ${showTurns(name)}`}`;
  };
  return (
    <li className="flex items-center gap-1.5">
      Turn {turn}
      <SelectField
        label={`Version of turn ${turn}`}
        value={conversations[current] ?? ""}
        options={conversations.map((id, nth) => [id, describe(id, nth)] as const)}
        onChange={(id) => goTo(id, { tab: "requests", n: null, compareWith: null })}
      />
    </li>
  );
}
