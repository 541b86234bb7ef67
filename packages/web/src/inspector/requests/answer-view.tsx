/** Shows the model's answer to a request: its reasoning, notes and calls, or its text. */
import type { AnswerPart } from "@cairn/api";
import { useState } from "react";
import { plural } from "../../text/format-count.ts";
import { NO_FILTERS } from "../data/place.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { spreadJson } from "../parts/spread-json.ts";
import { answerRows } from "./answer-rows.ts";
import { PartRow } from "./part-row.tsx";

export interface AnswerViewProps {
  readonly conversationId: string;
  readonly parts: readonly AnswerPart[];
  /** Whether the answer is complete and was not interrupted. */
  readonly isComplete: boolean;
}

export function AnswerView({ conversationId, parts, isComplete }: AnswerViewProps) {
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const toggle = (position: number) =>
    setToggled((before) =>
      before.has(position) ? new Set([...before].filter((each) => each !== position)) : new Set([...before, position]),
    );
  const rows = answerRows(parts);
  const most = Math.max(0, ...parts.map(({ tokens }) => tokens));
  return (
    <section aria-label="What the model answered" className="min-w-0 border-b border-line pb-2 @4xl:border-b-0">
      <h2 className="px-4 py-2 text-sm font-semibold">
        What the model answered{" "}
        <span className="font-normal text-faint">{rows.length === 0 ? "" : plural(rows.length, "part")}</span>
      </h2>
      {rows.length === 0 ? (
        <p className="px-4 pb-2 text-xs text-soft">
          {isComplete ? "The journal holds no answer to this request." : "The answer was interrupted."}
        </p>
      ) : null}
      {rows.map(({ key, label, text, language, tokens, isShort, position }) => (
        <PartRow
          key={key}
          number=""
          label={label}
          text={language === "json" ? spreadJson(text) : text}
          language={language}
          words=""
          tokens={tokens}
          size={tokens}
          most={most}
          fate={null}
          isOpen={isShort !== toggled.has(position)}
          onToggle={() => toggle(position)}
        >
          <InspectorLink
            conversationId={conversationId}
            to={{ tab: "blocks", position, filters: NO_FILTERS }}
            className="text-xs"
          >
            Block {position}
          </InspectorLink>
        </PartRow>
      ))}
    </section>
  );
}
