/**
 * Which package may import which. Imports point down this table only; a package that is not listed fails the check,
 * so that a new one is placed on purpose.
 */
export const layerOrder: Readonly<Record<string, readonly string[]>> = {
  timeline: [],
  api: ["timeline"],
  store: ["timeline"],
  agent: ["timeline", "store"],
  tools: ["timeline", "agent"],
  front: ["timeline", "api", "store", "agent", "tools"],
  server: ["timeline", "api", "store", "agent", "tools", "front"],
  web: ["timeline", "api"],
  cli: ["timeline", "api", "store", "agent", "tools", "front", "server", "web"],
  testkit: ["timeline", "api", "store", "agent", "tools", "front", "server", "web", "cli"],
};

/** Proves the others. Only tests, `bench/`, `scripts/` and the package itself import it. */
export const testOnlyPackage = "testkit";

/** Packages that one file may load, because it gives what they make what every use of it needs. Others import their types. */
export const singleUser: Readonly<Record<string, { readonly file: string; readonly reason: string }>> = {
  pg: {
    file: "packages/store/src/postgres/connections.ts",
    reason: "a connection without an error listener can end the process; use @cairn/store/postgres to make one",
  },
};

/** Runs in browsers and gives the same output for the same input: no Node, no clock, no chance. */
export const enginePackage = "timeline";
