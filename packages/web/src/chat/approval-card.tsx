/** A call that needs approval: all its parameters, which may be edited, a reason for the agent, and the buttons. */
import { MAX_REASON_CHARS } from "@cairn/api";
import { type ApprovalView, isJsonObject, type Json, type JsonObject, type RoundView } from "@cairn/timeline";
import { ShieldQuestion } from "lucide-react";
import { useContext, useState } from "react";
import { useApp } from "../state/app-state.ts";
import { approve } from "../state/turn-actions.ts";
import { showDirections } from "../text/shown-directions.ts";
import { Button } from "../ui/button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { ChatContext } from "./chat-context.ts";
import { describeRound } from "./describe-round.ts";
import { QuestionCard } from "./question-card.tsx";

/** A waiting call: it waits for approval, for the answer to its question, or for the application that runs it. */
export function ApprovalCard({ round }: { readonly round: RoundView }) {
  return round.traits.client === true ? <ClientCallCard round={round} /> : <PersonCard round={round} />;
}

function PersonCard({ round }: { readonly round: RoundView }) {
  const asked = useApp((state) => state.session?.view.approvals.find(({ call_id }) => call_id === round.call_id));
  return asked?.question === undefined ? (
    <ConsentCard round={round} asked={asked} />
  ) : (
    <QuestionCard key={asked.hash} asked={asked} question={asked.question} />
  );
}

/** The application that sent the message runs this call and sends its output. The user of the page can only wait. */
function ClientCallCard({ round }: { readonly round: RoundView }) {
  return (
    <section aria-label="Waiting for the application" className="my-1.5 rounded-xl border border-line p-3.5">
      <h3 className="text-sm font-semibold">Waiting for the application that runs this tool</h3>
      <p className="mt-1 font-mono text-xs text-soft">{round.tool_id}</p>
      <Params params={round.params} />
    </section>
  );
}

function ConsentCard({ round, asked }: { readonly round: RoundView; readonly asked: ApprovalView | undefined }) {
  const { conversationId } = useContext(ChatContext);
  const [isSent, setSent] = useState(false);
  const [reason, setReason] = useState("");
  /** The parameters while they are edited, as JSON. */
  const [edited, setEdited] = useState<string | null>(null);
  const { icon, words } = describeRound(round);
  const shown = asked?.params ?? round.params;
  const params = edited === null ? null : readObject(edited);
  const isWrong = edited !== null && params === null;
  const answer = async (isApproved: boolean, remember = false) => {
    setSent(true);
    await approve(conversationId, round.call_id, {
      approve: isApproved,
      hash: asked?.hash ?? null,
      remember,
      reason,
      params: isApproved ? params : null,
    });
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
      {edited === null ? (
        <Params params={shown} />
      ) : (
        <textarea
          aria-label="Parameters as JSON"
          aria-invalid={isWrong}
          className="code mt-2 h-40 w-full rounded-lg border border-line bg-surface px-3 py-2 text-xs"
          spellCheck={false}
          value={edited}
          onChange={({ target }) => setEdited(target.value)}
        />
      )}
      {isWrong ? <p className="mt-1 text-xs text-ochre">This is not a JSON object.</p> : null}
      <input
        aria-label="Reason for the agent"
        className="mt-2 w-full rounded-lg border border-line bg-surface px-3 py-1.5 text-sm"
        maxLength={MAX_REASON_CHARS}
        placeholder="A reason for the agent (optional)"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="strong" disabled={isSent || isWrong} onClick={() => answer(true)}>
          Allow
        </Button>
        <Button disabled={isSent || isWrong} onClick={() => answer(true, true)}>
          Allow in this conversation
        </Button>
        <Button disabled={isSent} onClick={() => answer(false)}>
          Refuse
        </Button>
        <Button
          disabled={isSent}
          onClick={() => setEdited(edited === null ? JSON.stringify(shown ?? {}, null, 2) : null)}
        >
          {edited === null ? "Edit parameters" : "Undo edit"}
        </Button>
      </div>
    </section>
  );
}

function readObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : null;
  } catch {
    return null; // The error is shown on the card.
  }
}

/** Shows simple values as a list, and nested values as JSON. All are shown, because the approval is about all. */
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
