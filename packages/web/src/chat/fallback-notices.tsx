/** Says that a fallback model answered, and why. */
import type { TurnView } from "@cairn/timeline";
import { ArrowLeftRight } from "lucide-react";

export function FallbackNotices({ turn }: { readonly turn: TurnView }) {
  const notices = turn.notices.filter(({ code }) => code === "model_fallback");
  return notices.map(({ position, message }) => (
    <p key={position} className="flex items-center gap-1.5 text-sm text-ochre">
      <ArrowLeftRight className="size-4 shrink-0" /> <span className="min-w-0 break-words">{message}</span>
    </p>
  ));
}
