/** How far the journal of the open conversation is, told at most every half second: who shows parts of it asks again. */
import { useEffect, useRef, useState } from "react";
import { appStore } from "../state/app-state.ts";
import { useStore } from "../state/store.ts";

const PAUSE_MS = 500;

export function useJournalSeq(conversationId: string): number {
  const seq = useStore(appStore, ({ session }) => (session?.id === conversationId ? session.view.seq : 0));
  const [told, setTold] = useState(seq);
  const latest = useRef(seq);
  latest.current = seq;
  const isBehind = told !== seq;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => setTold(latest.current), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return told;
}
