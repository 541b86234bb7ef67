/** A call that needs a person's consent: what it would do, in full, and the two answers. */
import type { RoundView } from "@cairn/timeline";
import { ShieldQuestion } from "lucide-react";
import { useContext, useState } from "react";
import { approve } from "../state/turn-actions.ts";
import { Button } from "../ui/button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { ChatContext } from "./chat-context.ts";
import { describeRound } from "./describe-round.ts";

export function ApprovalCard({ round }: { readonly round: RoundView }) {
  const { conversationId } = useContext(ChatContext);
  const [isSent, setSent] = useState(false);
  const { icon, words } = describeRound(round);
  const answer = async (isApproved: boolean) => {
    setSent(true);
    await approve(conversationId, round.call_id, isApproved);
    setSent(false);
  };
  return (
    <section aria-label="Consent needed" className="my-1.5 rounded-xl border border-ochre bg-ochre-soft p-3.5">
      <h3 className="flex items-center gap-2 text-sm font-semibold text-ochre">
        <ShieldQuestion className="size-4" /> May it do this?
      </h3>
      <p className="mt-1 text-sm">
        {icon === "tool" ? null : `${words} `}
        <span className="font-mono text-xs text-soft">{round.tool_id}</span>
      </p>
      <Params params={round.params} />
      <div className="mt-3 flex gap-2">
        <Button look="strong" disabled={isSent} onClick={() => answer(true)}>
          Allow
        </Button>
        <Button disabled={isSent} onClick={() => answer(false)}>
          Refuse
        </Button>
      </div>
    </section>
  );
}

/** Plain values as a list; anything deeper as it is. Nothing is left out: consent is to all of it. */
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
        {JSON.stringify(params, null, 2)}
      </pre>
    );
  return (
    <dl {...REACHABLE} className="mt-2 max-h-56 overflow-auto rounded-lg bg-surface px-3 py-1 text-sm">
      {entries.map(([name, value]) => (
        <div key={name} className="flex gap-3 border-b border-line py-1.5 last:border-0">
          <dt className="w-24 shrink-0 truncate text-faint">{name}</dt>
          <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
