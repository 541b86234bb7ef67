/** The row of a search hit, with a frame and with the words highlighted. */
import { type ReactNode, useEffect, useRef } from "react";
import { useRoute } from "../route/location.ts";
import { wordsIn } from "./words-in.ts";

/** The name of the highlight in the style sheet. */
const FOUND = "found";

export function FoundRow({ rowKey, children }: { readonly rowKey: string; readonly children: ReactNode }) {
  const route = useRoute();
  const isFound = route.page === "chat" && route.find !== undefined && route.turnId === rowKey;
  return isFound ? <Framed words={route.find ?? ""}>{children}</Framed> : children;
}

function Framed({ words, children }: { readonly words: string; readonly children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null || !("highlights" in CSS)) return;
    const mark = () => CSS.highlights.set(FOUND, new Highlight(...rangesIn(element, words)));
    // Text that is rendered later, such as highlighted code, is marked when it appears.
    const drawn = new MutationObserver(mark);
    drawn.observe(element, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      drawn.disconnect();
      CSS.highlights.delete(FOUND);
    };
  }, [words]);
  return (
    <div ref={frame} data-found="" className="-mx-3 rounded-xl bg-accent/8 px-3 pb-2 ring-1 ring-accent/40">
      {children}
    </div>
  );
}

function rangesIn(element: HTMLElement, words: string): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const { start, end } of wordsIn(node.textContent ?? "", words)) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  return ranges;
}
