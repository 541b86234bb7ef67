/** The issuer whose signed tokens the server accepts, and the claims that give the scope. */
import { badSetting, text, type ValuesOf } from "./setting.ts";

export interface OidcSettings {
  /** The issuer, which is the `iss` of its tokens. */
  readonly issuer: string;
  /** The audience, which is the `aud` that names this server. */
  readonly audience: string;
  readonly tenant: ScopeSource;
  readonly project: ScopeSource;
  readonly user: ScopeSource;
  /** The claim that grants the permission `inspect`; null if no claim grants it. */
  readonly inspect: string | null;
}

/** The source of a part of the scope: a claim of the token, or one value for everybody. */
export type ScopeSource = { readonly claim: string } | { readonly value: string };

export const OIDC = {
  oidcIssuer: text({
    variable: "CAIRN_OIDC_ISSUER",
    byDefault: "none",
    about: "An OpenID Connect issuer whose signed tokens the server also accepts, such as `https://login.example.com`.",
  }),
  oidcAudience: text({
    variable: "CAIRN_OIDC_AUDIENCE",
    byDefault: "none",
    about: "The `aud` claim that these tokens must have. Required with an issuer.",
  }),
  oidcTenant: text({
    variable: "CAIRN_OIDC_TENANT",
    byDefault: "tenant",
    about: "The claim that names the tenant, or `=acme` for one tenant for every user of the issuer.",
  }),
  oidcProject: text({
    variable: "CAIRN_OIDC_PROJECT",
    byDefault: "project",
    about: "The claim that names the project, or `=` and a name for one project for every user of the issuer.",
  }),
  oidcUser: text({
    variable: "CAIRN_OIDC_USER",
    byDefault: "sub",
    about: "The claim that names the user, or `=` and a name for one user for every token of the issuer.",
  }),
  oidcInspect: text({
    variable: "CAIRN_OIDC_INSPECT",
    byDefault: "none",
    about:
      "The claim that grants the permission `inspect`. The claim must be `true`, or contain `inspect` in a list or as a word. Without this setting, no signed token grants it.",
  }),
};

/** Reads the OpenID Connect settings; null without an issuer. Throws `bad_setting`. */
export function readOidc(texts: ValuesOf<typeof OIDC>): OidcSettings | null {
  const { oidcIssuer: issuer, oidcAudience: audience } = texts;
  if (issuer === null) {
    if (Object.values(texts).every((text) => text === null)) return null;
    throw badSetting("CAIRN_OIDC_ISSUER", "is missing: it is required when other CAIRN_OIDC settings are set");
  }
  checkIssuer(issuer);
  if (audience === null)
    throw badSetting(
      "CAIRN_OIDC_AUDIENCE",
      "is missing: without it, the server would accept tokens that were issued for other services",
    );
  return {
    issuer,
    audience,
    tenant: sourceOf("CAIRN_OIDC_TENANT", texts.oidcTenant ?? OIDC.oidcTenant.byDefault),
    project: sourceOf("CAIRN_OIDC_PROJECT", texts.oidcProject ?? OIDC.oidcProject.byDefault),
    user: sourceOf("CAIRN_OIDC_USER", texts.oidcUser ?? OIDC.oidcUser.byDefault),
    inspect: texts.oidcInspect,
  };
}

function sourceOf(variable: string, text: string): ScopeSource {
  if (!text.startsWith("=")) return { claim: text };
  const value = text.slice(1).trim();
  if (value === "") throw badSetting(variable, "needs a value after the equals sign");
  return { value };
}

function checkIssuer(issuer: string): void {
  if (!URL.canParse(issuer)) throw badSetting("CAIRN_OIDC_ISSUER", "must be a URL, such as https://login.example.com");
  const { search, hash, username } = new URL(issuer);
  if (!isSafeAddress(issuer))
    throw badSetting("CAIRN_OIDC_ISSUER", "must begin with https:// (http:// is allowed on this machine only)");
  if (search !== "" || hash !== "" || username !== "")
    throw badSetting("CAIRN_OIDC_ISSUER", "must have no query, no fragment and no user name");
}

/** Keys that are fetched over an insecure connection cannot be trusted. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}
