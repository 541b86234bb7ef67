/**
 * Cycles among the project's files. For each file the shortest way back to itself is found by breadth-first search,
 * which is fast enough for this project. A cycle is reported once, starting at its alphabetically first file.
 */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importCycles(graph: ImportGraph): string[][] {
  const cycles = new Map<string, string[]>();
  for (const file of graph.keys()) {
    const cycle = shortestCycle(graph, file);
    if (cycle !== undefined) {
      const rotated = startAtFirst(cycle);
      cycles.set(rotated.join("\n"), rotated);
    }
  }
  return [...cycles.values()];
}

function shortestCycle(graph: ImportGraph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return trail(cameFrom, start, file);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

function trail(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const files = [end];
  for (let file = end; file !== start; ) {
    file = cameFrom.get(file) ?? start;
    files.unshift(file);
  }
  return files;
}

function startAtFirst(cycle: readonly string[]): string[] {
  const first = [...cycle].sort()[0] ?? "";
  const at = cycle.indexOf(first);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
