/** For tests: a local OpenID Connect issuer over HTTP, with keys that can be changed. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export async function makeKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

export class LocalIssuer implements AsyncDisposable {
  readonly address: string;
  /** The keys that the issuer publishes now. */
  keys: readonly SigningKey[];
  /** Received requests, by path. */
  readonly asked: string[] = [];
  /** Answers by path, instead of the usual ones. */
  readonly instead = new Map<string, string>();
  /** Set to true, the issuer accepts requests and never answers. */
  isStuck = false;
  readonly #server: Server;

  private constructor(server: Server, keys: readonly SigningKey[]) {
    this.#server = server;
    this.keys = keys;
    const address = server.address();
    this.address = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    server.on("request", (request, response) => {
      const path = request.url ?? "";
      this.asked.push(path);
      if (this.isStuck) return;
      const body = this.instead.get(path) ?? this.#answer(path);
      response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" }).end(body ?? "{}");
    });
  }

  static async open(...keys: readonly SigningKey[]): Promise<LocalIssuer> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new LocalIssuer(server, keys);
  }

  /** Signs a valid token for `cairn`, unless the claims or the header say otherwise; an undefined claim is left out. */
  async sign(
    claims: Readonly<Record<string, unknown>> = {},
    { key = this.keys[0], header = {} }: { key?: SigningKey | undefined; header?: Record<string, unknown> } = {},
  ): Promise<string> {
    if (key === undefined) throw new Error("The issuer has no key.");
    const now = Math.floor(Date.now() / 1_000);
    const usual = { iss: this.address, aud: "cairn", sub: "ada", tenant: "acme", project: "site" };
    const all: JWTPayload = { ...usual, iat: now, exp: now + 300, jti: "token-1", ...claims };
    const protectedHeader = { alg: key.alg, kid: key.kid, typ: "JWT", ...header };
    return new SignJWT(JSON.parse(JSON.stringify(all))).setProtectedHeader(protectedHeader).sign(key.privateKey);
  }

  countOf(path: string): number {
    return this.asked.filter((asked) => asked === path).length;
  }

  #answer(path: string): string | null {
    if (path === "/.well-known/openid-configuration")
      return JSON.stringify({ issuer: this.address, jwks_uri: `${this.address}/keys` });
    return path === "/keys" ? JSON.stringify({ keys: this.keys.map(({ publicJwk }) => publicJwk) }) : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}
