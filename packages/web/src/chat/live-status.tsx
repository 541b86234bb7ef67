/** The status of a running turn, while no text shows that it runs. */
import type { TurnView } from "@cairn/timeline";
import { CloudOff } from "lucide-react";
import { useContext, useEffect, useState } from "react";
import { useApp } from "../state/app-state.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";
import { ChatContext } from "./chat-context.ts";
import { FallbackNotices } from "./fallback-notices.tsx";

export function LiveStatus({ turn, isSaying }: { readonly turn: TurnView; readonly isSaying: boolean }) {
  const { stop } = useContext(ChatContext);
  const waiting = useApp((state) => state.session?.waiting ?? null);
  const isCompacting = useApp((state) => (state.session?.compacting ?? null) !== null);
  const isLost = useApp((state) => state.session?.connection === "lost");
  const isStopping = useApp((state) => state.session?.isStopping ?? false);
  const isAtWork = turn.rounds.some(({ status }) => status === "running");
  const isAsking = turn.rounds.some(({ status }) => status === "waiting_approval");
  if (waiting !== null && !isStopping)
    return (
      <Banner tone="ochre" icon={<CloudOff />} action={<Button onClick={stop}>Stop</Button>}>
        The model cannot answer right now. Retrying <Countdown wait={waiting} />. {waiting.reason}
      </Banner>
    );
  if (isSaying || isAsking) return <FallbackNotices turn={turn} />;
  return (
    <>
      <FallbackNotices turn={turn} />
      <p className="flex items-center gap-2.5 py-1 text-sm text-faint">
        <Mark breathing={!isLost} className="size-5" />
        {isLost
          ? "Waiting for the server…"
          : isStopping
            ? "Stopping…"
            : isCompacting
              ? "Summarising the beginning of the conversation…"
              : isAtWork
                ? "Working…"
                : "Thinking…"}
      </p>
    </>
  );
}

/** The remaining seconds of a wait, counted from the moment at which the app learned about it. */
function Countdown({ wait }: { readonly wait: { readonly ms: number } }) {
  const [left, setLeft] = useState(wait.ms);
  useEffect(() => {
    const end = Date.now() + wait.ms;
    setLeft(wait.ms);
    const timer = setInterval(() => setLeft(Math.max(0, end - Date.now())), 1_000);
    return () => clearInterval(timer);
  }, [wait]);
  const seconds = Math.ceil(left / 1_000);
  if (seconds === 0) return "now";
  // Screen readers announce the wait only once, and not every second.
  return <span aria-live="off">in {seconds} s</span>;
}
