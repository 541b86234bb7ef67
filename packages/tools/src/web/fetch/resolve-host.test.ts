/** Lookups of names at real name servers on this machine, some of which never answer. */
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ResolvedAddress, type ResolveOptions, resolveHost } from "./resolve-host.ts";

/** A name server that knows some names, says that other names do not exist, and does not answer for some. */
class NameServer implements AsyncDisposable {
  readonly asked: string[] = [];
  /** The server does not answer for names with this beginning. An unanswered query is sent again. */
  isSilent = true;
  readonly #socket = createSocket("udp4");

  static async start(known: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
    const server = new NameServer();
    server.#socket.on("message", (question, { port, address }) => {
      const answer = server.#answer(question, known);
      if (answer !== null) server.#socket.send(answer, port, address);
    });
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  #answer(question: Buffer, known: Readonly<Record<string, readonly string[]>>): Buffer | null {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString("ascii", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join(".");
    const type = question.readUInt16BE(at + 1);
    this.asked.push(name);
    if (name.startsWith("silent") && this.isSilent) return null;
    const garbage = GARBAGE.find(({ label }) => name.startsWith(label));
    if (garbage !== undefined) return garbage.answer(question, at + 5);
    const addresses = (known[name] ?? []).filter((address) => address.includes(":") === (type === 28));
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (known[name] === undefined ? 3 : 0), 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt16BE(0, 10);
    const records = addresses.map((address) => {
      const bytes =
        type === 28 ? Buffer.from(address.replaceAll(":", ""), "hex") : Buffer.from(address.split(".").map(Number));
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
      return Buffer.concat([record, bytes]);
    });
    return Buffer.concat([header, question.subarray(12, at + 5), ...records]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }
}

interface Garbage {
  readonly label: string;
  /** `end`: the position at which the question ends. */
  readonly answer: (question: Buffer, end: number) => Buffer;
}

/** The header of an answer that claims to have this many records. */
function claim(question: Buffer, records: number): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(records, 6);
  header.writeUInt16BE(0, 10);
  return header;
}

const GARBAGE: readonly Garbage[] = [
  { label: "nothing", answer: () => Buffer.alloc(0) },
  { label: "noise", answer: (question) => Buffer.concat([question.subarray(0, 2), Buffer.alloc(400, 0xff)]) },
  { label: "cut", answer: (question, end) => Buffer.concat([claim(question, 65_535), question.subarray(12, end)]) },
  {
    label: "loop",
    // Answers that the name is an alias of itself.
    answer: (question, end) =>
      Buffer.concat([
        claim(question, 1),
        question.subarray(12, end),
        Buffer.from([0xc0, end, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 1, 2, 3, 4]),
      ]),
  },
  {
    label: "short",
    // Answers with an address of two bytes.
    answer: (question, end) =>
      Buffer.concat([
        claim(question, 1),
        question.subarray(12, end),
        Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 2, 1, 2]),
      ]),
  },
];

const SIX = "2606:2800:0220:0001:0248:1893:25c8:1946";
let server: NameServer;
let folder: string;
let options: ResolveOptions;

beforeAll(async () => {
  server = await NameServer.start({
    "both.example.com": ["93.184.216.34", SIX],
    "printer.corp.example": ["10.1.2.3"],
    "a.b.corp.example": ["10.1.2.4"],
  });
  folder = await mkdtemp(join(tmpdir(), "cairn-names-"));
  options = {
    deadlineMs: 60_000,
    servers: [server.address],
    hostsFile: join(folder, "hosts"),
    resolvConf: join(folder, "resolv.conf"),
  };
  await writeFile(options.hostsFile, "127.0.0.1 localhost\n10.0.0.7 Wiki wiki.example.com # the wiki\nfe80::7 wiki\n");
  await writeFile(options.resolvConf, "nameserver 192.0.2.1\nsearch corp.example .\noptions edns0 ndots:2\n");
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const addresses = (found: readonly ResolvedAddress[]) => found.map(({ address }) => address);

describe("the addresses of a host", () => {
  it("without an answer delay no other lookup of the process", async () => {
    const ended: string[] = [];
    const given = Array.from({ length: 10 }, async (_, nth) => {
      const error = await resolveHost(`silent${nth}.example.com.`, options).catch(Object);
      ended.push("silent");
      return error.code;
    });
    await expect.poll(() => new Set(server.asked.filter((name) => name.startsWith("silent"))).size).toBe(10);
    expect(addresses(await resolveHost("both.example.com", options))).toContain("93.184.216.34");
    await lookup("localhost");
    expect(ended).toEqual([]);
    server.isSilent = false;
    expect(await Promise.all(given)).toEqual(Array(10).fill("ENOTFOUND"));
  });

  it("without an answer fail at the deadline", async () => {
    server.isSilent = true;
    const late = resolveHost("silent.example.com", { ...options, deadlineMs: 20 });
    await expect(late).rejects.toMatchObject({ code: "EAI_AGAIN" });
  });

  it.each(GARBAGE)("are empty when a name server answers with garbage ($label)", async ({ label }) => {
    const asked = resolveHost(`${label}.example.com.`, { ...options, deadlineMs: 500 });
    await expect(asked).rejects.toMatchObject({ code: expect.stringMatching(/^(?:EAI_AGAIN|ENOTFOUND)$/) });
    expect(addresses(await resolveHost("both.example.com", options))).toContain("93.184.216.34");
  });

  it("are all that its name servers return, of both families", async () => {
    const found = await resolveHost("Both.Example.com", options);
    expect(found).toEqual([
      { address: "93.184.216.34", family: 4 },
      { address: "2606:2800:220:1:248:1893:25c8:1946", family: 6 },
    ]);
  });

  it("come from the hosts file first, under any of its names, and localhost is never looked up", async () => {
    expect(addresses(await resolveHost("WIKI.", options))).toEqual(["10.0.0.7", "fe80::7"]);
    expect(addresses(await resolveHost("wiki.example.com", options))).toEqual(["10.0.0.7"]);
    expect(addresses(await resolveHost("localhost", options))).toEqual(["127.0.0.1"]);
    expect(addresses(await resolveHost("app.localhost", options))).toEqual(["127.0.0.1", "::1"]);
    const none = { ...options, hostsFile: join(folder, "none"), resolvConf: join(folder, "none") };
    expect(addresses(await resolveHost("localhost", none))).toEqual(["127.0.0.1", "::1"]);
    expect(server.asked.filter((name) => /localhost|wiki/i.test(name))).toEqual([]);
  });

  it("are found in the search domains, before the name itself if it has few dots", async () => {
    expect(addresses(await resolveHost("printer", options))).toEqual(["10.1.2.3"]);
    expect(addresses(await resolveHost("a.b", options))).toEqual(["10.1.2.4"]);
    expect(server.asked).not.toContain("a.b");
    await expect(resolveHost("printer.", options)).rejects.toMatchObject({ code: "ENOTFOUND" });
    await expect(resolveHost("nobody.example.com", options)).rejects.toMatchObject({ code: "ENOTFOUND" });
    expect(server.asked.slice(-4)).toEqual(
      expect.arrayContaining(["nobody.example.com", "nobody.example.com.corp.example"]),
    );
  });

  it("are the address itself when the host is an address", async () => {
    expect(await resolveHost("192.0.2.7", options)).toEqual([{ address: "192.0.2.7", family: 4 }]);
  });
});
