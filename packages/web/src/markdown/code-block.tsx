/** Code with its language and a copy button. It has no colours until it is complete and the highlighter is loaded. */
import { type ReactNode, useEffect, useState } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import type { Highlighter } from "./highlight.tsx";

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  readonly isOpen?: boolean;
}

export function CodeBlock({ code, language, isOpen = false }: CodeBlockProps) {
  return (
    <figure dir="ltr" className="overflow-hidden rounded-stone border border-line bg-surface font-sans">
      <figcaption className="flex h-8 items-center justify-between border-b border-line bg-sunken pr-1 pl-3 text-xs text-faint">
        {language === "" ? "text" : language}
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      <pre className="code overflow-x-auto px-3.5 py-3" {...REACHABLE}>
        <code>
          <Highlighted code={code} language={isOpen ? "" : language} />
        </code>
      </pre>
    </figure>
  );
}

let highlighter: Highlighter | null = null;

/** The highlighter could not be loaded, so the code has no colours. */
const keepPlain = () => undefined;

/** Highlighted code. Code in an unknown language has no colours. */
export function Highlighted({ code, language }: { readonly code: string; readonly language: string }): ReactNode {
  const [, setLoaded] = useState(highlighter !== null);
  useEffect(() => {
    if (highlighter !== null || language === "") return;
    let isWanted = true;
    const colour = ({ highlight }: typeof import("./highlight.tsx")) => {
      highlighter = highlight;
      if (isWanted) setLoaded(true);
    };
    import("./highlight.tsx").then(colour, keepPlain);
    return () => {
      isWanted = false;
    };
  }, [language]);
  return highlighter === null || language === "" ? code : highlighter(code, language);
}
