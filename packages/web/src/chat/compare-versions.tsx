/** Two versions of a turn side by side: question, answer, sources, what the model saw, cost, and their names. */
import type { ModelRequest } from "@cairn/api";
import type { SourceRow, TurnView } from "@cairn/timeline";
import { Link as LinkIcon, PencilLine, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { type ConversationPage, listRequests, loadConversation } from "../api/client.ts";
import { follow } from "../api/follow.ts";
import { NameDialog } from "../conversations/name-dialog.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { KnownSourcesContext, ReadingContext } from "../markdown/reading-context.ts";
import { addressOf } from "../route/location.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { useMayInspect } from "../state/may-inspect.ts";
import { remove } from "../state/remove-conversation.ts";
import { openVersion } from "../state/turn-actions.ts";
import { giveVersionName, useVersionNames } from "../state/version-names.ts";
import { formatCost, formatShort } from "../text/format-count.ts";
import { showTurns } from "../text/shown-directions.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface CompareProps {
  /** Number of the turn. */
  readonly n: number;
  readonly conversations: readonly string[];
  readonly current: number;
  readonly onClose: () => void;
}

export function CompareVersions({ n, conversations, current, onClose }: CompareProps) {
  const [chosen, setChosen] = useState(conversations[current === 0 ? 1 : current - 1]);
  const shown = conversations[current] ?? "";
  // If the chosen version was deleted, another one is compared.
  const other = conversations.find((id) => id === chosen) ?? conversations.find((id) => id !== shown) ?? "";
  const givenName = useVersionNames(n);
  const [renamed, setRenamed] = useState<string | null>(null);
  const nameOf = (id: string) => {
    const name = givenName(id);
    return `Version ${conversations.indexOf(id) + 1}${name === null ? "" : `: ${showTurns(name)}`}`;
  };
  return (
    <Dialog isOpen onClose={onClose} title={`Versions of question ${n}`} shape="wide">
      <div className="grid min-h-0 flex-1 gap-4 overflow-auto p-4 md:grid-cols-2">
        {[shown, other].map((id) => (
          <section
            key={id === shown ? "this" : "other"}
            aria-label={`Version ${conversations.indexOf(id) + 1}`}
            className="flex min-w-0 flex-col gap-3"
          >
            <div className="flex flex-wrap items-center gap-1 text-sm text-soft">
              {id === shown ? (
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {nameOf(id)}, shown now
                </span>
              ) : (
                <>
                  <select
                    aria-label="Version to compare with"
                    className="min-w-0 flex-1 rounded-lg border border-line bg-surface px-2 py-1"
                    value={id}
                    onChange={(event) => setChosen(event.target.value)}
                  >
                    {conversations.map((each) =>
                      each === shown ? null : (
                        <option key={each} value={each}>
                          {nameOf(each)}
                        </option>
                      ),
                    )}
                  </select>
                  <Button
                    size="small"
                    onClick={() => {
                      onClose();
                      openVersion(id);
                    }}
                  >
                    Show this version
                  </Button>
                </>
              )}
              <CopyButton
                text={() => addressOf({ page: "chat", conversationId: id })}
                label="Copy the address of this version"
                icon={<LinkIcon />}
              />
              <IconButton label="Name this version" size="small" onClick={() => setRenamed(id)}>
                <PencilLine />
              </IconButton>
              <IconButton
                label="Delete this version"
                size="small"
                onClick={() => {
                  // The message with the "Undo" button is on the page and would be behind the dialog.
                  onClose();
                  remove(id, id === shown ? other : shown);
                }}
              >
                <Trash2 />
              </IconButton>
            </div>
            <Version key={id} id={id} n={n} />
          </section>
        ))}
      </div>
      {renamed === null ? null : (
        <NameDialog
          heading={`Name version ${conversations.indexOf(renamed) + 1} of question ${n}`}
          label="Name"
          action="Name it"
          name={givenName(renamed) ?? ""}
          canBeEmpty
          onName={(name) => void giveVersionName(shown, renamed, n, name)}
          onClose={() => setRenamed(null)}
        />
      )}
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
  const [ends, setEnds] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a turn loads the version again.
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const fail = (error: unknown) => {
      if (!signal.aborted) setProblem(reasonOf(error));
    };
    const load = async () => {
      const page = await loadConversation(id, { before: n + 1, limit: 1 }, { signal });
      setLoaded({ page, requests: mayInspect ? await listRequests(id, { signal }) : [] });
      return page;
    };
    // If a version is being answered, it is loaded again when its turn ends.
    const loadUntilEnd = async () => {
      const { seq, turns } = await load();
      if (turns[0] !== undefined && turns[0].closed_at !== null) return;
      await follow({
        conversationId: id,
        after: seq,
        signal,
        onEvent: ({ event }) => {
          if (event !== "turn.closed") return;
          control.abort();
          setEnds((count) => count + 1);
        },
        onConnection: () => undefined, // The error is ignored, because the page's banner shows a lost connection.
        onGone: () => setProblem("This version was deleted."),
      });
    };
    loadUntilEnd().catch(fail);
    return () => control.abort();
  }, [id, n, mayInspect, ends]);
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

function costOf(requests: readonly ModelRequest[]): string {
  const cost = requests.reduce((sum, request) => sum + request.cost, 0);
  if (cost > 0) return formatCost(cost);
  return requests.every(({ is_priced }) => is_priced) ? "nothing" : "the price is unknown";
}

function VersionContent({ turn, sources, requests }: ContentProps) {
  const saw = requests[0]?.tokens;
  const facts = [
    ...(requests[0]?.model ? [["Model", requests[0].model]] : []),
    ...(saw === undefined ? [] : [["Saw", `${formatShort(saw.tools + saw.system + saw.stable + saw.tail)} tokens`]]),
    ...(requests.length === 0 ? [] : [["Cost", costOf(requests)]]),
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
