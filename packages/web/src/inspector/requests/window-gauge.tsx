/** A gauge of the model's window. It shows how much the request filled, by part and by tool, and how much was free. */
import type { RequestDetail } from "@cairn/api";
import { useMemo } from "react";
import { formatCount, formatShare } from "../../text/format-count.ts";
import { toolSizes, usedTokens, windowParts } from "./window-parts.ts";

export interface WindowGaugeProps {
  readonly detail: RequestDetail;
  readonly window: NonNullable<RequestDetail["window"]>;
}

export function WindowGauge({ detail, window }: WindowGaugeProps) {
  const { tokens } = detail.request;
  const parts = windowParts(tokens, window);
  const used = usedTokens(tokens);
  const whole = Math.max(1, window.tokens, used);
  return (
    <section aria-label="Window" className="flex min-w-0 flex-col gap-1.5">
      <h3 className="flex flex-wrap items-baseline gap-1.5 text-xs">
        <span className="text-soft">Context window</span>
        <span className="font-semibold tabular-nums">{formatCount(window.tokens)}</span>
        <span className="text-faint">tokens, {formatShare(used / whole)} used</span>
      </h3>
      <meter
        className="sr-only"
        aria-label="Context window"
        max={whole}
        value={used}
        aria-valuetext={`${formatCount(used)} of ${formatCount(window.tokens)} tokens used`}
      />
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full bg-sunken">
        {parts
          .filter((each) => each.tokens > 0)
          .map((each) => (
            <span
              key={each.part}
              data-part={each.part}
              className="bg-[var(--part)]"
              style={{ width: `${(each.tokens / whole) * 100}%` }}
            />
          ))}
      </div>
      <dl className="flex flex-wrap gap-x-3 gap-y-0.5 text-2xs">
        {parts.map((each) => (
          <div key={each.part} className="flex items-center gap-1">
            <span aria-hidden="true" data-part={each.part} className="size-2 rounded-[3px] bg-[var(--part)]" />
            <dt className="text-faint">{each.name}</dt>
            <dd className="text-soft tabular-nums">{formatCount(each.tokens)}</dd>
          </div>
        ))}
      </dl>
      <ToolsByName tools={detail.tools} />
    </section>
  );
}

function ToolsByName({ tools }: { readonly tools: RequestDetail["tools"] }) {
  const sizes = useMemo(() => toolSizes(tools), [tools]);
  const most = sizes[0]?.tokens ?? 0;
  if (most === 0) return null;
  return (
    <details className="text-2xs">
      <summary className="cursor-pointer text-soft hover:text-ink">Tools by name</summary>
      <ul aria-label="Tools by name" className="grid gap-x-6 pt-1 @xl:grid-cols-2">
        {sizes.map(({ name, tokens }) => (
          <li key={name} className="flex items-center gap-2 py-0.5">
            <span className="min-w-0 flex-1 truncate font-mono">{name}</span>
            <span aria-hidden="true" className="h-1.5 w-16 overflow-hidden rounded-full bg-sunken">
              <span
                data-part="tools"
                className="block h-full bg-[var(--part)]"
                style={{ width: `${(tokens / most) * 100}%` }}
              />
            </span>
            <span className="w-12 text-right tabular-nums">{formatCount(tokens)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
