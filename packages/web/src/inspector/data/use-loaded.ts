/** Data from the server for a key. It is loaded again when it may have changed; until then, the old value is shown. */
import { useCallback, useEffect, useState } from "react";

export interface Loaded<T> {
  readonly value: T | null;
  /** The error of the last load. */
  readonly problem: string | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<T> {
  readonly owner: string;
  readonly key: string | null;
  readonly value: T | null;
  readonly problem: string | null;
}

/** `load` must be the same function for the same key. A new `version`, as of a grown journal, loads again. */
export function useLoaded<T>(
  owner: string,
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  version: number | string = 0,
): Loaded<T> {
  const [state, setState] = useState<State<T>>({ owner, key: null, value: null, problem: null });
  const [tries, setTries] = useState(0);
  const reload = useCallback(() => setTries((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version or another try asks for the same again.
  useEffect(() => {
    const control = new AbortController();
    load(control.signal).then(
      (value) => {
        if (!control.signal.aborted) setState({ owner, key, value, problem: null });
      },
      (error: unknown) => {
        if (control.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        setState((before) =>
          before.owner === owner && before.key === key ? { ...before, problem } : { owner, key, value: null, problem },
        );
      },
    );
    return () => control.abort();
  }, [owner, key, load, version, tries]);
  const isOwn = state.owner === owner;
  return {
    value: isOwn ? state.value : null,
    problem: isOwn && state.key === key ? state.problem : null,
    isLoading: !isOwn || state.key !== key,
    reload,
  };
}
