/** The issuer whose signed tokens the server accepts, and the claims that give the scope. */
import { CairnError } from "@cairn/timeline";

export interface OidcSettings {
  /** The `iss` of its tokens. */
  readonly issuer: string;
  /** The `aud` that names this server. */
  readonly audience: string;
  readonly tenant: ScopeSource;
  readonly project: ScopeSource;
  readonly user: ScopeSource;
  /** The claim that grants the permission `inspect`; null where none does. */
  readonly inspect: string | null;
}

/** The source of a part of the scope: a claim of the token, or one value for everybody. */
export type ScopeSource = { readonly claim: string } | { readonly value: string };

/** The settings as strings; null for absent ones. */
export interface OidcTexts {
  readonly issuer: string | null;
  readonly audience: string | null;
  readonly tenant: string | null;
  readonly project: string | null;
  readonly user: string | null;
  readonly inspect: string | null;
}

/** Null without an issuer. Throws `bad_setting`. */
export function readOidc(texts: OidcTexts): OidcSettings | null {
  const { issuer, audience } = texts;
  if (issuer === null) {
    if (Object.values(texts).every((text) => text === null)) return null;
    throw bad("CAIRN_OIDC_ISSUER", "is missing: it is required when other CAIRN_OIDC settings are set");
  }
  checkIssuer(issuer);
  if (audience === null)
    throw bad(
      "CAIRN_OIDC_AUDIENCE",
      "is missing: without it, the server would accept tokens that were issued for other services",
    );
  return {
    ...{ issuer, audience },
    tenant: sourceOf("CAIRN_OIDC_TENANT", texts.tenant ?? "tenant"),
    project: sourceOf("CAIRN_OIDC_PROJECT", texts.project ?? "project"),
    user: sourceOf("CAIRN_OIDC_USER", texts.user ?? "sub"),
    inspect: texts.inspect,
  };
}

function sourceOf(variable: string, text: string): ScopeSource {
  if (!text.startsWith("=")) return { claim: text };
  const value = text.slice(1).trim();
  if (value === "") throw bad(variable, "needs a value after the equals sign");
  return { value };
}

function checkIssuer(issuer: string): void {
  if (!URL.canParse(issuer)) throw bad("CAIRN_OIDC_ISSUER", "is not an address, such as https://login.example.com");
  const { search, hash, username } = new URL(issuer);
  if (!isSafeAddress(issuer))
    throw bad("CAIRN_OIDC_ISSUER", "must begin with https:// (http:// is allowed on this machine only)");
  if (search !== "" || hash !== "" || username !== "")
    throw bad("CAIRN_OIDC_ISSUER", "must have no query, no fragment and no user name");
}

/** Keys that are fetched over an insecure connection cannot be trusted. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}

function bad(variable: string, problem: string): CairnError {
  return new CairnError("bad_setting", `${variable} ${problem}.`, { variable });
}
