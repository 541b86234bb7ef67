/**
 * Which package may import which. Imports point down this table only; a package that is not listed fails the check, so
 * that somebody has to choose the place of a new package.
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

/** Tests the other packages. Only tests, `bench/`, `scripts/` and the package itself import it. */
export const testOnlyPackage = "testkit";

/**
 * Packages that only one file may load, because this file adds what every use of the package needs. Other files may
 * import types.
 */
export const singleUser: Readonly<Record<string, { readonly file: string; readonly reason: string }>> = {
  pg: {
    file: "packages/store/src/postgres/connections.ts",
    reason: "a connection without an error listener can end the process; use @cairn/store/postgres to make one",
  },
};

/** The package runs in browsers and gives the same output for the same input: no Node, no clock, no random numbers. */
export const enginePackage = "timeline";
