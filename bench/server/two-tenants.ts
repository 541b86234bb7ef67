/** Tokens of two tenants, for a server that is used only for the benchmark. */
import { createHash } from "node:crypto";

export const TOKENS = { polite: "cairn_polite", hostile: "cairn_hostile" } as const;

/** The list of tokens in the form of `CAIRN_TOKENS`. */
export const TOKEN_LIST = JSON.stringify(
  Object.entries(TOKENS).map(([tenant, token]) => ({
    sha256: createHash("sha256").update(token).digest("hex"),
    tenant,
    project: "p",
    user: "u",
    inspect: true,
  })),
);
