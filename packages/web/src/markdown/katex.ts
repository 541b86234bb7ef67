/** KaTeX with its style sheet and fonts, as one chunk that is loaded on demand. */
import katex from "katex";
import "katex/dist/katex.min.css";

export function drawMath(place: HTMLElement, tex: string, isBlock: boolean): void {
  katex.render(tex, place, {
    displayMode: isBlock,
    throwOnError: false,
    errorColor: "currentColor",
    trust: false,
    strict: "ignore",
    maxExpand: 500,
    maxSize: 20,
  });
}
