/** Tells screen readers that an answer is complete, or that approval is needed. */
import { useEffect, useRef, useState } from "react";
import { type AppState, useApp } from "../state/app-state.ts";

export function Announcer() {
  const state = useApp(describe);
  const before = useRef(state);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const was = before.current;
    before.current = state;
    if (was !== state && state !== "idle") setSaid(WORDS[state] ?? "");
    else if (was !== state && was !== "loading") setSaid("");
  }, [state]);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {said}
    </p>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  working: "The agent is working.",
  asking: "The agent needs your approval.",
  complete: "The answer is complete.",
  cancelled: "Stopped.",
  error: "The turn failed.",
};

function describe({ session }: AppState): string {
  if (session === null || session.phase !== "ready") return "loading";
  if (session.view.approvals.length > 0) return "asking";
  const last = session.view.turns.at(-1);
  if (last === undefined) return "idle";
  return last.closed_at === null ? "working" : (last.exit ?? "complete");
}
