/** The scenarios that the client does not pass, with the reason. A scenario that passes may not be listed. */
import type { Revision } from "./run-suite.ts";

const OAUTH = "Cairn has no OAuth client: a server gets the headers of its configuration.";
const ELICITATION = "Cairn does not answer questions of a server.";
const CHECKED =
  "Cairn checks parameters before a call. The scenario sends null for a parameter that must be a boolean by its schema.";

const TOKENS = ["auth/token-endpoint-auth-basic", "auth/token-endpoint-auth-post", "auth/token-endpoint-auth-none"];

const AUTH_2025_11 = [
  ...TOKENS,
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/basic-cimd",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-step-up",
  "auth/scope-retry-limit",
  "auth/pre-registration",
];

const AUTH_2026_07 = [
  ...AUTH_2025_11,
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
  "auth/authorization-server-migration",
  "auth/iss-supported",
  "auth/iss-not-advertised",
  "auth/iss-supported-missing",
  "auth/iss-wrong-issuer",
  "auth/iss-unexpected",
  "auth/iss-normalized",
  "auth/metadata-issuer-mismatch",
];

const EXCEPTIONS: Readonly<Record<Revision, ReadonlyMap<string, string>>> = {
  "2025-06-18": because(OAUTH, TOKENS),
  "2025-11-25": new Map([
    ...because(OAUTH, AUTH_2025_11),
    ...because(ELICITATION, ["elicitation-sep1034-client-defaults"]),
  ]),
  "2026-07-28": new Map([
    ...because(OAUTH, AUTH_2026_07),
    ...because(ELICITATION, ["sep-2322-client-request-state"]),
    ...because(CHECKED, ["http-custom-headers"]),
  ]),
};

export function exceptionsOf(revision: Revision): ReadonlyMap<string, string> {
  return EXCEPTIONS[revision];
}

function because(reason: string, scenarios: readonly string[]): ReadonlyMap<string, string> {
  return new Map(scenarios.map((scenario) => [scenario, reason]));
}
