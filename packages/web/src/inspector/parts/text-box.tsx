/** A text with each of its characters. It wraps, scrolls if it is long, and can be copied. */
import { useState } from "react";
import { Highlighted } from "../../markdown/code-block.tsx";
import { formatCount } from "../../text/format-count.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { REACHABLE } from "../../ui/reachable.ts";
import { Marked } from "./marked.tsx";

export interface TextBoxProps {
  readonly name: string;
  readonly text: string;
  /** The text's language, as the highlighter names it; plain text when empty. */
  readonly language?: string;
  /** Words to highlight; syntax colours are then left out. */
  readonly words?: string;
  /** Whether the box is as high as its text, without scrolling. */
  readonly isTall?: boolean;
}

/** Maximum number of characters that are shown without a click, because a browser takes long to lay out megabytes. */
const AT_FIRST = 60_000;

export function TextBox({ name, text, language = "", words = "", isTall = false }: TextBoxProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, AT_FIRST);
  return (
    <figure className="relative" aria-label={name}>
      <div className="absolute top-1 right-1 rounded-lg bg-sunken">
        <CopyButton text={text} label={`Copy: ${name}`} />
      </div>
      <pre
        {...REACHABLE}
        className={cx(
          "code overflow-auto rounded-lg bg-sunken py-2 pr-10 pl-2.5 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]",
          !isTall && "max-h-96",
        )}
      >
        {words === "" ? <Highlighted code={shown} language={language} /> : <Marked text={shown} words={words} />}
      </pre>
      {shown.length < text.length ? (
        <Button size="small" look="quiet" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters
        </Button>
      ) : null}
    </figure>
  );
}
