/** One block: its type, its place, what the model sees of it, its whole text, and its meta data. */
import type { Block } from "@cairn/api";
import { useCallback } from "react";
import { listRequests } from "../../api/client.ts";
import { useTurnName } from "../../state/turn-name.ts";
import { formatCount } from "../../text/format-count.ts";
import { Banner } from "../../ui/banner.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { getBlock, readAt } from "../data/inspector-api.ts";
import { NO_FILTERS } from "../data/place.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { Problem, Waiting } from "../parts/states.tsx";
import { Tag, toneOf } from "../parts/tag.tsx";
import { TextBox } from "../parts/text-box.tsx";

export interface BlockDetailsProps {
  readonly conversationId: string;
  readonly position: number;
  readonly seq: number;
}

const STATES: Readonly<Record<Exclude<Block["state"], "visible">, string>> = {
  clipped:
    "This block is larger than its share of the window. The model sees its beginning and can read the rest by its path.",
  hidden: "The agent hid this block. The model sees the replacement, or nothing.",
  pruned: "The runtime pruned this block. The model sees the replacement, or nothing.",
  compacted: "A summary replaced this block. The model can still read it by its path.",
};

export function BlockDetails({ conversationId, position, seq }: BlockDetailsProps) {
  const load = useCallback(
    async (signal: AbortSignal) => ({ block: await getBlock(conversationId, position, { signal }) }),
    [conversationId, position],
  );
  const { value, problem, isLoading, reload } = useLoaded(conversationId, String(position), load, seq);
  if (problem !== null && (value === null || isLoading))
    return <Problem title="The block could not be loaded" problem={problem} onRetry={reload} />;
  if (value === null || isLoading) return <Waiting label={`Loading block ${position}`} />;
  const { block } = value;
  if (block === null)
    return <EmptyState title={`There is no block ${position}`}>The timeline has fewer blocks.</EmptyState>;
  return <Details conversationId={conversationId} block={block} />;
}

function Details({ conversationId, block }: { readonly conversationId: string; readonly block: Block }) {
  const { position, type, path, turn_id, state, replacement } = block;
  const turnTitle = useTurnName(turn_id);
  return (
    <div className="flex flex-col gap-4 p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono text-base font-semibold [overflow-wrap:anywhere]">{type}</h2>
        <Tag tone={toneOf(state)}>{state}</Tag>
      </header>
      <DetailList>
        <Detail name="Position">{position}</Detail>
        <Detail name="Event">seq {block.seq}</Detail>
        <Detail name="Turn">
          {turn_id === null ? null : (
            <InspectorLink
              conversationId={conversationId}
              to={{ tab: "blocks", position: null, filters: { ...NO_FILTERS, turn: turn_id } }}
            >
              {turnTitle}
            </InspectorLink>
          )}
        </Detail>
        <Detail name="Path">
          {path === null ? null : (
            <InspectorLink conversationId={conversationId} to={{ tab: "path", path }}>
              {path}
            </InspectorLink>
          )}
        </Detail>
        <Detail name="Version">{block.version === 0 ? null : block.version}</Detail>
        <Detail name="Media type">{block.mime}</Detail>
        <Detail name="Tokens">{formatCount(block.tokens)}</Detail>
        <Detail name="Lines shown">{block.shown_lines === null ? null : formatCount(block.shown_lines)}</Detail>
        <Detail name="First request after it">
          <FirstRequest conversationId={conversationId} seq={block.seq} />
        </Detail>
      </DetailList>
      {state === "visible" ? null : <Banner tone="ochre">{STATES[state]}</Banner>}
      {replacement === null ? null : (
        <section aria-label="Replacement" className="flex flex-col gap-1">
          <h3 className="text-xs font-medium text-soft">What the model sees instead</h3>
          <TextBox name="Replacement" text={replacement} />
        </section>
      )}
      <section aria-label="Text" className="flex flex-col gap-1">
        <h3 className="text-xs font-medium text-soft">Text</h3>
        <WholeText conversationId={conversationId} block={block} />
      </section>
      {Object.keys(block.meta).length === 0 ? null : (
        <section aria-label="Meta" className="flex flex-col gap-1">
          <h3 className="text-xs font-medium text-soft">Meta</h3>
          <TextBox name="Meta" text={JSON.stringify(block.meta, null, 2)} language="json" />
        </section>
      )}
    </div>
  );
}

/** Of a long text, only the beginning is sent. Its path returns the whole text, unless a later version replaced it. */
function WholeText({ conversationId, block }: { readonly conversationId: string; readonly block: Block }) {
  const { path, cut, version, text, mime } = block;
  const wanted = cut && path !== null ? (version > 0 ? `${path}@v${version}` : path) : null;
  const load = useCallback(
    (signal: AbortSignal) => (wanted === null ? Promise.resolve(null) : readAt(conversationId, wanted, { signal })),
    [conversationId, wanted],
  );
  const { value } = useLoaded(conversationId, wanted ?? "", load);
  if (text === null || text === "") return <p className="text-xs text-faint">This block has no text.</p>;
  const whole = value?.text ?? text;
  const isJson = mime === "application/json" || /^\s*[{[]/.test(whole);
  return (
    <>
      <TextBox name="Text" text={whole} language={isJson ? "json" : ""} isTall />
      {cut && value?.text === undefined ? <p className="text-xs text-faint">Cut off here.</p> : null}
    </>
  );
}

/** The first request that could show a block: the request with the first receipt after the block. */
function FirstRequest({ conversationId, seq }: { readonly conversationId: string; readonly seq: number }) {
  const load = useCallback((signal: AbortSignal) => listRequests(conversationId, { signal }), [conversationId]);
  const { value } = useLoaded(conversationId, "requests", load, seq);
  const first = value?.find((request) => request.seq > seq && request.purpose === "decision");
  if (value === null) return null;
  if (first === undefined) return "not yet";
  return (
    <InspectorLink conversationId={conversationId} to={{ tab: "requests", n: first.n, compareWith: null }}>
      Request {first.n}
    </InspectorLink>
  );
}
