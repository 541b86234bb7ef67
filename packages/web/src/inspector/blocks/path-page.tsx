/** The content at a logical path, in any version: every path that was ever shown stays readable. */
import type { FoundPath } from "@cairn/api";
import { Signpost } from "lucide-react";
import { useCallback } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { REACHABLE } from "../../ui/reachable.ts";
import { readAt } from "../data/inspector-api.ts";
import { NO_FILTERS } from "../data/place.ts";
import { useJournalSeq } from "../data/use-journal-seq.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { InspectorLink } from "../parts/inspector-link.tsx";
import { Problem, Waiting } from "../parts/states.tsx";
import { TextBox } from "../parts/text-box.tsx";

export function PathPage({ conversationId, path }: { readonly conversationId: string; readonly path: string }) {
  const seq = useJournalSeq(conversationId);
  const load = useCallback((signal: AbortSignal) => readAt(conversationId, path, { signal }), [conversationId, path]);
  const { value, problem, isLoading, reload } = useLoaded(conversationId, path, load, seq);
  if (problem !== null) return <Problem title="The path could not be read" problem={problem} onRetry={reload} />;
  if (value === null || isLoading) return <Waiting label="Reading the path" />;
  if (!value.found)
    return (
      <EmptyState icon={<Signpost />} title="There is no content at this path">
        <span className="font-mono [overflow-wrap:anywhere]">{path}</span>
      </EmptyState>
    );
  return (
    <section
      {...REACHABLE}
      aria-label="Path"
      className="flex min-h-0 flex-1 flex-col gap-4 overflow-x-hidden overflow-y-auto p-4"
    >
      <h2 className="font-mono text-base font-semibold [overflow-wrap:anywhere]">{value.path}</h2>
      <DetailList>
        <Detail name="Media type">{value.mime}</Detail>
        <Detail name="Version">
          {value.versions > 0 ? <Versions conversationId={conversationId} found={value} /> : null}
        </Detail>
        <Detail name="Blocks">
          <InspectorLink
            conversationId={conversationId}
            to={{ tab: "blocks", position: null, filters: { ...NO_FILTERS, q: bare(value.path) } }}
          >
            blocks that name it
          </InspectorLink>
        </Detail>
      </DetailList>
      {value.text === null || value.text === "" ? (
        <p className="text-sm text-soft">It has no text{value.blob === null ? "" : ", only bytes"}.</p>
      ) : (
        <TextBox name="Text" text={value.text} language={value.mime === "application/json" ? "json" : ""} isTall />
      )}
    </section>
  );
}

function Versions({ conversationId, found }: { readonly conversationId: string; readonly found: FoundPath }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {Array.from({ length: Math.min(found.versions, 50) }, (_, index) => index + 1).map((version) =>
        version === found.version ? (
          <strong key={version}>{version}</strong>
        ) : (
          <InspectorLink
            key={version}
            conversationId={conversationId}
            to={{ tab: "path", path: `${bare(found.path)}@v${version}` }}
          >
            {version}
          </InspectorLink>
        ),
      )}
    </span>
  );
}

function bare(path: string): string {
  return path.replace(/@v\d+$/, "");
}
