/** A link to the original of a fork, after the last turn that both have in common. */
import type { ForkedFrom } from "@cairn/api";
import type { TurnView } from "@cairn/timeline";
import { GitFork } from "lucide-react";
import { Link } from "../route/link.tsx";
import { useApp } from "../state/app-state.ts";
import type { Session } from "../state/session.ts";
import { showTurns } from "../text/shown-directions.ts";

export function ForkedFromNote({ turn }: { readonly turn: TurnView }) {
  const origin = useApp(({ session }) => originAfter(session, turn));
  if (origin === null) return null;
  const { conversation_id: conversationId, title } = origin;
  return (
    <p className="flex items-center gap-1.5 text-sm text-faint">
      <GitFork className="size-4 shrink-0" />
      <span className="min-w-0">
        Forked here from{" "}
        <Link
          to={{ page: "chat", conversationId, turnId: `${turn.turn_id} answer` }}
          dir="auto"
          className="font-medium text-accent [overflow-wrap:anywhere] hover:underline"
        >
          {title === null || title === "" ? "an untitled conversation" : showTurns(title)}
        </Link>
        . Messages here do not change it.
      </span>
    </p>
  );
}

function originAfter(session: Session | null, turn: TurnView): ForkedFrom | null {
  const origin = session?.forkedFrom ?? null;
  if (session === null || origin === null || turn.opened_seq > origin.seq) return null;
  const next = session.view.turns.find(({ n }) => n === turn.n + 1);
  return next === undefined || next.opened_seq > origin.seq ? origin : null;
}
