/** The changes from one version of a file to the next, line by line. */
import { useMemo } from "react";
import { changedLines } from "./changed-lines.ts";
import { ChangedText } from "./changed-text.tsx";
import { useFileText } from "./use-file-text.ts";

export function FileChanges({ before, after }: { readonly before: string; readonly after: string }) {
  const old = useFileText(before);
  const now = useFileText(after);
  const oldText = old.phase === "ready" ? old.text : null;
  const newText = now.phase === "ready" ? now.text : null;
  const lines = useMemo(
    () => (oldText === null || newText === null ? null : changedLines(oldText, newText)),
    [oldText, newText],
  );
  if (old.phase === "failed" || now.phase === "failed")
    return <p className="p-6 text-sm text-danger">One of the versions could not be loaded.</p>;
  if (lines === null) return <p className="p-6 text-sm text-faint">Comparing…</p>;
  if (lines.length === 0) return <p className="p-6 text-sm text-soft">The two versions are the same.</p>;
  return <ChangedText label="Changes" lines={lines} className="py-3" />;
}
