/**
 * The page of requests: the chart of all requests, the slider, and the chosen request in detail. The choice moves to
 * new requests only if following is on.
 */
import { Microscope } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { listRequests } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ComparePage } from "../compare/compare-page.tsx";
import { goTo } from "../data/place.ts";
import { useJournalSeq } from "../data/use-journal-seq.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Problem, Waiting } from "../parts/states.tsx";
import { RequestStrip } from "./request-strip.tsx";
import { RequestView } from "./request-view.tsx";

export interface RequestsPageProps {
  readonly conversationId: string;
  /** Number of the chosen request; null for the newest one when the page is opened. */
  readonly n: number | null;
  readonly compareWith: number | null;
}

export function RequestsPage({ conversationId, n, compareWith }: RequestsPageProps) {
  const seq = useJournalSeq(conversationId);
  const load = useCallback((signal: AbortSignal) => listRequests(conversationId, { signal }), [conversationId]);
  const { value: requests, problem, reload } = useLoaded(conversationId, "requests", load, seq);
  const [isFollowing, setFollowing] = useState(false);
  const opened = useRef<number | null>(null);
  const newest = requests?.at(-1)?.n ?? null;
  opened.current ??= newest;
  const shown = n ?? opened.current;
  useEffect(() => {
    if (isFollowing && newest !== null && newest !== shown && compareWith === null)
      goTo(conversationId, { tab: "requests", n: newest, compareWith: null }, { replace: true });
  }, [conversationId, isFollowing, newest, shown, compareWith]);

  if (requests === null)
    return problem === null ? (
      <Waiting label="Loading the requests" />
    ) : (
      <Problem title="The requests could not be loaded" problem={problem} onRetry={reload} />
    );
  if (newest === null || shown === null)
    return (
      <EmptyState icon={<Microscope />} title="No request yet">
        Requests to the model will appear here.
      </EmptyState>
    );
  if (compareWith !== null && n !== null)
    return <ComparePage conversationId={conversationId} requests={requests} after={n} before={compareWith} />;
  const index = requests.findIndex((request) => request.n === shown);
  const request = requests[index];
  if (request === undefined)
    return (
      <EmptyState
        icon={<Microscope />}
        title={`There is no request ${shown}`}
        action={
          <Button onClick={() => goTo(conversationId, { tab: "requests", n: newest, compareWith: null })}>
            Go to the newest
          </Button>
        }
      >
        The conversation has requests 1 to {newest}.
      </EmptyState>
    );
  const follow = (wanted: boolean) => {
    setFollowing(wanted);
    if (wanted) goTo(conversationId, { tab: "requests", n: newest, compareWith: null }, { replace: true });
  };
  return (
    <RequestView
      conversationId={conversationId}
      request={request}
      previous={requests[index - 1]?.n ?? null}
      turnRequests={requests.filter(({ turn_id }) => turn_id !== null && turn_id === request.turn_id)}
      version={request.turn_id === requests.at(-1)?.turn_id ? seq : 0}
      renderStrip={
        <RequestStrip
          conversationId={conversationId}
          requests={requests}
          index={index}
          isFollowing={isFollowing}
          onFollow={follow}
          onChoose={(wanted) => {
            setFollowing(false);
            const chosen = requests[wanted];
            if (chosen !== undefined)
              goTo(conversationId, { tab: "requests", n: chosen.n, compareWith: null }, { replace: true });
          }}
        />
      }
    />
  );
}
