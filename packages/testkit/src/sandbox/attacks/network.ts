/** Ways out over a socket, to servers that listen on this very machine. */
import type { Attack } from "./attack.ts";

export const NETWORK: readonly Attack[] = [
  {
    name: "network: TCP",
    language: "python",
    control: "python",
    code: ({ tcpPort }) => `
import socket
def attack():
    with socket.create_connection(("127.0.0.1", ${tcpPort}), timeout=3) as s:
        return s.recv(5) == b"hello"`,
  },
  {
    name: "network: UDP",
    language: "python",
    control: "python",
    code: ({ udpPort }) => `
import socket
def attack():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.settimeout(1)
    s.sendto(b"ping", ("127.0.0.1", ${udpPort}))
    return s.recv(10) == b"ping"`,
  },
  {
    name: "network: Unix socket",
    language: "python",
    control: "python",
    code: ({ unixSocket }) => `
import socket
def attack():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(3)
    s.connect(${JSON.stringify(unixSocket)})
    return s.recv(5) == b"hello"`,
  },
  {
    name: "network: abstract Unix socket",
    language: "python",
    control: "python",
    code: ({ abstractSocket }) => `
import socket
def attack():
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(3)
    s.connect("\\0${abstractSocket}")
    return s.recv(5) == b"hello"`,
  },
  {
    // Reaches the host of this virtual machine, past every network namespace. The socket is created, never connected.
    name: "network: socket of another family (AF_VSOCK)",
    language: "python",
    control: "python",
    code: () => `
import socket
def attack():
    s = socket.socket(40, socket.SOCK_STREAM)
    s.close()
    return True`,
  },
  {
    name: "network: TCP",
    language: "js",
    control: "node",
    code: ({ tcpPort }) => `
import { connect } from "node:net";
const attack = () => new Promise((resolve, reject) => {
  const socket = connect(${tcpPort}, "127.0.0.1");
  socket.on("data", (data) => resolve(String(data) === "hello"));
  socket.on("error", reject);
});`,
  },
  {
    name: "network: UDP",
    language: "js",
    control: "node",
    code: ({ udpPort }) => `
import { createSocket } from "node:dgram";
const attack = () => new Promise((resolve, reject) => {
  const socket = createSocket("udp4");
  socket.on("message", () => { socket.close(); resolve(true); });
  socket.on("error", reject);
  socket.send("ping", ${udpPort}, "127.0.0.1", (error) => error && reject(error));
  setTimeout(() => reject(new Error("no answer")), 1000);
});`,
  },
  {
    name: "network: HTTP",
    language: "js",
    control: "node",
    code: ({ httpPort }) => `
const attack = async () => (await fetch("http://127.0.0.1:${httpPort}/")).ok;`,
  },
  {
    name: "network: DNS",
    language: "js",
    control: "node",
    code: ({ udpPort }) => `
import { Resolver } from "node:dns/promises";
const attack = async () => {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers(["127.0.0.1:${udpPort}"]);
  // The server sends the question back, which is no answer but shows that it was reached.
  const error = await resolver.resolve4("secret.example").catch((error) => error);
  if (/BADRESP|FORMERR|ENODATA|SERVFAIL/.test(error.code ?? "")) return true;
  throw error;
};`,
  },
  {
    name: "network: Unix socket",
    language: "js",
    control: "node",
    code: ({ unixSocket }) => `
import { connect } from "node:net";
const attack = () => new Promise((resolve, reject) => {
  const socket = connect(${JSON.stringify(unixSocket)});
  socket.on("data", (data) => resolve(String(data) === "hello"));
  socket.on("error", reject);
});`,
  },
  {
    name: "network: module from a server",
    language: "js",
    control: "deno",
    code: ({ httpPort }) => `
const attack = async () => (await import("http://127.0.0.1:${httpPort}/module.mjs")).default === "remote module";`,
  },
];
