/** A part of a request: its type, size and state in the cache, with an excerpt or, when open, all of its text. */
import type { ModelMessage } from "@cairn/api";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "../../text/format-count.ts";
import { cx } from "../../ui/class-names.ts";
import { glimpse } from "../parts/glimpse.ts";
import { Marked } from "../parts/marked.tsx";
import { TextBox } from "../parts/text-box.tsx";

export interface PartRowProps {
  /** The number of the message, such as `#12`; empty for other parts. */
  readonly number: string;
  readonly label: string;
  readonly path?: string | null;
  readonly tag?: ReactNode;
  readonly text: string;
  readonly language?: string;
  readonly words: string;
  readonly tokens: number;
  /** A value that is shown instead of the number of tokens. */
  readonly figure?: string;
  readonly size: number;
  readonly most: number;
  /** How the cache treated the part; null for parts before the messages. */
  readonly fate: ModelMessage["cache"] | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Content that is shown below the text when the row is open. */
  readonly children?: ReactNode;
}

const FATES: Readonly<Record<ModelMessage["cache"], string>> = { read: "read", written: "written", none: "uncached" };

export function PartRow(props: PartRowProps) {
  const { number, label, path, tag, text, language, words, tokens, figure, size, most, fate, isOpen, onToggle } = props;
  const name = `${label}${number === "" ? "" : ` ${number}`}`;
  return (
    <article aria-label={name} data-row="part" className="px-4 py-1">
      <div className="relative overflow-hidden rounded-lg border border-line bg-surface">
        <span
          aria-hidden="true"
          data-part={fate ?? "stable"}
          className={cx("absolute inset-y-0 left-0 w-1", fate === null ? "bg-line-strong" : "bg-[var(--part)]")}
        />
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="block w-full py-1.5 pr-2.5 pl-3.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <span className="flex items-center gap-2 text-xs max-sm:flex-wrap">
            <ChevronRight
              aria-hidden="true"
              className={cx("size-3.5 shrink-0 text-faint transition-transform", isOpen && "rotate-90")}
            />
            {number === "" ? null : <span className="w-8 shrink-0 text-faint tabular-nums">{number}</span>}
            <span className="max-w-[60%] shrink-0 truncate font-mono font-medium">{label}</span>
            {tag === undefined || tag === null ? null : (
              <span className="flex shrink-0 max-sm:order-last max-sm:basis-full max-sm:pl-5.5">{tag}</span>
            )}
            <span className="min-w-0 flex-1 truncate font-mono text-2xs text-faint max-sm:hidden">{path}</span>
            <span className="flex-1 sm:hidden" />
            {fate === null ? null : <span className="w-14 text-right text-2xs text-faint">{FATES[fate]}</span>}
            <span aria-hidden="true" className="hidden h-1.5 w-16 overflow-hidden rounded-full bg-sunken @xl:block">
              <span
                data-part={fate ?? "none"}
                className="block h-full rounded-full bg-[var(--part)]"
                style={{ width: `${most === 0 ? 0 : Math.max(2, (size / most) * 100)}%` }}
              />
            </span>
            <span className="w-16 shrink-0 text-right tabular-nums">
              {figure ?? formatCount(tokens)}
              {figure === undefined ? <span className="sr-only"> tokens</span> : null}
            </span>
          </span>
          {isOpen ? null : (
            <span className="mt-0.5 ml-5.5 line-clamp-2 font-mono text-2xs leading-4 break-all text-soft">
              <Marked text={glimpse(text, words)} words={words} />
            </span>
          )}
        </button>
        {isOpen ? (
          <div className="flex flex-col gap-2 px-3.5 pb-3">
            <TextBox name={name} text={text} words={words} {...(language === undefined ? {} : { language })} />
            {props.children}
          </div>
        ) : null}
      </div>
    </article>
  );
}
