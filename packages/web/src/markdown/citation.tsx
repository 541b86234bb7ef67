/** Citation chips: the number of a source. Pointing at or pressing one opens a card with origin and quoted words. */
import type { SourceRow } from "@cairn/timeline";
import { ExternalLink, FileText, Globe } from "lucide-react";
import { Popover } from "radix-ui";
import { useContext, useEffect, useRef, useState } from "react";
import { useLayer } from "../ui/layer.ts";
import { findQuote } from "./find-quote.ts";
import { KnownSourcesContext, ReadingContext } from "./reading-context.ts";
import { safeLink } from "./safe-link.ts";
import { sourcePlace, sourceText, sourceTitle } from "./source-text.ts";
import { atWords } from "./text-fragment.ts";
import { withoutComments } from "./without-comments.ts";

const MAX_CHIPS = 6;
/** Maximum number of sources that are shown for one token, which may name a thousand. */
const MAX_OPENED = 100;

export function Citation({ sids, before }: { readonly sids: readonly number[]; readonly before: string }) {
  const highest = useContext(KnownSourcesContext);
  const [isWhole, setWhole] = useState(false);
  const known = sids.filter((sid) => sid <= highest);
  // The token stays text, because no source had this number when the text was written.
  if (known.length === 0) return <>{`[[S:${sids.join(",")}]]`}</>;
  const shown = known.slice(0, isWhole ? MAX_OPENED : MAX_CHIPS);
  const left = known.length - shown.length;
  return (
    <span className={isWhole ? undefined : "whitespace-nowrap"}>
      {shown.map((sid) => (
        <Chip key={sid} sid={sid} before={before} />
      ))}
      {left === 0 ? null : isWhole ? (
        <span className="text-xs text-faint"> +{left}</span>
      ) : (
        <button
          type="button"
          aria-label={`${left} more ${left === 1 ? "source" : "sources"}`}
          className="mx-px rounded-[0.4rem] px-1 font-sans text-2xs text-soft hover:bg-hover hover:text-ink"
          onClick={() => setWhole(true)}
        >
          +{left}
        </button>
      )}
    </span>
  );
}

const OPEN_MS = 140;
const CLOSE_MS = 180;

function Chip({ sid, before }: { readonly sid: number; readonly before: string }) {
  const { source, wantSource } = useContext(ReadingContext);
  const row = source?.(sid);
  const isUnknown = row === undefined;
  useEffect(() => {
    if (isUnknown) wantSource?.(sid);
  }, [isUnknown, wantSource, sid]);
  const layer = useLayer();
  const [isOpen, setOpen] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (open: boolean, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), ms);
  };
  const hover = {
    onPointerEnter: (event: React.PointerEvent) => {
      if (event.pointerType === "mouse" && !isHeld) later(true, OPEN_MS);
    },
    onPointerLeave: (event: React.PointerEvent) => {
      if (event.pointerType === "mouse" && !isHeld) later(false, CLOSE_MS);
    },
  };
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(open) => {
        clearTimeout(timer.current);
        setOpen(open);
        setHeld(open);
      }}
    >
      <Popover.Trigger
        {...hover}
        onClick={(event) => {
          if (!isOpen || isHeld) return;
          // A card that the pointer opened stays open after a click, instead of closing.
          event.preventDefault();
          clearTimeout(timer.current);
          setHeld(true);
        }}
        className="mx-px inline-flex h-4.5 min-w-4.5 translate-y-[-0.25em] items-center justify-center rounded-[0.4rem] bg-accent-soft px-1 align-baseline font-sans text-2xs font-semibold text-accent-strong tabular-nums hover:bg-accent hover:text-on-accent data-[state=open]:bg-accent data-[state=open]:text-on-accent"
        aria-label={`Source ${sid}${row === undefined ? "" : `: ${sourceTitle(row)}`}`}
      >
        {sid}
      </Popover.Trigger>
      <Popover.Portal {...layer}>
        <Popover.Content
          {...hover}
          side="top"
          sideOffset={6}
          collisionPadding={12}
          aria-label={`Source ${sid}`}
          onOpenAutoFocus={(event) => {
            if (!isHeld) event.preventDefault();
          }}
          className="z-40 w-[min(24rem,calc(100vw-2rem))] rounded-xl border border-line bg-surface p-3.5 font-sans text-sm shadow-float animate-rise"
        >
          {row === undefined ? (
            <p className="text-soft">This source is not known here.</p>
          ) : (
            <SourceCard
              row={row}
              before={before}
              onOpened={() => {
                clearTimeout(timer.current);
                setOpen(false);
                setHeld(false);
              }}
            />
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface SourceCardProps {
  readonly row: SourceRow;
  readonly before: string;
  /** Called when the source is opened in a viewer. */
  readonly onOpened: () => void;
}

function SourceCard({ row, before, onOpened }: SourceCardProps) {
  const { openFile, openSource } = useContext(ReadingContext);
  const link = typeof row.url === "string" ? safeLink(row.url) : null;
  const path = typeof row.artifact_path === "string" ? row.artifact_path : null;
  const text = sourceText(row);
  const quote = findQuote(before, withoutComments(text));
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start gap-2.5">
        <span className="mt-0.5 text-faint [&_svg]:size-4">{link?.kind === "web" ? <Globe /> : <FileText />}</span>
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{sourceTitle(row)}</p>
          <p className="truncate text-xs text-faint">{sourcePlace(row)}</p>
        </div>
      </div>
      {quote === null ? null : (
        <blockquote className="max-h-48 overflow-auto border-l-2 border-line-strong pl-2.5 font-serif text-[0.9rem] leading-snug text-soft">
          {quote.before}
          {quote.quoted === "" ? null : <mark className="bg-[var(--mark)] text-ink">{quote.quoted}</mark>}
          {quote.after}
        </blockquote>
      )}
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {path !== null && openFile !== undefined ? (
          <OpenButton onClick={() => openFile(path, before)} onOpened={onOpened}>
            Open the file
          </OpenButton>
        ) : text !== "" && openSource !== undefined ? (
          <OpenButton onClick={() => openSource(row, before)} onOpened={onOpened}>
            Show the passage
          </OpenButton>
        ) : null}
        {link?.kind === "web" ? (
          <a
            className="inline-flex items-center gap-1 text-xs font-medium text-accent hover:underline"
            href={atWords(link.href, quote?.quoted ?? "")}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            Open the page <ExternalLink className="size-3" />
          </a>
        ) : null}
      </div>
    </div>
  );
}

interface OpenButtonProps {
  readonly onClick: () => void;
  readonly onOpened: () => void;
  readonly children: string;
}

function OpenButton({ onClick, onOpened, children }: OpenButtonProps) {
  return (
    <button
      type="button"
      className="text-xs font-medium text-accent hover:underline"
      onClick={() => {
        onOpened();
        onClick();
      }}
    >
      {children}
    </button>
  );
}
