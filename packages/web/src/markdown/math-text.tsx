/**
 * Math. KaTeX, loaded when the first formula is shown, builds the elements itself; what it is not sure of it shows as
 * the source in red. Commands that make links, load pictures or set styles are refused (`trust: false`).
 */
import { useEffect, useRef } from "react";

/** KaTeX could not be loaded: the source stays, which can be read. */
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
  // Until the formula is drawn its source stands there; React leaves what KaTeX puts in its place alone.
  return isBlock ? (
    <div className="katex-block" ref={place as React.RefObject<HTMLDivElement>}>
      {tex}
    </div>
  ) : (
    <span ref={place}>{tex}</span>
  );
}
