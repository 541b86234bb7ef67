/** The first request that could show a block: the first whose receipt was written after it. */
import { useCallback } from "react";
import { listRequests } from "../data/inspector-api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { InspectorLink } from "../parts/inspector-link.tsx";

export function FirstRequest({ conversationId, seq }: { readonly conversationId: string; readonly seq: number }) {
  const load = useCallback((signal: AbortSignal) => listRequests(conversationId, { signal }), [conversationId]);
  const { value } = useLoaded(conversationId, "requests", load, seq);
  const first = value?.find((request) => request.seq > seq && request.purpose === "decision");
  if (value === null) return null;
  if (first === undefined) return "not yet";
  return (
    <InspectorLink conversationId={conversationId} to={{ tab: "requests", n: first.n, compareWith: null }}>
      Request {first.n}
    </InspectorLink>
  );
}
