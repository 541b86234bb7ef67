/** The numbers of one request: sent, billed and predicted, and whether the rebuilt text matches. */
import type { ModelRequest, RequestDetail } from "@cairn/api";
import { ArrowLeftRight, Binary, CircleAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "../../route/link.tsx";
import { useTurnName } from "../../state/turn-name.ts";
import { formatCost, formatCount, plural } from "../../text/format-count.ts";
import { formatBytes } from "../../text/format-time.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { NO_FILTERS, routeTo } from "../data/place.ts";
import { Composition } from "../parts/composition.tsx";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { Tag } from "../parts/tag.tsx";
import { describeCause } from "./cache-break.ts";
import { describeTiming } from "./turn-waterfall.ts";
import { WindowGauge } from "./window-gauge.tsx";

export interface RequestSummaryProps {
  readonly conversationId: string;
  readonly request: ModelRequest;
  /** The rebuilt request; null until it is loaded. */
  readonly detail: RequestDetail | null;
  readonly previous: number | null;
  readonly onWire: () => void;
}

export function RequestSummary({ conversationId, request, detail, previous, onWire }: RequestSummaryProps) {
  const { tokens, usage } = request;
  return (
    <>
      <div className="grid gap-x-6 gap-y-3 @xl:grid-cols-2">
        <Composition
          title="Sent"
          note="tokens, estimated"
          parts={[
            { part: "tools", name: "tools", value: tokens.tools },
            { part: "system", name: "system", value: tokens.system },
            { part: "stable", name: "stable", value: tokens.stable },
            { part: "tail", name: "tail", value: tokens.tail },
          ]}
        />
        {request.is_billed ? (
          <Composition
            title="Billed"
            note={request.cost === 0 ? "tokens" : `tokens, ${formatCost(request.cost)}`}
            parts={[
              { part: "read", name: "read", value: usage.cache_read_tokens },
              { part: "written", name: "written", value: usage.cache_write_tokens },
              { part: "plain", name: "uncached", value: usage.input_tokens },
              { part: "output", name: "output", value: usage.output_tokens },
            ]}
          />
        ) : (
          <Banner tone="ochre" icon={<CircleAlert />}>
            The answer was interrupted, so the provider reported no cost.
          </Banner>
        )}
      </div>
      {detail?.window == null ? null : <WindowGauge detail={detail} window={detail.window} />}
      <Facts conversationId={conversationId} request={request} />
      <div className="flex flex-col gap-2 @lg:flex-row @lg:items-center">
        <div className="min-w-0 flex-1">
          <Verified detail={detail} />
        </div>
        <div className="flex items-center gap-2">
          {previous === null ? null : (
            <Link
              to={routeTo(conversationId, { tab: "requests", n: request.n, compareWith: previous })}
              className="inline-flex h-7 items-center gap-1.5 rounded-lg border border-line bg-surface px-2.5 text-xs font-medium hover:border-line-strong hover:bg-hover pointer-coarse:h-9"
            >
              <ArrowLeftRight className="size-3.5" aria-hidden="true" /> Compare with {previous}
            </Link>
          )}
          <Button
            size="small"
            icon={<Binary className="size-3.5" />}
            disabled={request.sent_bytes === null}
            onClick={onWire}
          >
            {request.sent_bytes === null ? "No body" : `Wire, ${formatBytes(request.sent_bytes)}`}
          </Button>
        </div>
      </div>
    </>
  );
}

function Facts({ conversationId, request }: { readonly conversationId: string; readonly request: ModelRequest }) {
  const { predicted_read, usage, is_billed, resets, checkpoints, turn_id } = request;
  const turnTitle = useTurnName(turn_id);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs @xl:grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)]">
      <Fact name="Model">
        <span className="font-mono">{request.model ?? "unknown"}</span>
      </Fact>
      <Fact name="Started">{new Date(request.started_at).toLocaleString("en-GB")}</Fact>
      <Fact name="Duration">{describeTiming(request)}</Fact>
      <Fact name="Turn">
        {turn_id === null ? (
          "none"
        ) : (
          <InspectorLink
            conversationId={conversationId}
            to={{ tab: "blocks", position: null, filters: { ...NO_FILTERS, turn: turn_id } }}
            className="underline"
          >
            {turnTitle}
          </InspectorLink>
        )}
        {request.purpose === "summary" ? " for the prose of a summary" : ""}
        {request.purpose === "continuation" ? " for the rest of an answer" : ""}
      </Fact>
      <Fact name="Cache read">
        {predicted_read === null ? "no prediction" : `${formatCount(predicted_read)} predicted`}
        {is_billed ? `, ${formatCount(usage.cache_read_tokens)} billed` : ""}
      </Fact>
      <Fact name="Checkpoints">
        {checkpoints.length === 0 ? "none" : `after ${checkpoints.map((index) => `#${index}`).join(", ")}`}
      </Fact>
      <Fact name="Declared">
        {resets.length === 0 ? (
          "nothing"
        ) : (
          <span className="flex flex-wrap gap-1">
            {resets.map(({ cause, blocks }) => (
              <Tag key={cause} tone="ochre">
                {describeCause(cause)}
                {blocks === undefined ? "" : `: ${plural(blocks, "block")}`}
              </Tag>
            ))}
          </span>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere] tabular-nums">{children}</dd>
    </>
  );
}

/** Each request is rendered again from the journal. Hashes show whether the result equals what was sent. */
function Verified({ detail }: { readonly detail: RequestDetail | null }) {
  if (detail === null) return <span className="text-xs text-faint">Rebuilding…</span>;
  const { ok, differences } = detail.verified;
  if (ok)
    return (
      <span className="inline-flex items-center gap-1.5 text-xs text-soft">
        <ShieldCheck className="size-4 text-accent" aria-hidden="true" /> Rebuilt; every hash matches
      </span>
    );
  return (
    <Banner tone="danger" icon={<CircleAlert />}>
      The text below differs from what was sent. {differences.join(" ")}
    </Banner>
  );
}
