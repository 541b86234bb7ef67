/** A call that needs approval: its complete parameters with references bound, and the buttons. */
import type { RoundView } from "@cairn/timeline";
import { ShieldQuestion } from "lucide-react";
import { useContext, useState } from "react";
import { useApp } from "../state/app-state.ts";
import { approve } from "../state/turn-actions.ts";
import { showDirections } from "../text/shown-directions.ts";
import { Button } from "../ui/button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { ChatContext } from "./chat-context.ts";
import { describeRound } from "./describe-round.ts";

export function ApprovalCard({ round }: { readonly round: RoundView }) {
  const { conversationId } = useContext(ChatContext);
  const [isSent, setSent] = useState(false);
  const { icon, words } = describeRound(round);
  const asked = useApp((state) => state.session?.view.approvals.find(({ call_id }) => call_id === round.call_id));
  const answer = async (isApproved: boolean, remember = false) => {
    setSent(true);
    await approve(conversationId, round.call_id, { approve: isApproved, hash: asked?.hash ?? null, remember });
    setSent(false);
  };
  return (
    <section aria-label="Approval needed" className="my-1.5 rounded-xl border border-ochre bg-ochre-soft p-3.5">
      <h3 className="flex items-center gap-2 text-sm font-semibold text-ochre">
        <ShieldQuestion className="size-4" /> Allow this call?
      </h3>
      <p className="mt-1 text-sm">
        {icon === "tool" ? null : `${words} `}
        <span className="font-mono text-xs text-soft">{round.tool_id}</span>
      </p>
      <Params params={asked?.params ?? round.params} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="strong" disabled={isSent} onClick={() => answer(true)}>
          Allow
        </Button>
        <Button disabled={isSent} onClick={() => answer(true, true)}>
          Allow in this conversation
        </Button>
        <Button disabled={isSent} onClick={() => answer(false)}>
          Refuse
        </Button>
      </div>
    </section>
  );
}

/** Plain values as a list; nested values as JSON. Nothing is left out, because the approval covers all of it. */
function Params({ params }: { readonly params: RoundView["params"] }) {
  if (params === null) return null;
  const entries = typeof params === "object" && !Array.isArray(params) ? Object.entries(params) : [];
  const isPlain = entries.length > 0 && entries.every(([, value]) => typeof value !== "object" || value === null);
  if (!isPlain)
    return (
      <pre
        {...REACHABLE}
        className="code mt-2 max-h-56 overflow-auto rounded-lg bg-surface px-3 py-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {showDirections(JSON.stringify(params, null, 2))}
      </pre>
    );
  return (
    <dl {...REACHABLE} className="mt-2 max-h-56 overflow-auto rounded-lg bg-surface px-3 py-1 text-sm">
      {entries.map(([name, value]) => (
        <div key={name} className="flex gap-3 border-b border-line py-1.5 last:border-0">
          <dt className="w-24 shrink-0 truncate text-faint">{showDirections(name)}</dt>
          <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{showDirections(String(value))}</dd>
        </div>
      ))}
    </dl>
  );
}
