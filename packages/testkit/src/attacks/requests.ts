/**
 * Requests as they go over the wire, byte for byte. Each request has one of four goals: content that needs a token, a
 * file outside the web app, an answer to a request that two parsers understand differently, or a server without tokens,
 * reached by a name that resolves to this machine.
 */
export interface RequestAttack {
  readonly name: string;
  readonly goal: "closed" | "outside" | "framing" | "rebinding";
  /** `token` is a valid token. Attackers know only its form. */
  readonly bytes: (token: string) => string;
}

const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;
const HOST = "host: 127.0.0.1";
const CLOSE = "connection: close";
/** For requests that two parsers understand differently, the attacker may have a token. */
const KNOWN = "authorization: Bearer TOKEN";

/** A request for the list of conversations with these headers. The server must refuse the request. */
const closed = (name: string, ...headers: string[]): RequestAttack => ({
  name,
  goal: "closed",
  bytes: (token) =>
    lines("GET /api/conversations HTTP/1.1", HOST, CLOSE, ...headers.map((each) => each.replaceAll("TOKEN", token))),
});

const TOKENS: readonly RequestAttack[] = [
  closed("no token"),
  closed("a scheme without a token", "authorization: Bearer"),
  closed("an empty token", "authorization: Bearer  "),
  closed("a token with one more character", "authorization: Bearer TOKENx"),
  closed("two tokens in one", "authorization: Bearer TOKEN TOKEN"),
  closed("a list of tokens", "authorization: Bearer x, Bearer TOKEN"),
  closed("a token behind another header of the same name", "authorization: Bearer x", "authorization: Bearer TOKEN"),
  closed("a token without a scheme", "authorization: TOKEN"),
  closed("a token under another scheme", "authorization: Token TOKEN"),
  closed("a token behind a tab", "authorization: Bearer\tTOKEN"),
  closed("a token in quotes", 'authorization: Bearer "TOKEN"'),
  closed("a token as a password", "authorization: Basic OlRPS0VO"),
  closed("a token in a cookie", "cookie: token=TOKEN; authorization=Bearer TOKEN"),
  closed("a token for a proxy", "proxy-authorization: Bearer TOKEN"),
  closed("a token in a header that looks alike", "x-authorization: Bearer TOKEN", "authorization-: Bearer TOKEN"),
  closed("a signed token that nobody signed", "authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."),
  closed("the word null", "authorization: Bearer null"),
  closed("the name of a prototype", "authorization: Bearer __proto__"),
  closed(
    "a claim to come from this machine",
    "x-forwarded-for: 127.0.0.1",
    "x-real-ip: ::1",
    "forwarded: for=127.0.0.1",
  ),
  closed("a claim to be another address", "x-original-url: /healthz", "x-rewrite-url: /healthz"),
  closed("a claim to be another method", "x-http-method-override: OPTIONS"),
  closed("a claim to be another user", "x-user: ada", "x-forwarded-user: ada", "x-remote-user: ada"),
  ...[
    ["a token in the query", "/api/conversations?token=TOKEN&access_token=TOKEN"],
    ["a token before the host", "http://ada:TOKEN@127.0.0.1/api/conversations"],
    ["an address that begins at another endpoint", "/healthz/../api/conversations"],
    ["an address with a dot", "/./api/conversations"],
    ["an address in other letters", "/%61pi/conversations"],
  ].map(
    ([name = "", address = ""]): RequestAttack => ({
      name,
      goal: "closed",
      bytes: (token) => lines(`GET ${address.replaceAll("TOKEN", token)} HTTP/1.1`, HOST, CLOSE),
    }),
  ),
];

const PATHS: readonly RequestAttack[] = [
  ["two dots", "/../secret.txt"],
  ["two dots behind a folder", "/assets/../../secret.txt"],
  ["two dots in percent", "/%2e%2e/secret.txt"],
  ["one dot of two in percent", "/.%2e/secret.txt"],
  ["a slash in percent", "/..%2fsecret.txt"],
  ["a slash in percent behind a folder", "/assets%2f..%2f..%2fsecret.txt"],
  ["two slashes and two dots", "//..//secret.txt"],
  ["a query behind two dots", "/%2e%2e%2fsecret.txt?v=1"],
].map(
  ([name = "", address = ""]): RequestAttack => ({
    name: `a file outside by ${name}`,
    goal: "outside",
    bytes: () => lines(`GET ${address} HTTP/1.1`, HOST, CLOSE),
  }),
);

const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n\r\n`;
const post = (...headers: string[]) => lines("POST /api/conversations HTTP/1.1", HOST, CLOSE, KNOWN, ...headers);

const FRAMING: readonly RequestAttack[] = [
  ["a length beside chunks", `${post("content-length: 4", "transfer-encoding: chunked")}0\r\n\r\n${SMUGGLED}`],
  ["chunks beside a length", `${post("transfer-encoding: chunked", "content-length: 4")}0\r\n\r\n${SMUGGLED}`],
  ["chunks that are not the last coding", `${post("transfer-encoding: chunked, identity")}0\r\n\r\n`],
  ["an end of line without a carriage return", `GET /healthz HTTP/1.1\n${HOST}\n${CLOSE}\n\n`],
  ["a control character in a header", lines("GET /healthz HTTP/1.1", HOST, CLOSE, KNOWN, "x-a: a\x01b")],
  ["a version that does not exist", lines("GET /healthz HTTP/9.9", HOST, CLOSE, KNOWN)],
  ["no host", lines("GET /healthz HTTP/1.1", CLOSE)],
  ["a page of another site", lines("GET /api/meta HTTP/1.1", HOST, CLOSE, KNOWN, "origin: http://evil.example")],
  [
    "a page without an origin",
    lines("POST /api/conversations HTTP/1.1", HOST, CLOSE, KNOWN, "origin: null", "content-length: 0"),
  ],
  ["a body on GET", `${lines("GET /healthz HTTP/1.1", HOST, CLOSE, KNOWN, "content-length: 5")}hello`],
  [
    "a body in chunks on GET",
    `${lines("GET /healthz HTTP/1.1", HOST, CLOSE, KNOWN, "transfer-encoding: chunked")}5\r\nhello\r\n0\r\n\r\n`,
  ],
  [
    "a body that is packed",
    `${post("content-type: application/json", "content-encoding: gzip", "content-length: 2")}{}`,
  ],
  ["a header of 20,000 characters", lines("GET /healthz HTTP/1.1", HOST, CLOSE, KNOWN, `x-a: ${"a".repeat(20_000)}`)],
  ["an address of 20,000 characters", lines(`GET /healthz?${"a".repeat(20_000)} HTTP/1.1`, HOST, CLOSE, KNOWN)],
].map(
  ([name = "", bytes = ""]): RequestAttack => ({
    name,
    goal: "framing",
    bytes: (token) => bytes.replace("TOKEN", token),
  }),
);

const NAMES: readonly RequestAttack[] = [
  ["another host", "host: evil.example"],
  ["another host in capitals", "HOST: EVIL.EXAMPLE:4310"],
  ["a host that begins like ours", "host: 127.0.0.1.evil.example"],
  ["a host that ends like ours", "host: evil.localhost.example"],
  ["a host behind a user", "host: 127.0.0.1@evil.example"],
].map(
  ([name = "", host = ""]): RequestAttack => ({
    name,
    goal: "rebinding",
    bytes: () => lines("GET /api/meta HTTP/1.1", host, CLOSE),
  }),
);

export const REQUEST_ATTACKS: readonly RequestAttack[] = [...TOKENS, ...PATHS, ...FRAMING, ...NAMES];
