/** Two versions of a turn side by side: the question, the answer, its sources, what the model saw and what it cost. */
import type { ModelRequest } from "@cairn/api";
import type { SourceRow, TurnView } from "@cairn/timeline";
import { useEffect, useState } from "react";
import { type ConversationPage, listRequests, loadConversation } from "../api/client.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { KnownSourcesContext, ReadingContext } from "../markdown/reading-context.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { useMayInspect } from "../state/may-inspect.ts";
import { openVersion } from "../state/turn-actions.ts";
import { formatCost, formatShort } from "../text/format-count.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface CompareProps {
  /** Number of the turn. */
  readonly n: number;
  readonly conversations: readonly string[];
  readonly current: number;
  /** Whether the turn of the current version has ended. */
  readonly isSettled: boolean;
  readonly onClose: () => void;
}

export function CompareVersions({ n, conversations, current, isSettled, onClose }: CompareProps) {
  const [other, setOther] = useState(current === 0 ? 1 : current - 1);
  return (
    <Dialog isOpen onClose={onClose} title={`Versions of question ${n}`} shape="wide">
      <div className="grid min-h-0 flex-1 gap-4 overflow-auto p-4 md:grid-cols-2">
        {[current, other].map((index, side) => (
          <section
            key={side === 0 ? "this" : "other"}
            aria-label={`Version ${index + 1}`}
            className="flex min-w-0 flex-col gap-3"
          >
            <div className="flex items-center gap-2 text-sm text-soft">
              {side === 0 ? (
                <span className="flex-1">Version {index + 1}, shown now</span>
              ) : (
                <>
                  <select
                    aria-label="Version to compare with"
                    className="flex-1 rounded-lg border border-line bg-surface px-2 py-1"
                    value={index}
                    onChange={(event) => setOther(Number(event.target.value))}
                  >
                    {conversations.map((id, nth) =>
                      nth === current ? null : (
                        <option key={id} value={nth}>
                          Version {nth + 1}
                        </option>
                      ),
                    )}
                  </select>
                  <Button
                    size="small"
                    onClick={() => {
                      onClose();
                      openVersion(conversations[index] ?? "");
                    }}
                  >
                    Show this version
                  </Button>
                </>
              )}
            </div>
            {/* Loads the current version again when its turn ends while the dialog is open. */}
            <Version key={`${conversations[index]} ${side === 0 && isSettled}`} id={conversations[index] ?? ""} n={n} />
          </section>
        ))}
      </div>
    </Dialog>
  );
}

interface LoadedVersion {
  readonly page: ConversationPage;
  readonly requests: readonly ModelRequest[];
}

function Version({ id, n }: { readonly id: string; readonly n: number }) {
  const mayInspect = useMayInspect();
  const [loaded, setLoaded] = useState<LoadedVersion | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const load = async () => {
      const page = await loadConversation(id, { before: n + 1, limit: 1 }, { signal });
      setLoaded({ page, requests: mayInspect ? await listRequests(id, { signal }) : [] });
    };
    load().catch((error: unknown) => {
      if (!signal.aborted) setProblem(reasonOf(error));
    });
    return () => control.abort();
  }, [id, n, mayInspect]);
  const turn = loaded?.page.turns[0];
  if (problem !== null) return <p role="alert">{problem}</p>;
  if (loaded === null || turn === undefined) return <p className="text-sm text-faint">Loading…</p>;
  const requests = loaded.requests.filter(({ turn_id }) => turn_id === turn.turn_id);
  return <VersionContent turn={turn} sources={loaded.page.sources} requests={requests} />;
}

interface ContentProps {
  readonly turn: TurnView;
  readonly sources: readonly SourceRow[];
  readonly requests: readonly ModelRequest[];
}

function VersionContent({ turn, sources, requests }: ContentProps) {
  const saw = requests[0]?.tokens;
  const facts = [
    ...(requests[0]?.model ? [["Model", requests[0].model]] : []),
    ...(saw === undefined ? [] : [["Saw", `${formatShort(saw.tools + saw.system + saw.stable + saw.tail)} tokens`]]),
    ...(requests.length === 0 ? [] : [["Cost", formatCost(requests.reduce((sum, { cost }) => sum + cost, 0))]]),
    ["Steps", String(turn.rounds.length)],
    ["Cites", sources.length === 0 ? "nothing" : sources.map(({ title, url }) => title ?? url ?? "").join(", ")],
  ];
  return (
    <>
      <p dir="auto" className="rounded-xl border border-line bg-sunken px-3 py-2 whitespace-pre-wrap">
        {turn.prompt.text}
      </p>
      <ReadingContext value={{ source: (sid) => sources.find((row) => row.sid === sid) }}>
        <KnownSourcesContext value={turn.completion?.sources_known ?? 0}>
          <Markdown
            text={turn.completion?.text ?? (turn.exit === null ? "There is no answer yet." : "There is no answer.")}
            isOpen={false}
          />
        </KnownSourcesContext>
      </ReadingContext>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 border-t border-line pt-2 text-sm text-soft">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
