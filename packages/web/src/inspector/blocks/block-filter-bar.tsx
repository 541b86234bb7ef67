/** Filters for the list of blocks. They are part of the address, so that it can be shared. */
import { BLOCK_STATES } from "@cairn/api";
import { KINDS, type TurnView } from "@cairn/timeline";
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp } from "../../state/app-state.ts";
import { turnName } from "../../state/turn-name.ts";
import { IconButton } from "../../ui/button.tsx";
import { type BlockFilters, goTo, NO_FILTERS } from "../data/place.ts";
import { SearchField, SelectField } from "../parts/fields.tsx";

export interface BlockFilterBarProps {
  readonly conversationId: string;
  readonly position: number | null;
  readonly filters: BlockFilters;
}

const TYPING_MS = 250;

export function BlockFilterBar({ conversationId, position, filters }: BlockFilterBarProps) {
  const latest = useRef({ filters, position });
  latest.current = { filters, position };
  const change = (changes: Partial<BlockFilters>) => {
    const next = { ...latest.current.filters, ...changes };
    goTo(conversationId, { tab: "blocks", position: latest.current.position, filters: next }, { replace: true });
  };
  const [words, setWords] = useWords(filters.q, (q) => change({ q }));
  const turns = useApp(({ session }) => session?.view.turns ?? NONE);
  const types: [string, string][] = [["", "Any type"], ...KINDS.map(({ type }): [string, string] => [type, type])];
  if (filters.type !== "" && !types.some(([type]) => type === filters.type)) types.push([filters.type, filters.type]);
  const turnNames = turns.map((turn): [string, string] => [turn.turn_id, turnName(turn)]);
  if (filters.turn !== "" && !turns.some(({ turn_id }) => turn_id === filters.turn))
    turnNames.push([filters.turn, filters.turn]);
  const isNarrowed = [filters.type, filters.turn, filters.state, filters.q].some((value) => value !== "");
  return (
    <search aria-label="Blocks" className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <SearchField label="Search the blocks" value={words} onChange={setWords} />
      <SelectField label="Type" value={filters.type} options={types} onChange={(type) => change({ type })} />
      <SelectField
        label="Turn"
        value={filters.turn}
        options={[["", "Any turn"], ...turnNames]}
        onChange={(turn) => change({ turn })}
      />
      <SelectField
        label="State"
        value={filters.state}
        options={[["", "Any state"], ...BLOCK_STATES.map((state): [string, string] => [state, state])]}
        onChange={(value) => change({ state: BLOCK_STATES.find((state) => state === value) ?? "" })}
      />
      <SelectField
        label="Order"
        value={filters.order}
        options={[
          ["oldest", "Oldest first"],
          ["newest", "Newest first"],
        ]}
        onChange={(value) => change({ order: value === "newest" ? "newest" : "oldest" })}
      />
      {isNarrowed ? (
        <IconButton
          label="Show all blocks"
          size="small"
          onClick={() => {
            setWords("");
            change({ ...NO_FILTERS, order: filters.order });
          }}
        >
          <X />
        </IconButton>
      ) : null}
    </search>
  );
}

const NONE: readonly TurnView[] = [];

/** The words in the field. They are applied when typing pauses, and replaced by words from the address. */
function useWords(given: string, tell: (words: string) => void): readonly [string, (words: string) => void] {
  const [words, setWords] = useState(given);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const told = useRef(given);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (given === told.current) return;
    told.current = given;
    setWords(given);
  }, [given]);
  const type = (text: string) => {
    setWords(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      told.current = text;
      tell(text);
    }, TYPING_MS);
  };
  return [words, type];
}
