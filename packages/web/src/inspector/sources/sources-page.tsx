/** The sources pool: every row by its SID, with its text and where it is cited. */
import type { SourceRow } from "@cairn/timeline";
import { Library } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { Link } from "../../route/link.tsx";
import { plural } from "../../text/format-count.ts";
import { cx } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { listSources } from "../data/inspector-api.ts";
import { routeTo } from "../data/place.ts";
import { useJournalSeq } from "../data/use-journal-seq.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { SearchField } from "../parts/fields.tsx";
import { SplitView } from "../parts/split-view.tsx";
import { Problem, Waiting } from "../parts/states.tsx";
import { VirtualItems } from "../parts/virtual-items.tsx";
import { type CitedPlaces, findCitedPlaces } from "./cited-places.ts";
import { SourceDetails } from "./source-details.tsx";

export interface SourcesPageProps {
  readonly conversationId: string;
  readonly sid: number | null;
}

const NOWHERE: CitedPlaces = new Map();

export function SourcesPage({ conversationId, sid }: SourcesPageProps) {
  const seq = useJournalSeq(conversationId);
  const [words, setWords] = useState("");
  const load = useCallback((signal: AbortSignal) => listSources(conversationId, { signal }), [conversationId]);
  const loadPlaces = useCallback(
    (signal: AbortSignal) => findCitedPlaces(conversationId, { signal }),
    [conversationId],
  );
  const { value: sources, problem, reload } = useLoaded(conversationId, "sources", load, seq);
  const places = useLoaded(conversationId, "cited", loadPlaces, seq).value ?? NOWHERE;
  const found = useMemo(() => matching(sources ?? [], words), [sources, words]);
  if (sources === null)
    return problem === null ? (
      <Waiting label="Loading the sources" />
    ) : (
      <Problem title="The sources could not be loaded" problem={problem} onRetry={reload} />
    );
  if (sources.length === 0)
    return (
      <EmptyState icon={<Library />} title="No sources yet">
        Sources that the agent finds and may cite will appear here, each with a fixed number.
      </EmptyState>
    );
  const chosen = sources.find((row) => row.sid === sid);
  return (
    <SplitView
      list={
        <>
          <div className="flex items-center gap-2 border-b border-line px-4 py-2">
            <SearchField label="Search the sources" value={words} onChange={setWords} />
            <span className="text-xs text-faint" role="status">
              {plural(found.length, "source")}
            </span>
          </div>
          <VirtualItems
            name="Sources"
            items={found}
            keyOf={(row) => row.sid}
            height={56}
            first={found.findIndex((row) => row.sid === sid)}
          >
            {(row) => (
              <SourceItem
                conversationId={conversationId}
                row={row}
                isChosen={row.sid === sid}
                cited={places.get(row.sid)?.length ?? 0}
              />
            )}
          </VirtualItems>
        </>
      }
      details={
        sid === null ? null : chosen === undefined ? (
          <EmptyState icon={<Library />} title={`There is no source ${sid}`}>
            The pool has {plural(sources.length, "source")}.
          </EmptyState>
        ) : (
          <SourceDetails conversationId={conversationId} row={chosen} places={places.get(chosen.sid) ?? []} />
        )
      }
      detailsName={`Source ${sid}`}
      back={routeTo(conversationId, { tab: "sources", sid: null })}
      backName="All sources"
    />
  );
}

function matching(sources: readonly SourceRow[], words: string): readonly SourceRow[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return sources;
  return sources.filter(({ sid, title, url, text, artifact_path }) =>
    [String(sid), title, url, artifact_path, text].some((field) =>
      String(field ?? "")
        .toLowerCase()
        .includes(wanted),
    ),
  );
}

interface SourceItemProps {
  readonly conversationId: string;
  readonly row: SourceRow;
  readonly isChosen: boolean;
  readonly cited: number;
}

function SourceItem({ conversationId, row, isChosen, cited }: SourceItemProps) {
  const where = row.url ?? row.artifact_path ?? row.physical_path ?? "";
  return (
    <Link
      to={routeTo(conversationId, { tab: "sources", sid: row.sid })}
      {...(isChosen ? { "aria-current": "true" } : {})}
      className={cx(
        "flex items-start gap-3 px-4 py-2 focus-visible:-outline-offset-2",
        isChosen ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <span className="mt-px min-w-6 rounded-md bg-accent-soft px-1 text-center text-2xs font-semibold text-accent tabular-nums">
        {row.sid}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{row.title ?? where}</span>
        <span className="block truncate text-xs text-faint">{where}</span>
      </span>
      <span className="shrink-0 text-2xs text-faint">{cited === 0 ? "not cited" : `cited ${cited}×`}</span>
    </Link>
  );
}
