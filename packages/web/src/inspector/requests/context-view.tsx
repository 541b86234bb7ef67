/**
 * Everything that was sent to the model, in order. Only visible rows are rendered, because a request may have thousands
 * of messages. The list scrolls with the page. Open rows stay open when another request is chosen.
 */
import type { RequestDetail } from "@cairn/api";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { plural } from "../../text/format-count.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Choice } from "../parts/choice.tsx";
import { SearchField, SelectField } from "../parts/fields.tsx";
import { PlacedRow } from "../parts/placed-row.tsx";
import { ContextRowView } from "./context-row-view.tsx";
import {
  type BarMeasure,
  CONTEXT_FILTERS,
  type ContextFilter,
  type ContextRow,
  contextRows,
  filterRows,
} from "./context-rows.ts";

export interface ContextViewProps {
  readonly conversationId: string;
  readonly detail: RequestDetail;
  readonly scroller: RefObject<HTMLElement | null>;
  /** The message to scroll to, or null. */
  readonly jumpTo: number | null;
  readonly onJumped: () => void;
}

const BARS: Readonly<Record<BarMeasure, string>> = { tokens: "Tokens", cost: "Cost" };
/** Height of the fixed toolbar above the rows, in pixels. */
const TOOLBAR = 96;

export function ContextView({ conversationId, detail, scroller, jumpTo, onJumped }: ContextViewProps) {
  const [filter, setFilter] = useState<ContextFilter>("all");
  const [words, setWords] = useState("");
  const [measure, setMeasure] = useState<BarMeasure>("tokens");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const margin = useOffset(list, scroller);
  const all = useMemo(() => contextRows(detail), [detail]);
  const rows = useMemo(() => filterRows(all, filter, words), [all, filter, words]);
  const most = useMemo(() => largest(detail, measure), [detail, measure]);
  const copied = useMemo(() => wholeText(detail), [detail]);
  const toggle = useCallback(
    (key: string) =>
      setOpen((keys) => new Set(keys.has(key) ? [...keys].filter((each) => each !== key) : [...keys, key])),
    [],
  );

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => guessHeight(rows[index]),
    overscan: 5,
    scrollMargin: margin,
    scrollPaddingStart: TOOLBAR,
    paddingEnd: 40,
  });

  useEffect(() => {
    if (jumpTo === null) return;
    const index = rows.findIndex((row) => row.kind === "message" && row.message.index === jumpTo);
    if (index >= 0) {
      virtualizer.scrollToIndex(index, { align: "start" });
      setOpen((keys) => new Set([...keys, `message ${jumpTo}`]));
    }
    onJumped();
  }, [jumpTo, rows, virtualizer, onJumped]);

  const messages = detail.messages.length;
  const found = rows.filter(({ kind }) => kind !== "checkpoint" && kind !== "tail").length;
  return (
    <section aria-label="What the model was sent">
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border-b border-line bg-paper px-4 py-2">
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">
          What the model was sent{" "}
          <span className="font-normal text-faint" role="status">
            {rows === all ? plural(messages, "message") : `${plural(found, "part")} found`}
          </span>
        </h2>
        <Choice label="Bars of messages show" options={BARS} value={measure} onChoose={setMeasure} />
        <CopyButton text={copied} label="Copy the whole context" />
        <span className="basis-full" />
        <SearchField label="Search in the context" value={words} onChange={setWords} />
        <SelectField
          label="Show"
          value={filter}
          options={Object.entries(CONTEXT_FILTERS)}
          onChange={(value) =>
            setFilter((Object.keys(CONTEXT_FILTERS) as ContextFilter[]).find((each) => each === value) ?? "all")
          }
        />
      </div>
      <div ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <PlacedRow key={key} index={index} top={start - margin} measure={virtualizer.measureElement}>
              <ContextRowView
                conversationId={conversationId}
                row={row}
                words={words}
                measure={measure}
                most={most}
                isOpen={open.has(row.key)}
                onToggle={toggle}
              />
            </PlacedRow>
          );
        })}
      </div>
      {rows.length === 0 ? <p className="p-8 text-center text-sm text-faint">No message matches the filter.</p> : null}
    </section>
  );
}

function guessHeight(row: ContextRow | undefined): number {
  switch (row?.kind) {
    case "checkpoint":
      return 28;
    case "tail":
    case "unseen":
      return 36;
    default:
      return 74;
  }
}

function largest({ messages, tools, system }: RequestDetail, measure: BarMeasure): number {
  const sizes = messages.map((message) => message[measure]);
  const fixed = measure === "tokens" ? [tools.tokens, system.tokens] : [];
  return [...sizes, ...fixed].reduce((most, size) => Math.max(most, size), 0);
}

function wholeText({ tools, system, messages }: RequestDetail): string {
  return [tools.json, system.text, ...messages.map(({ text }) => text)].join("\n\n");
}

/** The distance of the list from the top of the scrolled page. */
function useOffset(list: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const [inner, outer] = [list.current, scroller.current];
      if (inner === null || outer === null) return;
      const top = inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
      setOffset(Math.round(top));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of scroller.current?.children ?? []) observer.observe(child);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [list, scroller]);
  return offset;
}
