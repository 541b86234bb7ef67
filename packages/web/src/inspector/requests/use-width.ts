/** The width of an element in pixels, as it is now. */
import { useEffect, useState } from "react";

export function useWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(480);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
