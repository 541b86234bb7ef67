/**
 * Highlights, inside an element, the passage that a citation refers to. Also finds the passage in content that the
 * element gets later. Scrolls to the passage once.
 */
import { useEffect, useState } from "react";
import { findPassage } from "../markdown/find-passage.ts";

/** The name of the highlight in the style sheet. */
const PASSAGE = "passage";

export type PassageState = "looking" | "marked" | "missing";

export function usePassage(element: HTMLElement | null, claim: string): PassageState {
  const [state, setState] = useState<PassageState>("looking");
  useEffect(() => {
    if (element === null || !("highlights" in CSS)) return;
    let seen = "";
    const mark = () => {
      const nodes = textNodes(element);
      const text = nodes.map((node) => node.data).join("");
      if (text.trim() === "" || text === seen) return;
      const isFirst = seen === "";
      seen = text;
      const passage = findPassage(claim, text);
      setState(passage === null ? "missing" : "marked");
      if (passage === null) return void CSS.highlights.delete(PASSAGE);
      const range = rangeOf(nodes, passage.start, passage.end);
      CSS.highlights.set(PASSAGE, new Highlight(range));
      if (isFirst) scrollTo(range);
    };
    const drawn = new MutationObserver(mark);
    drawn.observe(element, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      drawn.disconnect();
      CSS.highlights.delete(PASSAGE);
    };
  }, [element, claim]);
  return state;
}

/** Scrolls the passage itself to the middle, because a long text may be a single element. */
function scrollTo(range: Range): void {
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || !/auto|scroll/.test(getComputedStyle(box).overflowY)) continue;
    const { top } = range.getBoundingClientRect();
    box.scrollBy({ top: top - box.getBoundingClientRect().top - box.clientHeight / 2 });
    return;
  }
}

function textNodes(element: HTMLElement): Text[] {
  const found: Text[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) found.push(node as Text);
  return found;
}

function rangeOf(nodes: readonly Text[], start: number, end: number): Range {
  const range = document.createRange();
  let at = 0;
  for (const node of nodes) {
    const next = at + node.length;
    if (start >= at && start < next) range.setStart(node, start - at);
    if (end > at && end <= next) range.setEnd(node, end - at);
    at = next;
  }
  return range;
}
