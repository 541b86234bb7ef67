/** Whether the page is being printed: then all rows are rendered. */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser prints the page as it is right after this event, so the rows are rendered synchronously.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    globalThis.addEventListener("beforeprint", begin);
    globalThis.addEventListener("afterprint", end);
    return () => {
      globalThis.removeEventListener("beforeprint", begin);
      globalThis.removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}
