/** Asks why an answer was bad. The agent reads the reason in its next turn. */
import { useState } from "react";
import { tell } from "../state/app-state.ts";
import { judge } from "../state/turn-actions.ts";
import { Button } from "../ui/button.tsx";

interface WhyBadProps {
  readonly conversationId: string;
  readonly turnId: string;
  readonly onClose: () => void;
}

export function WhyBad({ conversationId, turnId, onClose }: WhyBadProps) {
  const [text, setText] = useState("");
  return (
    <form
      className="flex flex-wrap items-center gap-2 text-sm print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
        void judge(conversationId, turnId, "down", {
          why: text.trim(),
          said: "The agent reads this in its next turn.",
        });
      }}
    >
      <label className="flex min-w-48 flex-1 flex-col gap-1 text-soft">
        What was wrong with it?
        <input
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for it.
          autoFocus
          value={text}
          maxLength={2_000}
          dir="auto"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onClose();
          }}
          className="h-9 rounded-lg border border-line-strong bg-surface px-3 text-ink outline-none focus:border-accent"
        />
      </label>
      <span className="flex gap-2 self-end">
        <Button
          onClick={() => {
            onClose();
            tell("done", "The answer is marked as bad.");
          }}
        >
          Skip
        </Button>
        <Button type="submit" look="strong" disabled={text.trim() === ""}>
          Tell the agent
        </Button>
      </span>
    </form>
  );
}
