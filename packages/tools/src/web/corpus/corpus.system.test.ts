/** Tests the corpus while files are added, changed and removed, and while other processes use the same index. */
import { existsSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentFixture, docxOf } from "@cairn/testkit/fixtures";
import { runs } from "@cairn/testkit/runs";
import { startChild } from "@cairn/testkit/store";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type CorpusSearch, corpusSearch } from "./corpus-search.ts";
import { corpusPath, corpusUrl } from "./corpus-url.ts";
import { splitPassages } from "./passages.ts";

const signal = new AbortController().signal;
const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

interface Library {
  readonly folder: string;
  readonly dataDir: string;
  readonly corpus: CorpusSearch;
  put(path: string, content: string | Uint8Array): Promise<void>;
  find(query: string): Promise<string[]>;
  open(): CorpusSearch;
}

async function library(files: Readonly<Record<string, string>> = {}): Promise<Library> {
  const root = await mkdtemp(join(tmpdir(), "cairn-corpus-"));
  disposals.push(() => rm(root, { recursive: true, force: true }));
  const [folder, dataDir] = [join(root, "library"), join(root, "data")];
  await mkdir(folder);
  const put = async (path: string, content: string | Uint8Array) => {
    const file = join(folder, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, content);
    // A time so old that the file counts as unchanged without a hash.
    const time = Date.now() / 1_000 - 60;
    await utimes(file, time, time);
  };
  for (const [path, content] of Object.entries(files)) await put(path, content);
  const open = () => {
    const corpus = corpusSearch({ folder, dataDir, freshMs: 0 });
    disposals.push(() => corpus.close());
    return corpus;
  };
  const corpus = open();
  const find = async (query: string) => (await corpus.search({ query, n: 20 }, { signal })).hits.map(({ url }) => url);
  return { folder, dataDir, corpus, put, find, open };
}

const PDF = (text: string) =>
  `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj 4 0 obj<</Length ${text.length + 38}>>stream\nBT /F1 12 Tf 20 100 Td (${text}) Tj ET\nendstream endobj 5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj trailer<</Root 1 0 R>>`;

describe("the index follows the folder", () => {
  it("costs only what changed: new, changed, moved and removed files, and nothing for the others", async () => {
    const { corpus, put, find, folder } = await library({ "a.md": "alpha", "b.txt": "beta", "sub/c.md": "gamma" });
    expect(await corpus.sync()).toMatchObject({ files: 3, indexed: 3 });
    expect(await corpus.sync()).toMatchObject({ files: 3, indexed: 0, moved: 0, removed: 0 });
    await put("a.md", "delta");
    await put("new.md", "epsilon");
    await rename(join(folder, "b.txt"), join(folder, "sub/moved.txt"));
    await rm(join(folder, "sub/c.md"));
    expect(await corpus.sync()).toMatchObject({ files: 3, indexed: 2, moved: 1, removed: 1 });
    expect(await find("alpha gamma")).toEqual([]);
    expect(await find("delta")).toEqual(["corpus:///a.md"]);
    expect(await find("beta")).toEqual(["corpus:///sub/moved.txt"]);
    expect(await find("epsilon")).toEqual(["corpus:///new.md"]);
  });

  it("a file is found by its current name, and read by the type of its name", async () => {
    const html = "<html><head><title>A heading</title></head><body><p>leaves</p></body></html>";
    const { corpus, find, folder } = await library({ "giraffe.txt": "tall", "page.txt": html });
    expect(await find("giraffe")).toEqual(["corpus:///giraffe.txt"]);
    await rename(join(folder, "giraffe.txt"), join(folder, "elephant.txt"));
    await rename(join(folder, "page.txt"), join(folder, "page.html"));
    expect(await corpus.sync()).toMatchObject({ files: 2, indexed: 1, moved: 1, removed: 1 });
    expect([await find("giraffe"), await find("elephant")]).toEqual([[], ["corpus:///elephant.txt"]]);
    const { hits } = await corpus.search({ query: "leaves", n: 2 }, { signal });
    expect(hits).toMatchObject([{ url: "corpus:///page.html", title: "A heading", text: "leaves" }]);
  });

  it("a file with a new time and the same content is not indexed again", async () => {
    const { corpus, folder } = await library({ "a.md": "alpha" });
    await corpus.sync();
    await utimes(join(folder, "a.md"), 1_000, 1_000);
    expect(await corpus.sync()).toMatchObject({ indexed: 0, moved: 1 });
  });

  it("a change that alters neither size nor time is noticed, if it came right after the file was read", async () => {
    const { corpus, find, folder } = await library();
    // A time in the future counts as recent, however slow the machine is.
    const time = Date.now() / 1_000 + 600;
    for (const text of ["alpha", "gamma"]) {
      await writeFile(join(folder, "a.md"), text);
      await utimes(join(folder, "a.md"), time, time);
      await corpus.sync();
    }
    expect(await find("gamma")).toEqual(["corpus:///a.md"]);
    expect(await find("alpha")).toEqual([]);
  });

  it("two files may swap names", async () => {
    const { find, folder } = await library({ "a.md": "alpha", "b.md": "beta words" });
    expect(await find("alpha")).toEqual(["corpus:///a.md"]);
    await rename(join(folder, "a.md"), join(folder, "x"));
    await rename(join(folder, "b.md"), join(folder, "a.md"));
    await rename(join(folder, "x"), join(folder, "b.md"));
    expect(await find("alpha")).toEqual(["corpus:///b.md"]);
    expect(await find("beta")).toEqual(["corpus:///a.md"]);
  });

  it("however files are added, changed, moved and removed, the index matches the folder", async () => {
    const { corpus, find, put, folder } = await library();
    const names = ["a.md", "b.md", "sub/c.md"];
    const step = fc.record({
      kind: fc.constantFrom("put", "remove", "move"),
      name: fc.nat(2),
      to: fc.nat(2),
      word: fc.nat(4),
    });
    const held = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const { kind, name, to, word } of steps) {
          const [path, target] = [names[name] ?? "", names[to] ?? ""];
          const text = held.get(path);
          if (kind === "put") {
            await put(path, `word${word} ${"x".repeat(word)}`);
            held.set(path, `word${word}`);
          } else if (text !== undefined && kind === "remove") {
            await rm(join(folder, path));
            held.delete(path);
          } else if (text !== undefined && path !== target) {
            await mkdir(join(folder, "sub"), { recursive: true });
            await rename(join(folder, path), join(folder, target));
            held.delete(path);
            held.set(target, text);
          }
        }
        await corpus.sync();
        for (let word = 0; word <= 4; word++) {
          const expected = [...held].filter(([, text]) => text === `word${word}`).map(([path]) => corpusUrl(path));
          expect((await find(`word${word}`)).sort()).toEqual(expected.sort());
        }
      }),
      { numRuns: Math.ceil(Math.min(runs, 3_000) / 40) },
    );
  });
});

describe("files", () => {
  it("of every kind are found and can be opened", async () => {
    const { put, find, corpus } = await library({
      "notes.txt": "plain cairn",
      "page.html":
        "<html><head><title>Page title</title><meta name=author content=Ada></head><body><p>hyper cairn</p></body></html>",
      "guide.md": "# The guide\n\nmarked cairn",
      "table.csv": "a,b\n1,cairn",
    });
    await put("paper.pdf", PDF("printed cairn"));
    expect((await find("cairn")).sort()).toEqual(
      ["guide.md", "notes.txt", "page.html", "paper.pdf", "table.csv"].map(corpusUrl),
    );
    expect(await corpus.open?.("corpus:///page.html", { signal })).toMatchObject({
      title: "Page title",
      author: "Ada",
      text: "hyper cairn",
    });
    expect(await corpus.open?.("corpus:///paper.pdf", { signal })).toMatchObject({
      title: "paper.pdf",
      mime: "application/pdf",
      text: "[page 1]\nprinted cairn",
    });
    expect(await corpus.open?.("https://example.com/", { signal })).toBeNull();
    await expect(corpus.open?.("corpus:///nowhere.md", { signal })).rejects.toMatchObject({ code: "not_found" });
    await expect(corpus.open?.("corpus:///../data/x", { signal })).rejects.toMatchObject({ code: "not_found" });
  });

  it("of office programs are found with the page, sheet or slide of each passage", async () => {
    const { put, corpus } = await library();
    const names = ["Vertrag Müller.docx", "lease.odt", "lease.epub", "sales.xlsx", "talk.pptx"];
    for (const name of names) await put(name, await readFile(documentFixture(name)));
    await put("scan.pdf", await readFile(documentFixture("scanned.pdf")));
    const search = async (query: string) => (await corpus.search({ query, n: 9 }, { signal })).hits;
    const { warnings } = await corpus.search({ query: "deposit", n: 9 }, { signal });
    expect(warnings).toEqual([expect.stringContaining("scan.pdf (The PDF has no text: its pages are pictures")]);
    expect((await search("deposit keys")).map(({ url }) => url).sort()).toEqual(
      names.slice(0, 3).map(corpusUrl).sort(),
    );
    expect((await search("caraway"))[0]?.content).toMatch(/\n\[slide 3\]\n[^[]*Rye with caraway/);
    expect((await search("Malmö"))[0]?.content).toMatch(/\n\[sheet Staff\]\n[^[]*Malmö/);
  });

  it("with many pages give the page of each passage", async () => {
    const { put, corpus } = await library();
    const page = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const filler = page("Nothing to see here, walk along the river. ".repeat(100));
    const pages = ["first", "second", "third"].map((name) => `${filler}${page(`The ${name} heron stands here.`)}`);
    await put("river.docx", docxOf(pages.join('<w:p><w:r><w:br w:type="page"/></w:r></w:p>')));
    const [hit] = (await corpus.search({ query: "second heron", n: 1 }, { signal })).hits;
    expect(hit?.text).toMatch(/^\[page 2\]\n/);
  });

  it("files that cannot be read are reported, and the others are found", async () => {
    const { put, corpus, folder } = await library({
      "good.md": "cairn",
      "broken.docx": "PK not a zip",
      "empty.md": "",
    });
    await put("broken.pdf", "%PDF-1.4 broken");
    await put("binary.txt", Buffer.from([1, 0, 2, 0]));
    const { hits, warnings } = await corpus.search({ query: "cairn", n: 5 }, { signal });
    expect(hits.map(({ url }) => url)).toEqual(["corpus:///good.md"]);
    expect(warnings).toEqual([expect.stringMatching(/cannot be read: binary\.txt .*; broken\.docx .*; broken\.pdf/)]);
    await put("broken.pdf", PDF("mended cairn"));
    await rm(join(folder, "binary.txt"));
    await rm(join(folder, "broken.docx"));
    const mended = await corpus.search({ query: "mended", n: 5 }, { signal });
    expect(mended).toMatchObject({ hits: [{ url: "corpus:///broken.pdf" }], warnings: [] });
  });

  it("are listed by their titles, at most fifty with the number of all, without those that cannot be read", async () => {
    const { corpus, put } = await library({ "a.md": "# The ferry\n\nIt leaves at noon.", "b.txt": "no heading" });
    expect(await corpus.titles({ signal })).toEqual({ titles: ["The ferry", "b.txt"], count: 2 });
    for (let nth = 0; nth < 60; nth++) await put(`more/${nth}.txt`, `number ${nth}`);
    await put("broken.pdf", "no PDF at all");
    const { titles, count } = await corpus.titles({ signal });
    expect([titles.length, count, titles.includes("broken.pdf")]).toEqual([50, 62, false]);
  });

  it("files that are hidden, linked or of other kinds are left out", async () => {
    const { find, folder } = await library({
      "a.md": "cairn",
      ".hidden.md": "cairn",
      ".git/x.md": "cairn",
      "run.exe": "cairn",
    });
    const outside = join(folder, "../outside.md");
    await writeFile(outside, "cairn");
    await symlink(outside, join(folder, "link.md"));
    await symlink(join(folder, ".."), join(folder, "up"));
    expect(await find("cairn")).toEqual(["corpus:///a.md"]);
  });

  it("with any name have an address that leads back to them", async () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !name.includes("/")),
          { minLength: 1, maxLength: 3 },
        ),
        (segments) => {
          const path = segments.join("/");
          expect(corpusPath(corpusUrl(path))).toBe(path);
        },
      ),
      { numRuns: runs },
    );
    const { find, corpus } = await library({ "ein Ordner/Größe 100 % #1?.md": "cairn" });
    const [url = ""] = await find("cairn");
    expect(await corpus.open?.(url, { signal })).toMatchObject({ text: "cairn" });
  });

  it("files that are long show the passages that match, and the part around them", async () => {
    const filler = (n: number) =>
      `Paragraph ${n} about nothing in particular, only to fill the pages of a long book.\n\n`;
    const text = Array.from({ length: 2_000 }, (_, n) => (n === 1_500 ? "Here the heron nests.\n\n" : filler(n))).join(
      "",
    );
    const { corpus } = await library({ "book.md": text });
    const { hits } = await corpus.search({ query: "where does the heron nest", n: 3 }, { signal });
    expect(hits[0]?.text).toContain("heron nests");
    expect(hits[0]?.text.length).toBeLessThanOrEqual(2_000);
    expect(hits[0]?.content).toContain("heron nests");
    expect(hits[0]?.content?.length).toBeLessThan(22_000);
    expect((await corpus.open?.("corpus:///book.md", { signal }))?.text).toBe(text);
  });
});

it("passages join to the text, none longer than 1,800 characters, none with half a character", () => {
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("\n\n", "\n", ". ", "x".repeat(2_500), "🪨".repeat(950)),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(text, (pieces) => {
      const whole = pieces.join("");
      const passages = splitPassages(whole);
      expect(passages.join("")).toBe(whole);
      for (const passage of passages) {
        expect(passage.length).toBeLessThanOrEqual(1_800);
        expect(passage.isWellFormed()).toBe(whole.isWellFormed());
      }
    }),
    { numRuns: runs },
  );
});

describe("the index", () => {
  it("can be used by several processes at once, each of which sees all of it", async () => {
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f${n}.md`, `cairn number${n}`]));
    const { corpus, open } = await library(files);
    const others = [corpus, open(), open()];
    const answers = await Promise.all(others.map((each) => each.search({ query: "number77", n: 3 }, { signal })));
    for (const { hits } of answers) expect(hits.map(({ url }) => url)).toEqual(["corpus:///f77.md"]);
  });

  it("survives a process that is killed while it writes", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`f${n}.md`, `cairn number${n} ${"words ".repeat(300)}`]),
    );
    const { folder, dataDir, find, corpus } = await library(files);
    const child = startChild(
      new URL("../../../test/corpus-child.ts", import.meta.url),
      { folder, dataDir },
      {
        onLine: () => child.process.kill("SIGKILL"),
      },
    );
    await child.exited;
    // The test waits for the lease of the killed process to expire; no manual step is needed.
    expect(await find("number399")).toEqual(["corpus:///f399.md"]);
    expect(await corpus.sync()).toMatchObject({ files: 400, indexed: 0 });
  });

  it("the index that is damaged is set aside and rebuilt", async () => {
    const { dataDir, corpus, open, find } = await library({ "a.md": "cairn" });
    expect(await find("cairn")).toHaveLength(1);
    await corpus.close();
    const [name = ""] = (await readdir(join(dataDir, "corpus"))).filter((each) => each.endsWith(".sqlite"));
    await writeFile(join(dataDir, "corpus", name), "this is no database ".repeat(1_000));
    const again = open();
    expect((await again.search({ query: "cairn", n: 3 }, { signal })).hits).toHaveLength(1);
    expect(existsSync(join(dataDir, "corpus", `${name}.damaged`))).toBe(true);
  });

  it("the index that is damaged in the middle is set aside when this is noticed, also with simultaneous callers", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`f${n}.md`, `cairn ${"stone ".repeat(400)}`]),
    );
    const { dataDir, corpus, open, find } = await library(files);
    expect(await find("cairn")).toHaveLength(20);
    await corpus.close();
    const [name = ""] = (await readdir(join(dataDir, "corpus"))).filter((each) => each.endsWith(".sqlite"));
    await using file = await openFile(join(dataDir, "corpus", name), "r+");
    const { size } = await file.stat();
    for (let at = 4_096 * 8; at < size; at += 8_192) await file.write(Buffer.alloc(4_096, 0xab), 0, 4_096, at);
    const again = open();
    const asked = await Promise.all([1, 2, 3].map(() => again.search({ query: "cairn stone", n: 20 }, { signal })));
    expect(asked.map(({ hits }) => hits.length)).toEqual([20, 20, 20]);
    expect(existsSync(join(dataDir, "corpus", `${name}.damaged`))).toBe(true);
  });

  it("answers from the files indexed so far while it is being built, and says so", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`f${n}.md`, `cairn ${"words ".repeat(500)}`]),
    );
    const { folder, dataDir } = await library(files);
    const hasty = corpusSearch({ folder, dataDir, waitMs: 0 });
    disposals.push(() => hasty.close());
    const { warnings } = await hasty.search({ query: "cairn", n: 3 }, { signal });
    expect(warnings).toEqual([expect.stringMatching(/still being indexed: \d+ of \d+ files/)]);
    await hasty.sync();
    expect(await hasty.search({ query: "cairn", n: 3 }, { signal })).toMatchObject({
      warnings: [],
      hits: [{}, {}, {}],
    });
  });

  it("of a removed folder gives an error, not an empty answer", async () => {
    const { folder, corpus, find } = await library({ "a.md": "cairn" });
    expect(await find("cairn")).toHaveLength(1);
    await rm(folder, { recursive: true });
    await expect(corpus.search({ query: "cairn", n: 3 }, { signal })).rejects.toMatchObject({ code: "corpus_failed" });
  });

  it("a closed corpus returns an error that says so", async () => {
    const { corpus } = await library({ "a.md": "cairn" });
    await corpus.close();
    await corpus.close();
    await expect(corpus.search({ query: "cairn", n: 3 }, { signal })).rejects.toMatchObject({ code: "closed" });
  });
});
