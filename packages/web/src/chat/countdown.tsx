/** The remaining seconds of a wait, counted from when the app received it. */
import { useEffect, useState } from "react";

export function Countdown({ wait }: { readonly wait: { readonly ms: number } }) {
  const [left, setLeft] = useState(wait.ms);
  useEffect(() => {
    const end = Date.now() + wait.ms;
    setLeft(wait.ms);
    const timer = setInterval(() => setLeft(Math.max(0, end - Date.now())), 1_000);
    return () => clearInterval(timer);
  }, [wait]);
  const seconds = Math.ceil(left / 1_000);
  if (seconds === 0) return "now";
  // Screen readers announce it once, not every second.
  return <span aria-live="off">in {seconds} s</span>;
}
