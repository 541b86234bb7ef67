/** Why the cache broke at a request: the cause, the first difference, and the text before and after. */
import type { ModelRequest, RequestDetail } from "@cairn/api";
import { Snowflake, TriangleAlert, Unlink } from "lucide-react";
import { useCallback, useMemo } from "react";
import { changedLines } from "../../files/changed-lines.ts";
import { ChangedText } from "../../files/changed-text.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { getRequest } from "../data/inspector-api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { spreadJson } from "../parts/spread-json.ts";
import { Tag } from "../parts/tag.tsx";
import { type BreakKind, breakOf, isAlarming } from "./cache-break.ts";

export interface BreakNoteProps {
  readonly conversationId: string;
  readonly request: ModelRequest;
  readonly previous: number | null;
  /** The rebuilt request; null until it is loaded. */
  readonly detail: RequestDetail | null;
  /** Scrolls to a message of the context. */
  readonly onJump: (index: number) => void;
}

const KINDS: Readonly<Record<BreakKind, string>> = {
  cold: "cold",
  declared: "declared",
  short: "not explained",
  undeclared: "not declared",
};

export function BreakNote({ conversationId, request, previous, detail, onJump }: BreakNoteProps) {
  const found = breakOf(request);
  const { miss } = request;
  if (found === null) return null;
  const tone = isAlarming(found) ? "danger" : "ochre";
  const Icon = tone === "danger" ? TriangleAlert : found.kind === "cold" ? Snowflake : Unlink;
  return (
    <section
      aria-label="Why the cache broke"
      className={cx(
        "flex flex-col gap-2 rounded-stone border-l-4 bg-surface px-3 py-2.5 shadow-[0_0_0_1px_var(--line)]",
        tone === "danger" ? "border-danger" : "border-ochre",
      )}
    >
      <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        <Icon className={cx("size-4", tone === "danger" ? "text-danger" : "text-ochre")} aria-hidden="true" />
        {found.title}
        <Tag tone={tone}>{KINDS[found.kind]}</Tag>
      </h3>
      <p className="text-xs text-soft [overflow-wrap:anywhere]">{found.detail}</p>
      {found.also.length === 0 ? null : (
        <ul aria-label="Other causes" className="flex flex-col gap-1 text-xs text-soft [overflow-wrap:anywhere]">
          {found.also.map((cause) => (
            <li key={`${cause.title} ${cause.detail}`}>
              <span className="font-medium text-ink">Also: {cause.title}.</span> {cause.detail}
            </li>
          ))}
        </ul>
      )}
      {miss === null || previous === null || detail === null ? null : (
        <BeforeAfter conversationId={conversationId} miss={miss} previous={previous} detail={detail} />
      )}
      {miss === null ? null : (
        <div className="flex flex-wrap items-center gap-2 text-xs">
          {miss.part === "block" ? (
            <Button size="small" onClick={() => onJump(miss.index)}>
              Go to message #{miss.index}
            </Button>
          ) : null}
          {miss.path === null || miss.part !== "block" ? null : (
            <span className="min-w-0 truncate font-mono text-2xs text-faint">{miss.path}</span>
          )}
          {previous === null ? null : (
            <InspectorLink
              conversationId={conversationId}
              to={{ tab: "requests", n: request.n, compareWith: previous }}
            >
              Everything that changed
            </InspectorLink>
          )}
        </div>
      )}
    </section>
  );
}

interface BeforeAfterProps {
  readonly conversationId: string;
  readonly miss: NonNullable<ModelRequest["miss"]>;
  readonly previous: number;
  readonly detail: RequestDetail;
}

/** The first part that differs, in the form that it has in each request. */
function BeforeAfter({ conversationId, miss, previous, detail }: BeforeAfterProps) {
  const load = useCallback(
    (signal: AbortSignal) => getRequest(conversationId, previous, { signal }),
    [conversationId, previous],
  );
  const { value: earlier, isLoading } = useLoaded(conversationId, String(previous), load);
  const lines = useMemo(
    () => (earlier === null || isLoading ? null : changedLines(textAt(earlier, miss), textAt(detail, miss))),
    [earlier, isLoading, detail, miss],
  );
  if (lines === null) return null;
  if (lines.length === 0)
    return (
      <p className="text-xs text-soft">
        The rebuilt block is the same in both requests. The bytes that were sent in its place are not stored, only their
        hash.
      </p>
    );
  return (
    <ChangedText
      label="Before and after"
      lines={lines}
      className="max-h-52 rounded-lg bg-sunken py-1.5 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
    />
  );
}

function textAt({ tools, system, messages }: RequestDetail, { part, index }: BeforeAfterProps["miss"]): string {
  if (part === "tools") return spreadJson(tools.json);
  return part === "system" ? system.text : (messages[index]?.text ?? "");
}
