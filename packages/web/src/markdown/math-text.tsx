/**
 * A formula. KaTeX is loaded with the first formula and makes the elements itself. It shows invalid formulas as source
 * in red. Commands that make links, load pictures or set styles are disabled (`trust: false`).
 */
import { useEffect, useRef } from "react";

/** KaTeX could not be loaded, so the source stays visible. */
const keepSource = () => undefined;

export function MathText({ tex, isBlock }: { readonly tex: string; readonly isBlock: boolean }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    let isWanted = true;
    const draw = ({ drawMath }: typeof import("./katex.ts")) => {
      if (isWanted && place.current !== null) drawMath(place.current, tex, isBlock);
    };
    import("./katex.ts").then(draw, keepSource);
    return () => {
      isWanted = false;
    };
  }, [tex, isBlock]);
  // The source is shown until the formula is rendered; React does not touch KaTeX's elements.
  return isBlock ? (
    <div className="katex-block" ref={place as React.RefObject<HTMLDivElement>}>
      {tex}
    </div>
  ) : (
    <span ref={place}>{tex}</span>
  );
}
