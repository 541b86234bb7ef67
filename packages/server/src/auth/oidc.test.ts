/** Tests signed tokens of an issuer whose keys are really requested over HTTP. */
import { readSettings } from "cairn-agent/process";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LocalIssuer, makeKey, type SigningKey } from "../../test/local-issuer.ts";
import { ServerBench } from "../../test/server-bench.ts";
import type { IssuerKeysOptions } from "./issuer-keys.ts";
import { Oidc } from "./oidc.ts";
import { newToken } from "./tokens.ts";

const DISCOVERY = "/.well-known/openid-configuration";
const now = () => Math.floor(Date.now() / 1_000);

let key: SigningKey;
let issuer: LocalIssuer;
beforeAll(async () => {
  key = await makeKey("first");
  issuer = await LocalIssuer.open(key);
});
afterAll(() => issuer[Symbol.asyncDispose]());

const issuedBy = ({ address }: LocalIssuer) => ({ CAIRN_OIDC_ISSUER: address, CAIRN_OIDC_AUDIENCE: "cairn" });

function oidcOf(of: LocalIssuer, options: IssuerKeysOptions = {}, env: Record<string, string> = {}): Oidc {
  const { oidc } = readSettings(null, { ...issuedBy(of), ...env }, "/").server;
  if (oidc === null) throw new Error("There is no issuer.");
  return new Oidc(oidc, options);
}

describe("a signed token", () => {
  it("opens the scope its claims name, and is known by its subject and its id", async () => {
    expect(await oidcOf(issuer).check(await issuer.sign())).toEqual({
      scope: { tenant: "acme", project: "site", user: "ada" },
      via: "oidc",
      isOperator: false,
      subject: "ada",
      credential: "token-1",
      mayInspect: false,
    });
  });

  it("grants the permission to inspect only if the configured claim says so", async () => {
    const rights = async (claim: unknown, env = { CAIRN_OIDC_INSPECT: "rights" }) =>
      (await oidcOf(issuer, {}, env).check(await issuer.sign({ rights: claim }))).mayInspect;
    for (const grants of [true, "inspect", "openid inspect", ["inspect"]]) expect(await rights(grants)).toBe(true);
    for (const grants of [undefined, false, 1, "inspector", ["other"], { inspect: true }])
      expect(await rights(grants)).toBe(false);
    expect(await oidcOf(issuer).check(await issuer.sign({ inspect: true, rights: true }))).toMatchObject({
      mayInspect: false,
    });
  });

  it("is known by its issuer's claims, even if they are long or not strings", async () => {
    const oidc = oidcOf(issuer, {}, { CAIRN_OIDC_USER: "email" });
    const numbers = await oidc.check(await issuer.sign({ email: "ada@example.com", sub: 42, jti: 7 }));
    expect(numbers).toMatchObject({ scope: { user: "ada@example.com" }, subject: "42", credential: "7" });
    const odd = await oidc.check(await issuer.sign({ email: "ada@example.com", sub: ["a"], jti: { a: 1 } }));
    expect(odd).toMatchObject({ subject: "ada@example.com", credential: null });
    const long = await oidc.check(await issuer.sign({ email: "a", sub: "s".repeat(999), jti: "j".repeat(999) }));
    expect([long.subject.length, long.credential?.length]).toEqual([200, 200]);
  });

  it("without a key id is tried with each of its issuer's keys", async () => {
    const keys = await Promise.all(["one", "two", "three"].map((kid) => makeKey(kid)));
    await using changing = await LocalIssuer.open(...keys);
    const oidc = oidcOf(changing);
    for (const each of keys)
      expect(await oidc.check(await changing.sign({}, { key: each, header: { kid: undefined } }))).toMatchObject({
        subject: "ada",
      });
    const header = { kid: undefined };
    const strange = await changing.sign({}, { key: await makeKey("one"), header });
    await expect(oidc.check(strange)).rejects.toMatchObject({ code: "unauthorized" });
    const late = await changing.sign({ exp: now() - 60 }, { key: keys[1], header });
    await expect(oidc.check(late)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it.each(["RS256", "PS256", "ES384", "EdDSA"])("may be signed with %s", async (alg) => {
    await using other = await LocalIssuer.open(await makeKey("k", alg));
    expect(await oidcOf(other).check(await other.sign())).toMatchObject({ via: "oidc" });
  });

  it("may name one of several audiences, and be slightly early or late by another clock", async () => {
    const oidc = oidcOf(issuer);
    for (const claims of [{ aud: ["other", "cairn"] }, { exp: now() - 10 }, { nbf: now() + 10 }])
      expect(await oidc.check(await issuer.sign(claims))).toMatchObject({ subject: "ada" });
  });

  it.each<[string, () => Readonly<Record<string, unknown>>]>([
    ["has expired", () => ({ exp: now() - 60 })],
    ["is not valid yet", () => ({ nbf: now() + 60 })],
    ["never ends", () => ({ exp: undefined })],
    ["is for another service", () => ({ aud: "other" })],
    ["is for nobody", () => ({ aud: undefined })],
    ["is for a service whose name begins like ours", () => ({ aud: "cairn2" })],
    ["is of another issuer", () => ({ iss: "https://evil.example" })],
    ["is of an issuer whose address ends otherwise", () => ({ iss: `${issuer.address}/` })],
    ["names no issuer", () => ({ iss: undefined })],
    ["ends at a time that is not a number", () => ({ exp: "tomorrow" })],
  ])("opens nothing when it %s", async (_, claims) => {
    const checking = oidcOf(issuer).check(await issuer.sign(claims()));
    await expect(checking).rejects.toMatchObject({ code: "unauthorized" });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["no tenant", { tenant: undefined }],
    ["no project", { project: undefined }],
    ["no user", { sub: undefined }],
    ["an empty tenant", { tenant: "" }],
    ["a list of tenants", { tenant: ["acme", "globex"] }],
    ["an object for a tenant", { tenant: { toString: "acme" } }],
    ["a number for a project", { project: 7 }],
    ["a tenant longer than a scope may be", { tenant: "x".repeat(600) }],
    ["a tenant with half a character", { tenant: "\ud800" }],
  ])("opens nothing when it is good but says %s", async (_, claims) => {
    const checking = oidcOf(issuer).check(await issuer.sign(claims));
    await expect(checking).rejects.toMatchObject({ code: "forbidden" });
  });

  it("takes parts of the scope from the claims the settings name, or from the settings", async () => {
    const oidc = oidcOf(
      issuer,
      {},
      { CAIRN_OIDC_TENANT: "tid", CAIRN_OIDC_PROJECT: "=main", CAIRN_OIDC_USER: "email" },
    );
    const token = await issuer.sign({ tid: "t-1", email: "ada@example.com", project: "other", tenant: "globex" });
    const { scope, subject } = await oidc.check(token);
    expect(scope).toEqual({ tenant: "t-1", project: "main", user: "ada@example.com" });
    expect(subject).toBe("ada");
    const inherited = oidcOf(issuer, {}, { CAIRN_OIDC_TENANT: "constructor" });
    await expect(inherited.check(token)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("a forged token", () => {
  const claims = (): JWTPayload => ({
    iss: issuer.address,
    aud: "cairn",
    sub: "eve",
    tenant: "acme",
    project: "site",
    exp: now() + 300,
  });
  const refused = async (token: string) =>
    expect(oidcOf(issuer).check(token)).rejects.toMatchObject({ code: "unauthorized" });

  it("gives no access when it is not signed at all", async () => {
    await refused(new UnsecuredJWT(claims()).encode());
    const [, payload] = (await issuer.sign()).split(".");
    for (const alg of ["none", "None", "NONE", ""])
      await refused(`${Buffer.from(JSON.stringify({ alg, kid: "first" })).toString("base64url")}.${payload}.`);
  });

  it("gives no access when it is signed with a secret, even if that is the public key", async () => {
    const secret = new TextEncoder().encode(JSON.stringify(key.publicJwk).padEnd(64, " "));
    for (const alg of ["HS256", "HS512"])
      await refused(await new SignJWT(claims()).setProtectedHeader({ alg, kid: "first" }).sign(secret));
  });

  it("gives no access when another key signed it, under any name, or with the key that it contains", async () => {
    const own = await makeKey("first");
    await refused(await issuer.sign({}, { key: own }));
    await refused(await issuer.sign({}, { key: { ...own, kid: "second" } }));
    await refused(await issuer.sign({}, { key: own, header: { jwk: own.publicJwk } }));
    await refused(await issuer.sign({}, { key: own, header: { jku: "https://evil.example/keys", kid: undefined } }));
    const rsa = await makeKey("first", "RS256");
    await refused(await issuer.sign({}, { key: rsa }));
  });

  it("gives no access when a part of it was changed after it was signed", async () => {
    const [head = "", payload = "", signature = ""] = (await issuer.sign()).split(".");
    const changed = JSON.parse(Buffer.from(payload, "base64url").toString());
    const other = Buffer.from(JSON.stringify({ ...changed, tenant: "globex" })).toString("base64url");
    await refused(`${head}.${other}.${signature}`);
    await refused(`${head}.${payload}.`);
    await refused(`${head}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`);
    await refused(`${head}.${payload}.${(await issuer.sign({ sub: "bob" })).split(".")[2]}`);
    await refused("e30.e30.e30");
    await refused("a.b.c");
  });
});

describe("an issuer's keys", () => {
  it("are fetched once for many tokens, and once more when a new key signs", async () => {
    const second = await makeKey("second");
    await using rotating = await LocalIssuer.open(key);
    const oidc = oidcOf(rotating, { coolDownMs: 0 });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => rotating.sign()));
    await Promise.all(tokens.map((token) => oidc.check(token)));
    expect([rotating.countOf(DISCOVERY), rotating.countOf("/keys")]).toEqual([1, 1]);
    const old = await rotating.sign();
    rotating.keys = [second];
    expect(await oidc.check(await rotating.sign())).toMatchObject({ subject: "ada" });
    expect(rotating.countOf("/keys")).toBe(2);
    await expect(oidc.check(old)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("are not fetched again and again for invented key ids", async () => {
    await using calm = await LocalIssuer.open(key);
    const oidc = oidcOf(calm);
    await oidc.check(await calm.sign());
    for (let n = 0; n < 30; n++) {
      const made = await calm.sign({}, { key: { ...key, kid: `made-up-${n}` } });
      await expect(oidc.check(made)).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect(calm.countOf("/keys")).toBe(1);
  });

  it("are used while the issuer is down; before they are known nobody gets access, and they are fetched when the issuer is back", async () => {
    await using failing = await LocalIssuer.open(key);
    const known = oidcOf(failing);
    const token = await failing.sign();
    await known.check(token);
    const late = oidcOf(failing, { timeoutMs: 200, coolDownMs: 0 });
    failing.isStuck = true;
    await expect(late.check(token)).rejects.toMatchObject({ code: "issuer_unreachable" });
    expect(await known.check(token)).toMatchObject({ subject: "ada" });
    failing.isStuck = false;
    const subject = () => late.check(token).then((known) => known.subject, String);
    await expect.poll(subject).toBe("ada");
    failing.isStuck = true;
    const forgetful = oidcOf(failing, { timeoutMs: 200 });
    await expect(forgetful.check(token)).rejects.toMatchObject({ code: "issuer_unreachable" });
    const before = failing.asked.length;
    await expect(forgetful.check(token)).rejects.toMatchObject({ code: "issuer_unreachable" });
    expect(failing.asked.length).toBe(before);
  });

  it("are requested once in a while, not for every token, while the issuer has none", async () => {
    await using broken = await LocalIssuer.open(key);
    broken.instead.set("/keys", "<html>");
    const oidc = oidcOf(broken);
    for (let n = 0; n < 10; n++)
      await expect(oidc.check(await broken.sign())).rejects.toMatchObject({ code: "issuer_unreachable" });
    expect(broken.countOf(DISCOVERY)).toBe(1);
    // The keys are requested once, unless the machine takes seconds for ten tokens.
    expect(broken.countOf("/keys")).toBeLessThan(5);
    broken.instead.clear();
    const token = await broken.sign();
    const answer = () =>
      oidc.check(token).then(
        ({ subject }) => subject,
        () => null,
      );
    await expect.poll(answer, { timeout: 20_000 }).toBe("ada");
  });

  it.each<[string, string, string]>([
    ["names another issuer", DISCOVERY, '{"issuer":"https://evil.example","jwks_uri":"https://evil.example/keys"}'],
    ["names no keys", DISCOVERY, "{}"],
    ["is no JSON", DISCOVERY, "<html>"],
    ["has keys that are none", "/keys", '{"keys":"none"}'],
    ["sends without end", "/keys", `{"keys":[],"more":"${"x".repeat(1_100_000)}"}`],
  ])("are not taken from one that %s", async (_, path, answer) => {
    await using odd = await LocalIssuer.open(key);
    odd.instead.set(path, answer);
    await expect(oidcOf(odd).check(await odd.sign())).rejects.toMatchObject({ code: "issuer_unreachable" });
  });

  it("are not accepted from an address that others can write to", async () => {
    await using odd = await LocalIssuer.open(key);
    odd.instead.set(DISCOVERY, JSON.stringify({ issuer: odd.address, jwks_uri: "http://keys.example/keys" }));
    await expect(oidcOf(odd).check(await odd.sign())).rejects.toMatchObject({
      message: expect.stringContaining("https"),
    });
  });
});

describe("a server with an issuer", () => {
  it("accepts signed tokens in addition to its list, each for its own scope, and nothing else", async () => {
    const bob = newToken({ tenant: "globex", project: "site", user: "bob" });
    const tokens = JSON.stringify([bob.entry]);
    await using bench = await ServerBench.open({ server: { tokens }, settings: issuedBy(issuer) });
    const as = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
    const ask = async (path: string, token: string) => (await bench.fetch(path, { headers: as(token) })).status;

    const ada = await issuer.sign();
    const { conversation_id } = await bench.post("/api/conversations", { title: "Hers" }, as(ada));
    const path = `/api/conversations/${conversation_id}`;
    expect(await ask(path, ada)).toBe(200);
    expect(await ask(path, bob.token)).toBe(404);
    for (const claims of [{ tenant: "globex" }, { project: "other" }, { sub: "bob" }])
      expect(await ask(path, await issuer.sign(claims))).toBe(404);
    expect(await ask(path, await issuer.sign({ tenant: undefined }))).toBe(403);
    expect(await ask(path, await issuer.sign({ exp: now() - 100 }))).toBe(401);
    expect(await ask(path, await issuer.sign({ more: "x".repeat(9_000) }))).toBe(401);
    expect([401, 431]).toContain(await ask(path, await issuer.sign({ more: "x".repeat(12_000) })));
    expect(await ask(path, new UnsecuredJWT({ sub: "ada" }).encode())).toBe(401);
    expect((await bench.fetch(path)).status).toBe(401);
    const { scope } = await (await bench.fetch("/api/meta", { headers: as(await issuer.sign({ sub: "ü→" })) })).json();
    expect(scope).toEqual({ tenant: "acme", project: "site", user: "ü→" });
    expect(bench.log.join("")).not.toContain(ada.split(".")[1]);
  });

  it("asks callers that cannot be checked to retry, and answers them once the issuer does", async () => {
    await using failing = await LocalIssuer.open(key);
    failing.instead.set(DISCOVERY, "down");
    await using bench = await ServerBench.open({ settings: issuedBy(failing) });
    const headers = { authorization: `Bearer ${await failing.sign()}` };
    const answer = await bench.fetch("/api/meta", { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    failing.instead.clear();
    await expect.poll(async () => (await bench.fetch("/api/meta", { headers })).status, { timeout: 20_000 }).toBe(200);
  });
});
