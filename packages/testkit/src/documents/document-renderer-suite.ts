/** The conformance suite of `DocumentRenderer`: the rules for every renderer, for everything it accepts. */

import { CairnError } from "@cairn/timeline";
import {
  type CitedSource,
  type ContentFormat,
  DEFAULT_OPTIONS,
  type DocumentOptions,
  type DocumentRenderer,
  type DocumentTarget,
  type RenderedDocument,
} from "@cairn/tools/rendering";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gradientPng } from "./gradient-png.ts";

export interface OpenedRenderer {
  readonly renderer: DocumentRenderer;
  /** The words of a document; null for a document without readable text, such as a picture. */
  readonly readText: (target: DocumentTarget, bytes: Uint8Array) => Promise<string | null>;
}

const MAGIC: Readonly<Record<DocumentTarget, string>> = {
  pdf: "%PDF-",
  png: "\x89PNG",
  docx: "PK\x03\x04",
  pptx: "PK\x03\x04",
};

/** Strings that would do harm in document languages if they were executed as code. */
const HOSTILE = [
  '#read("/etc/passwd")',
  '#import "@preview/cetz:0.3.0": *',
  "#{ panic() }",
  '$ #eval("1") $ \\ @ref <label>',
  "*star _under `tick` ~tilde = equals / slash",
  "</w:t></w:r><w:p/>",
  "]]></a:t><script>alert(1)</script>",
  "&amp; &lt;b&gt; &#0; %PDF-1.7 endstream",
  "{{template}} $" + "{expansion} \\u{41} \\\\",
];

const SOURCES: ReadonlyMap<number, CitedSource> = new Map([
  [7, { title: "The second source", url: "https://example.org/second?a=1&b=2", detail: "example.org" }],
  [3, { title: "The first source", url: "https://example.org/first", detail: "" }],
  [9, { title: "notes.pdf", url: null, detail: "attachment" }],
]);

/** The expected text of the content in both formats. */
function content(
  format: ContentFormat,
  parts: { readonly words: readonly string[]; readonly image?: string; readonly cites?: readonly string[] },
): string {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const { words, image, cites = [] } = parts;
  if (format === "html") {
    const paragraphs = words.map((word) => `<p>${escaped(word)}</p>`).join("\n");
    const picture = image === undefined ? "" : `<p><img src="${image}" alt="A picture"></p>`;
    return `<h1>Heading</h1>\n${paragraphs}\n${picture}\n${cites.map((cite) => `<p>Fact ${cite}.</p>`).join("\n")}`;
  }
  // A backslash before every punctuation character: a Markdown escape.
  const paragraphs = words.map((word) => word.replace(/[!-/:-@[-`{-~]/g, "\\$&")).join("\n\n");
  const picture = image === undefined ? "" : `![A picture](${image})`;
  return `# Heading\n\n${paragraphs}\n\n${picture}\n\n${cites.map((cite) => `Fact ${cite}.`).join("\n\n")}`;
}

/** `jobs` are the conversions that the renderer accepts. */
export function documentRendererSuite(
  name: string,
  jobs: readonly (readonly [DocumentTarget, ContentFormat])[],
  open: () => Promise<OpenedRenderer>,
): void {
  describe(`${name} keeps the contract of a document renderer`, () => {
    let opened: OpenedRenderer | null = null;
    const get = (): OpenedRenderer => {
      if (opened === null) throw new Error("The renderer is not open yet.");
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => opened?.renderer.close());

    const asked: string[] = [];
    const make = (
      [target, format]: readonly [DocumentTarget, ContentFormat],
      text: string,
      more: {
        readonly options?: Partial<DocumentOptions>;
        readonly signal?: AbortSignal;
        readonly image?: Uint8Array | null;
        readonly onAsk?: () => void;
      } = {},
    ): Promise<RenderedDocument> => {
      asked.length = 0;
      const supply = {
        image: async (src: string) => {
          asked.push(src);
          more.onAsk?.();
          return more.image ?? null;
        },
        source: async (sid: number) => {
          asked.push(`S:${sid}`);
          return SOURCES.get(sid) ?? null;
        },
      };
      const options = { ...DEFAULT_OPTIONS, width: 700, ...more.options };
      return get().renderer.render(
        { target, format, content: text, options },
        supply,
        more.signal ?? new AbortController().signal,
      );
    };
    const words = async (target: DocumentTarget, { bytes }: RenderedDocument) => {
      const text = await get().readText(target, bytes);
      return text?.replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ") ?? null;
    };

    it("lists the formats it accepts", () => {
      for (const [target, format] of jobs) expect(get().renderer.accepts(target, format)).toBe(true);
    });

    describe.each(jobs)("%s from %s", (target, format) => {
      const job = [target, format] as const;

      it("is a file of its format, and shows the text of the content letter by letter, whatever characters it has", async () => {
        const document = await make(job, content(format, { words: HOSTILE }));
        expect(Buffer.from(document.bytes).toString("latin1", 0, 4)).toBe(MAGIC[target].slice(0, 4));
        expect(document.pages).toBeGreaterThanOrEqual(1);
        const text = await words(target, document);
        if (text === null) return;
        for (const hostile of HOSTILE) expect(squeezed(text)).toContain(squeezed(hostile));
      });

      it("numbers sources in the order they are cited, lists them, and reports those that are missing", async () => {
        const cites = ["[[S:3]]", "[[S:7,3]]", "[[S:9]]", "[[S:404]]", "[S:1]"];
        const document = await make(job, content(format, { words: [], cites }));
        expect([...document.cited].sort()).toEqual([3, 7, 9]);
        expect(document.missingSids).toEqual([404]);
        expect(asked.toSorted()).toEqual(["S:3", "S:404", "S:7", "S:9"]);
        const text = await words(target, document);
        if (text === null) return;
        expect(squeezed(text)).toContain("Fact[1].Fact[1,2].Fact[3].Fact[[S:404]].Fact[S:1].");
        expect(text).toMatch(/Sources.*The first source.*The second source.*notes\.pdf/);
      });

      it("asks for a picture once, and leaves out one that is missing or damaged", async () => {
        const image = "a%20b.png";
        const found = await make(job, content(format, { words: ["x"], image }), {
          image: gradientPng(90, 60, [0, 0, 0], [255, 0, 0]),
        });
        expect(asked).toEqual([image]);
        expect(found).toMatchObject({ missingImages: [], badImages: [] });
        const missing = await make(job, content(format, { words: ["x"], image }));
        expect(missing).toMatchObject({ missingImages: [image], badImages: [] });
        const damaged = await make(job, content(format, { words: ["x"], image }), { image: Buffer.from("GIF but no") });
        expect(damaged).toMatchObject({ missingImages: [], badImages: [{ src: image, reason: expect.any(String) }] });
      });

      it("keeps scripts of every direction, and characters outside the basic plane", async () => {
        const said = ["中文與日本語と한국어", "שלום", "עולם", "кириллица", "naïve – “quoted"];
        const document = await make(job, content(format, { words: [...said, "مرحبا", "😀 𝒳"] }));
        const text = await words(target, document);
        if (text === null) return;
        const folded = squeezed(text.normalize("NFKC"));
        for (const each of said) expect(folded).toContain(squeezed(each.normalize("NFKC")));
      });

      it("makes no document from empty content", async () => {
        for (const empty of ["", "   \n\n  "]) {
          const error = await make(job, empty).then(
            () => null,
            (reason: unknown) => reason,
          );
          expect(CairnError.is(error) && error.code).toBe("document_empty");
        }
      });
    });

    it("stops when it is aborted, and works again after that", async () => {
      const [job] = jobs;
      if (job === undefined) return;
      const controller = new AbortController();
      const reason = new Error("enough");
      const text = content(job[1], { words: ["x"], image: "a.png" });
      // Aborts in the middle of the work: when the renderer asks for a picture.
      const run = make(job, text, { signal: controller.signal, onAsk: () => controller.abort(reason) });
      await expect(run).rejects.toBe(reason);
      await expect(make(job, "Text", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect((await make(job, content(job[1], { words: ["again"] }))).bytes.length).toBeGreaterThan(100);
    });

    it("makes several documents at a time, each with its own content", async () => {
      const [job] = jobs;
      if (job === undefined) return;
      const made = await Promise.all([1, 2, 3, 4].map((n) => make(job, content(job[1], { words: [`number${n}`] }))));
      const texts = await Promise.all(made.map((document) => words(job[0], document)));
      texts.forEach((text, at) => {
        if (text !== null) expect(text).toContain(`number${at + 1}`);
      });
    });
  });
}

/** The text without white space, because renderers may break lines anywhere. */
function squeezed(text: string): string {
  return text.replace(/[\s\u200b]+/g, "");
}
