/** The text of a file, loaded once. Very large files are cut, because a browser should not lay out megabytes. */
import { useEffect, useState } from "react";
import { request } from "../api/call.ts";

export type FileText =
  | { readonly phase: "loading" }
  | { readonly phase: "failed"; readonly problem: string }
  | { readonly phase: "ready"; readonly text: string; readonly isCut: boolean };

const MAX_CHARACTERS = 1_000_000;

export function useFileText(address: string): FileText {
  const [state, setState] = useState<FileText>({ phase: "loading" });
  useEffect(() => {
    const control = new AbortController();
    setState({ phase: "loading" });
    request(address, { signal: control.signal })
      .then((answer) => answer.text())
      .then((text) =>
        setState({ phase: "ready", text: text.slice(0, MAX_CHARACTERS), isCut: text.length > MAX_CHARACTERS }),
      )
      .catch((error: unknown) => {
        if (!control.signal.aborted)
          setState({ phase: "failed", problem: error instanceof Error ? error.message : String(error) });
      });
    return () => control.abort();
  }, [address]);
  return state;
}
