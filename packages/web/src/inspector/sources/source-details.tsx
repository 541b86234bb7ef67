/** One row of the pool: its fields, its text, and the blocks that cite it. */
import type { Block } from "@cairn/api";
import type { SourceRow } from "@cairn/timeline";
import { ExternalLink } from "lucide-react";
import { safeLink } from "../../markdown/safe-link.ts";
import { NO_FILTERS } from "../data/place.ts";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { TextBox } from "../parts/text-box.tsx";

export interface SourceDetailsProps {
  readonly conversationId: string;
  readonly row: SourceRow;
  readonly places: readonly Block[];
}

/** Fields that the details show separately, and not in the list of other fields. */
const TOLD = new Set(["sid", "title", "url", "text", "content", "artifact_path", "source_type", "mime"]);

export function SourceDetails({ conversationId, row, places }: SourceDetailsProps) {
  const { sid, title, url, text, content, artifact_path, source_type, mime } = row;
  const link = url === undefined ? null : safeLink(url);
  const rest = Object.fromEntries(Object.entries(row).filter(([field]) => !TOLD.has(field)));
  return (
    <div className="flex flex-col gap-4 p-4">
      <h2 className="text-base font-semibold [overflow-wrap:anywhere]">
        <span className="text-accent">[{sid}]</span> {title ?? "Untitled"}
      </h2>
      <DetailList>
        <Detail name="Kind">{source_type ?? null}</Detail>
        <Detail name="Media type">{mime ?? null}</Detail>
        <Detail name="Address">
          {url === undefined ? null : link?.kind === "web" ? (
            <a href={link.href} target="_blank" rel="noreferrer noopener" className="text-accent hover:underline">
              {url} <ExternalLink className="inline size-3" aria-hidden="true" />
            </a>
          ) : (
            url
          )}
        </Detail>
        <Detail name="Path">
          {artifact_path === undefined ? null : (
            <InspectorLink conversationId={conversationId} to={{ tab: "path", path: artifact_path }}>
              {artifact_path}
            </InspectorLink>
          )}
        </Detail>
      </DetailList>
      <section aria-label="Cited in" className="flex flex-col gap-1">
        <h3 className="text-xs font-medium text-soft">Cited in</h3>
        {places.length === 0 ? (
          <p className="text-xs text-faint">Nothing cites it.</p>
        ) : (
          <ul className="flex flex-col gap-1 text-xs">
            {places.map(({ position, type, path }) => (
              <li key={position} className="flex min-w-0 gap-2">
                <InspectorLink conversationId={conversationId} to={{ tab: "blocks", position, filters: NO_FILTERS }}>
                  Block {position}
                </InspectorLink>
                <span className="truncate font-mono text-faint">{path ?? type}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Text" className="flex flex-col gap-1">
        <h3 className="text-xs font-medium text-soft">Text</h3>
        {(content ?? text ?? "") === "" ? (
          <p className="text-xs text-faint">This source has no text of its own.</p>
        ) : (
          <TextBox name="Text" text={content ?? text ?? ""} isTall />
        )}
      </section>
      {Object.keys(rest).length === 0 ? null : (
        <section aria-label="Other fields" className="flex flex-col gap-1">
          <h3 className="text-xs font-medium text-soft">Other fields</h3>
          <TextBox name="Other fields" text={JSON.stringify(rest, null, 2)} language="json" />
        </section>
      )}
    </div>
  );
}
