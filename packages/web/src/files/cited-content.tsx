/** The content of a source, with the cited passage highlighted. */
import { type ReactNode, useState } from "react";
import { type PassageState, usePassage } from "./use-passage.ts";

export interface CitedContentProps {
  /** The text before the citation. */
  readonly claim: string;
  readonly children: ReactNode;
}

export function CitedContent({ claim, children }: CitedContentProps) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const state = usePassage(element, claim);
  return (
    <>
      <PassageNote state={state} />
      <div ref={setElement} className="flex min-h-0 flex-1 flex-col">
        {children}
      </div>
    </>
  );
}

const WORDS: Readonly<Record<PassageState, string>> = {
  looking: "",
  marked: "The cited passage is marked.",
  missing: "The cited words were not found in this text.",
};

export function PassageNote({ state }: { readonly state: PassageState }) {
  return (
    <p role="status" className="px-4 py-1.5 text-xs text-soft empty:hidden">
      {WORDS[state]}
    </p>
  );
}
