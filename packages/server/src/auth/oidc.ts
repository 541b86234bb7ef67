/**
 * Signed tokens (JWT) of an OpenID Connect issuer, in addition to the token list. A token is accepted if the issuer
 * signed it with one of its published keys, if it is for this server, and if it is valid now. Its claims name the
 * scope. Unsigned tokens and signatures with a shared secret are rejected.
 */
import { checkScope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { OidcSettings, ScopeSource } from "cairn-agent/process";
import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
  type RemoteJWKSet,
} from "jose";
import type { Caller } from "./caller.ts";
import { IssuerKeys, type IssuerKeysOptions, unreachable } from "./issuer-keys.ts";

const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
/** Tolerated difference between the clocks of the issuer and this machine. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Maximum length of a claim that is used as a name in the audit log. */
const MAX_NAME_LENGTH = 200;

export class Oidc {
  readonly #settings: OidcSettings;
  readonly #keys: IssuerKeys;

  constructor(settings: OidcSettings, options: IssuerKeysOptions = {}) {
    this.#settings = settings;
    this.#keys = new IssuerKeys(settings.issuer, options);
  }

  /** Whether a token has the form of a signed token. Tokens of the list have another form. */
  static hasForm(token: string): boolean {
    return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
  }

  /** Throws `unauthorized`, `forbidden` for a valid token without access here, and `issuer_unreachable`. */
  async check(token: string): Promise<Caller> {
    const claims = await this.#verify(token, await this.#keys.find());
    const { tenant, project, user } = this.#settings;
    const scope = {
      tenant: partOf(claims, "tenant", tenant),
      project: partOf(claims, "project", project),
      user: partOf(claims, "user", user),
    };
    try {
      checkScope(scope);
    } catch (error) {
      throw new CairnError("forbidden", `The claims of the token do not give a scope: ${messageOf(error)}`);
    }
    const { sub, jti } = claims;
    const subject = nameOf(sub) ?? scope.user;
    const mayInspect = this.#settings.inspect !== null && grantsInspect(claims, this.#settings.inspect);
    return { scope, via: "oidc", subject, credential: nameOf(jti), isOperator: false, mayInspect };
  }

  async #verify(token: string, keys: RemoteJWKSet): Promise<JWTPayload> {
    try {
      return await verifyWithAny(token, keys, {
        issuer: this.#settings.issuer,
        audience: this.#settings.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ["exp"],
      });
    } catch (error) {
      throw isAboutToken(error) ? new CairnError("unauthorized", whatIsWrong(error)) : unreachable(error);
    }
  }
}

/** If a token has no key id, each possible key is tried: an issuer that rotates its keys has two. */
async function verifyWithAny(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error)
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    throw error;
  }
}

/** Accepts any value of the claim, which is only used as a name in logs. */
function nameOf(claim: unknown): string | null {
  return typeof claim === "string" || typeof claim === "number" ? String(claim).slice(0, MAX_NAME_LENGTH) : null;
}

/** Whether the token is invalid. All other errors are about the issuer's keys, and the caller cannot change them. */
function isAboutToken(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

/** Says which check failed, without any content of the token. */
function whatIsWrong(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "The token has expired. Get a new one from its issuer.";
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The token is not valid for this server at this time: its claim \`${error.claim}\` does not match. Get a new one from its issuer.`;
  return "The token is not signed by its issuer for this server. Get a new one from its issuer.";
}

function partOf(claims: JWTPayload, name: string, source: ScopeSource): string {
  if ("value" in source) return source.value;
  const value = Object.hasOwn(claims, source.claim) ? claims[source.claim] : undefined;
  if (typeof value === "string" && value !== "") return value;
  throw new CairnError(
    "forbidden",
    `The token does not name the ${name}: its claim \`${source.claim}\` must be a string.`,
  );
}

/**
 * A claim grants the permission if its value is true, or is a list or a text of words with the name of the permission,
 * as in `scope`.
 */
function grantsInspect(claims: JWTPayload, name: string): boolean {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof claim === "string") return claim.split(/\s+/).includes("inspect");
  return Array.isArray(claim) ? claim.includes("inspect") : claim === true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
