/** Tells the page how high the composer at its end is, so that toasts stand above it. */
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
