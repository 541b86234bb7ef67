/** Thinking, and text for a file, while they are written: the end of it, in small. */
import { Brain, PencilLine } from "lucide-react";
import { memo, useCallback } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { appStore } from "../state/app-state.ts";
import { useStore } from "../state/store.ts";

const SHOWN = 1_600;

export const Aside = memo(({ streamKey }: { readonly streamKey: string }) => {
  const open = useStore(
    appStore,
    useCallback((state) => state.session?.streams.get(streamKey) ?? null, [streamKey]),
  );
  if (open === null || open.text === "") return null;
  if (open.kind === "say") return <Markdown text={open.text} isOpen />;
  const isThought = open.kind === "thinking";
  const name = open.path?.split("/").at(-1) ?? "a file";
  return (
    <section
      aria-label={isThought ? "Thinking" : `Writing ${name}`}
      className="rounded-xl border border-line bg-surface px-3.5 py-2.5"
    >
      <h3 className="mb-1 flex items-center gap-1.5 text-xs text-faint [&_svg]:size-3.5">
        {isThought ? <Brain /> : <PencilLine />} {isThought ? "Thinking" : `Writing ${name}`}
      </h3>
      <div className="flex max-h-40 flex-col-reverse overflow-hidden">
        <p className={isThought ? "text-sm whitespace-pre-wrap text-soft italic" : "code whitespace-pre-wrap"}>
          {open.text.slice(-SHOWN)}
        </p>
      </div>
    </section>
  );
});
