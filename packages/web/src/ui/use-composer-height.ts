/** Tells the page the height of the composer at its end, so that toasts appear above the composer. */
import { type RefObject, useLayoutEffect } from "react";

const NAME = "--composer-height";

export function useComposerHeight(composer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const element = composer.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => style.setProperty(NAME, `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(NAME);
    };
  }, [composer]);
}
