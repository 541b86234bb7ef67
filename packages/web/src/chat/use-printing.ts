/** Whether the page is being printed. Then all rows are rendered. */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The rows are rendered synchronously, because the browser prints the page right after this event.
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
