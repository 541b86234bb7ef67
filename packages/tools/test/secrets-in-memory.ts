import type { Secrets } from "../src/mcp/kept-login.ts";

/** Secrets of one user. `unreadable` makes every value one that was encrypted with another key. */
export function secretsInMemory(values: Map<string, string>, unreadable?: Error): Secrets {
  return {
    read: async (_, name) => {
      if (unreadable !== undefined) throw unreadable;
      return values.get(name) ?? null;
    },
    write: async (_, name, value) => void values.set(name, value),
    update: async (_, name, change) => {
      if (unreadable !== undefined) throw unreadable;
      const value = values.get(name);
      if (value !== undefined) values.set(name, change(value));
    },
    delete: async (_, name) => values.delete(name),
  };
}
