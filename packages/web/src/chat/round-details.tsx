/** The parameters and results of a call, with the same text as on the timeline. */
import type { RoundView, TurnView } from "@cairn/timeline";
import type { ReactNode } from "react";
import { Highlighted } from "../markdown/code-block.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { REACHABLE } from "../ui/reachable.ts";

export function RoundDetails({ turn, round }: { readonly turn: TurnView; readonly round: RoundView }) {
  const notices = turn.notices.filter(({ call_id }) => call_id === round.call_id);
  return (
    <div className="mb-2 flex flex-col gap-2 rounded-xl border border-line bg-surface p-2.5 text-xs">
      {round.code === null ? null : <Part name="Code" text={round.code} language={round.traits.language ?? "python"} />}
      {round.params === null ? null : (
        <Part name={round.tool_id} text={JSON.stringify(round.params, null, 2)} language="json" />
      )}
      {notices.map(({ position, code, message }) => (
        <p key={position} className="text-ochre">
          {code}: {message}
        </p>
      ))}
      {round.error === null ? (
        <Reason round={round} />
      ) : (
        <p className="text-danger">
          {round.error.code}: {round.error.message}
        </p>
      )}
      {round.results.map(({ position, path, text, mime, cut }) => (
        <Part key={position} name={path ?? "Result"} text={text} language={mime === "application/json" ? "json" : ""}>
          {cut ? <p className="pt-1 text-faint">Cut off here. The full text is at its path.</p> : null}
        </Part>
      ))}
    </div>
  );
}

/** The error of a call that has a result, such as a program that exited with an error. */
function Reason({ round: { outcome } }: { readonly round: RoundView }) {
  if (outcome === null || outcome.reason === null) return null;
  const isFailed = outcome.kind === "failed";
  return (
    <p className={isFailed ? "text-danger" : "text-ochre"}>
      {isFailed ? "Failed" : "Partly failed"}: {outcome.reason}
    </p>
  );
}

interface PartProps {
  readonly name: string;
  readonly text: string;
  readonly language: string;
  readonly children?: ReactNode;
}

function Part({ name, text, language, children }: PartProps) {
  return (
    <section aria-label={name}>
      <div className="flex items-center justify-between gap-2">
        <h3 className="min-w-0 truncate font-mono text-2xs text-faint">{name}</h3>
        <CopyButton text={text} />
      </div>
      <pre
        {...REACHABLE}
        className="code max-h-72 overflow-auto rounded-lg bg-sunken px-2.5 py-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <Highlighted code={text} language={language} />
      </pre>
      {children}
    </section>
  );
}
