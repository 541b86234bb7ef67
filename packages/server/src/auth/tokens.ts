/** The token list: the SHA-256 hash and the scope of each token. Random tokens need no salt in their hashes. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { checkScope, type Scope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { z } from "zod";
import type { Caller } from "./caller.ts";

const entrySchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits"),
  tenant: z.string(),
  project: z.string(),
  user: z.string(),
  operator: z.boolean().optional(),
  inspect: z.boolean().optional(),
});

export type TokenEntry = z.output<typeof entrySchema>;

export interface TokenRights {
  /** Whether the token also gives access to the spending of all users, and to internal content. */
  readonly operator?: boolean;
  /** Whether the token also gives access to internal content of the scope's conversations. */
  readonly inspect?: boolean;
}

/** A token and its entry in the list. The token is shown once and stored nowhere. */
export function newToken({ tenant, project, user, operator, inspect }: Scope & TokenRights) {
  checkScope({ tenant, project, user });
  const token = `cairn_${randomBytes(32).toString("base64url")}`;
  const sha256 = hashToken(token).toString("hex");
  const rights = { ...(operator === true ? { operator } : {}), ...(inspect === true ? { inspect } : {}) };
  const entry: TokenEntry = { sha256, tenant, project, user, ...rights };
  return { token, entry };
}

/** Number of digits of a token's hash in the audit log: enough to find it in the list, useless for access. */
const ID_DIGITS = 16;

export class Tokens {
  readonly #entries: readonly { readonly hash: Buffer; readonly caller: Caller }[];

  constructor(entries: readonly TokenEntry[]) {
    this.#entries = entries.map(({ sha256, tenant, project, user, operator = false, inspect = operator }) => ({
      hash: Buffer.from(sha256, "hex"),
      caller: {
        scope: { tenant, project, user },
        via: "token",
        subject: user,
        credential: sha256.slice(0, ID_DIGITS),
        isOperator: operator,
        mayInspect: inspect,
      },
    }));
  }

  /** The caller with this token; null for an unknown token. Takes constant time. */
  find(token: string): Caller | null {
    const given = hashToken(token);
    let found: Caller | null = null;
    for (const { hash, caller } of this.#entries) if (timingSafeEqual(hash, given)) found = caller;
    return found;
  }
}

/** Whether a setting is the list itself and not a file name. */
export function isList(setting: string): boolean {
  return setting.startsWith("[");
}

/** Reads the list, or its file. Throws `bad_setting` with a one-line reason. */
export async function readTokens(setting: string): Promise<Tokens> {
  const text = isList(setting) ? setting : await readList(setting);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw badTokens("is not JSON");
  }
  const checked = z.array(entrySchema).safeParse(list);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw badTokens(
      `is not a list of {sha256, tenant, project, user}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
    );
  }
  for (const entry of checked.data) checkScope(entry);
  return new Tokens(checked.data);
}

async function readList(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw badTokens(`names a file that cannot be read: ${error instanceof Error ? error.message : ""}`);
  }
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function badTokens(problem: string): CairnError {
  return new CairnError("bad_setting", `CAIRN_TOKENS ${problem.trim()}.`);
}
