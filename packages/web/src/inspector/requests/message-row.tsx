/** A message of a request, with its block and, if it is covered, its original. */
import type { ModelMessage } from "@cairn/api";
import { useCallback } from "react";
import { formatCost } from "../../text/format-count.ts";
import { readAt } from "../data/inspector-api.ts";
import { NO_FILTERS } from "../data/place.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { Tag } from "../parts/tag.tsx";
import { TextBox } from "../parts/text-box.tsx";
import type { BarMeasure } from "./context-rows.ts";
import { PartRow } from "./part-row.tsx";

export interface MessageRowProps {
  readonly conversationId: string;
  readonly message: ModelMessage;
  readonly words: string;
  readonly measure: BarMeasure;
  readonly most: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

const WHO: Readonly<Record<string, string>> = {
  agent: "hidden by the agent",
  ttl: "pruned by age",
  policy: "pruned to save cost",
  clip: "clipped to its share of the window",
  compaction: "summary",
};

export function MessageRow({ conversationId, message, words, measure, most, isOpen, onToggle }: MessageRowProps) {
  const { index, type, part, text, paths, overlay, tokens, cost, cache } = message;
  const path = paths[0] ?? null;
  return (
    <PartRow
      number={`#${index}`}
      label={type ?? (part === "tail" ? tailName(text) : message.kind)}
      path={path}
      tag={overlay === null ? null : <Tag tone="ochre">{WHO[overlay.by] ?? overlay.state}</Tag>}
      text={text}
      words={words}
      tokens={tokens}
      {...(measure === "cost" ? { figure: formatCost(cost) } : {})}
      size={message[measure]}
      most={most}
      fate={cache}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      {isOpen ? <Origin conversationId={conversationId} message={message} words={words} /> : null}
    </PartRow>
  );
}

/** The name in the header of the tail: `SOURCES`, `ANNOUNCE`. */
function tailName(text: string): string {
  return /\[([A-Z][A-Z ]*)/.exec(text)?.[1]?.trim().toLowerCase() ?? "tail";
}

type OriginProps = Pick<MessageRowProps, "conversationId" | "message" | "words">;

function Origin({ conversationId, message, words }: OriginProps) {
  const { positions, paths, overlay, hash } = message;
  return (
    <>
      {overlay === null || overlay.state === "compacted" ? null : (
        <Original conversationId={conversationId} overlay={overlay} words={words} />
      )}
      {overlay?.turns === undefined ? null : (
        <p className="text-xs text-soft">
          It stands for{" "}
          {overlay.turns.length === 0 ? (
            <InspectorLink
              conversationId={conversationId}
              to={{ tab: "blocks", position: null, filters: { ...NO_FILTERS, state: "compacted" } }}
              className="underline"
            >
              blocks of the turn before
            </InspectorLink>
          ) : (
            overlay.turns.map((turn, at) => (
              <span key={turn}>
                {at === 0 ? "" : ", "}
                <InspectorLink
                  conversationId={conversationId}
                  to={{ tab: "blocks", position: null, filters: { ...NO_FILTERS, turn } }}
                  className="font-mono underline"
                >
                  {turn}
                </InspectorLink>
              </span>
            ))
          )}
          .
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-2xs text-faint">
        {positions.map((position) => (
          <InspectorLink
            key={position}
            conversationId={conversationId}
            to={{ tab: "blocks", position, filters: NO_FILTERS }}
          >
            Block {position}
          </InspectorLink>
        ))}
        {paths.map((path) => (
          <InspectorLink
            key={path}
            conversationId={conversationId}
            to={{ tab: "path", path }}
            className="font-mono [overflow-wrap:anywhere]"
          >
            {path}
          </InspectorLink>
        ))}
        <span className="font-mono" title={hash}>
          {hash.slice(0, 12)}
        </span>
      </p>
    </>
  );
}

interface OriginalProps {
  readonly conversationId: string;
  readonly overlay: NonNullable<ModelMessage["overlay"]>;
  readonly words: string;
}

/** The original content of a hidden block. It is loaded by its path if the message has only its beginning. */
function Original({ conversationId, overlay, words }: OriginalProps) {
  const { path, original_text: sent = "" } = overlay;
  const load = useCallback(
    (signal: AbortSignal) => (path === null ? Promise.resolve(null) : readAt(conversationId, path, { signal })),
    [conversationId, path],
  );
  const { value } = useLoaded(conversationId, path ?? "", load);
  const whole =
    value?.text?.startsWith(sent.slice(0, 200)) === true && value.text.length > sent.length ? value.text : sent;
  return (
    <section aria-label="Original" className="flex flex-col gap-1">
      <h3 className="text-xs font-medium text-ochre">
        {overlay.state === "clipped" ? "Full text" : "Original content"}
      </h3>
      {whole === "" ? (
        <p className="text-xs text-faint">A file without text. Open its path to see it.</p>
      ) : (
        <TextBox name="Original text" text={whole} words={words} />
      )}
    </section>
  );
}
