import { anyCharacter } from "@cairn/testkit/any-character";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CairnError } from "../base/error.ts";
import { createCitationStream } from "./citation-stream.ts";
import type { CitedSource } from "./cited-source.ts";
import { replaceCitations } from "./replace-citations.ts";

const POOL: readonly CitedSource[] = [
  { sid: 1, title: "One", url: "https://e.com/1" },
  { sid: 2, title: "T[w]o", url: "https://e.com/2" },
  { sid: 3, title: "notes.pdf" },
];

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("[[S:1]]", "[[S:2,9]]", "[[S:77]]", "[[ s : 1-3 ]]", "［［S：1］］", "[[S:1-2000]]"),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom("[", "[[", "［", "S", ":", "1", ",", "-", "–", " ", "]", "]]", "[[S:", "[[S:1"),
  },
  { weight: 3, arbitrary: fc.constantFrom("plain ", "👩‍👩‍👧", "\ud83d", "\udc69", "—", "\n", "\u0000") },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) },
);
const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(""));
const format = fc.constantFrom<"markdown" | "html">("markdown", "html");

function emitted(chunks: readonly string[], form: "markdown" | "html"): string[] {
  const stream = createCitationStream(POOL, form);
  return [...chunks.map((chunk) => stream.push(chunk)), stream.flush()];
}

/** An independent implementation of the rule: a pattern for the grammar, with the limits checked afterwards. */
function replaceByPattern(whole: string, form: "markdown" | "html"): string {
  const token =
    /[[［]{2}[ \t]*[Ss][ \t]*[:：]([ \t]*\d{1,9}(?:[-–]\d{1,9})?(?:[ \t]*,[ \t]*\d{1,9}(?:[-–]\d{1,9})?)*)[ \t]*[\]］]{2}/y;
  let out = "";
  for (let at = 0; at < whole.length; ) {
    token.lastIndex = at;
    const match = token.exec(whole);
    const sids = match === null ? null : expand(match[1] ?? "");
    if (match === null || sids === null) {
      out += whole.charAt(at++);
      continue;
    }
    at += match[0].length;
    const known = [...new Set(sids)].filter((sid) => sid >= 1 && sid <= 3);
    const links = known.map((sid) => LINKS[form][sid - 1]).join(" ");
    if (known.length === 0) out += match[0];
    else out += form === "markdown" ? links : `<sup class="cite" data-sids="${known.join(",")}">${links}</sup>`;
  }
  return out;
}

const LINKS = {
  markdown: ["[One](https://e.com/1)", "[T\\[w\\]o](https://e.com/2)", "notes.pdf"],
  html: ['<a href="https://e.com/1">One</a>', '<a href="https://e.com/2">T[w]o</a>', "notes.pdf"],
};

function expand(items: string): number[] | null {
  const ranges = items.split(",").map((item) =>
    item
      .split(/[-–]/)
      .map(Number)
      .toSorted((a, b) => a - b),
  );
  const sids: number[] = [];
  let size = 0;
  for (const [lo = 0, hi = lo] of ranges) {
    size += hi - lo + 1;
    if (size > 1000) return null;
    for (let sid = lo; sid <= hi; sid++) sids.push(sid);
  }
  return sids;
}

describe("replacement", () => {
  it("gives the specified Markdown and HTML", () => {
    expect(replaceCitations("Fact [[S:1]].", POOL, "markdown")).toBe("Fact [One](https://e.com/1).");
    expect(replaceCitations("[[S:1,2]]", POOL, "markdown")).toBe("[One](https://e.com/1) [T\\[w\\]o](https://e.com/2)");
    expect(replaceCitations("a[[S:1,3]]b", POOL, "html")).toBe(
      'a<sup class="cite" data-sids="1,3"><a href="https://e.com/1">One</a> notes.pdf</sup>b',
    );
  });

  it("follows the grammar and changes nothing outside tokens", () => {
    fc.assert(
      fc.property(text, format, (whole, form) => {
        expect(replaceCitations(whole, POOL, form)).toBe(replaceByPattern(whole, form));
      }),
      { numRuns: runs },
    );
  });

  it("unknown ids are dropped beside a known one, and a token without known ids stays verbatim", () => {
    expect(replaceCitations("[[S:9,1,8]]", POOL, "html")).toBe(
      '<sup class="cite" data-sids="1"><a href="https://e.com/1">One</a></sup>',
    );
    const strange = "Keep — dashes [[ s：77 , 78]］ 👩‍👩‍👧 \ud83d";
    expect(replaceCitations(strange, POOL, "markdown")).toBe(strange);
    expect(replaceCitations("[[S:1]]", [], "markdown")).toBe("[[S:1]]");
  });

  it("a source is linked once per token, and again in the next token", () => {
    expect(replaceCitations("[[S:1,1,1-1]] [[S:1]]", POOL, "markdown")).toBe(
      "[One](https://e.com/1) [One](https://e.com/1)",
    );
  });

  it("JSON and YAML pass unchanged", () => {
    const json = '{"answer": "[[S:1]]", "citations": [{"sids": [1]}]}';
    expect(replaceCitations(json, POOL, "json")).toBe(json);
    expect(replaceCitations("a: '[[S:1]]'", POOL, "yaml")).toBe("a: '[[S:1]]'");
  });

  it("accepts a lookup instead of the pool", () => {
    const lookup = (sid: number) => ({ sid, title: `Row ${sid}` });
    expect(replaceCitations("[[S:5-6]]", lookup, "markdown")).toBe("Row 5 Row 6");
  });

  it("entries that are not rows are skipped, and the first of two rows with the same sid is used", () => {
    const pool = JSON.parse('[null, 5, "x", [], {"sid": "1"}, {}, {"sid": 1, "title": "A"}, {"sid": 1, "title": "B"}]');
    expect(replaceCitations("[[S:1]] [[S:0]]", pool, "markdown")).toBe("A [[S:0]]");
  });

  it("wrong arguments are typed errors", () => {
    const wrong = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        return CairnError.is(error) ? error.code : error;
      }
      return null;
    };
    expect(wrong(() => replaceCitations(JSON.parse("5"), POOL, "markdown"))).toBe("bad_text");
    expect(wrong(() => replaceCitations(JSON.parse("null"), POOL, "json"))).toBe("bad_text");
    expect(wrong(() => replaceCitations("x", JSON.parse("{}"), "markdown"))).toBe("bad_pool");
    expect(wrong(() => replaceCitations("x", POOL, JSON.parse('"constructor"')))).toBe("bad_format");
  });

  it("an output over the limit is a typed error", () => {
    const source = { sid: 1, title: "t".repeat(300_000) };
    expect(() => replaceCitations("[[S:1-1000]]", () => source, "markdown")).toThrow(
      expect.objectContaining({ code: "citations_too_large" }),
    );
  });
});

describe("streaming", () => {
  it("any split of the text gives the same result as replacing the whole", () => {
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });
    fc.assert(
      fc.property(text, cuts, format, (whole, positions, form) => {
        const ends = [...positions.map((at) => Math.min(at, whole.length)), whole.length].toSorted((a, b) => a - b);
        const chunks = ends.map((end, index) => whole.slice(index === 0 ? 0 : ends[index - 1], end));
        expect(emitted(chunks, form).join("")).toBe(replaceCitations(whole, POOL, form));
      }),
      { numRuns: runs },
    );
  });

  it("UTF-16 unit by UTF-16 unit gives the same text too", () => {
    fc.assert(
      fc.property(text, format, (whole, form) => {
        expect(emitted(whole.split(""), form).join("")).toBe(replaceCitations(whole, POOL, form));
      }),
      { numRuns: runs },
    );
  });

  it("only a suffix that could become a token is held back", () => {
    const viable =
      /[[［](?:[[［][ \t]*(?:[Ss][ \t]*(?:[:：][ \t]*(?:\d{1,9}(?:[-–]\d{1,9})?[ \t]*,[ \t]*)*(?:\d{1,9}(?:[-–]\d{0,9})?|\d{1,9}(?:[-–]\d{1,9})?[ \t]*[\]］]?)?)?)?)?$/;
    fc.assert(
      fc.property(text, format, (whole, form) => {
        const out = createCitationStream(POOL, form).push(whole);
        const held = viable.exec(whole)?.[0] ?? "";
        const settled = replaceCitations(whole.slice(0, whole.length - held.length), POOL, form);
        // The pattern has no limit on ids, so the stream may hold back less than the pattern allows.
        expect(out.startsWith(settled)).toBe(true);
        if (held === "") expect(out).toBe(replaceCitations(whole, POOL, form));
      }),
      { numRuns: runs },
    );
  });

  it("plain text is released at once and a candidate waits", () => {
    expect(emitted(["Fact ", "[", "[S", ":1", "]", "] and", " [[x", " [", "b"], "markdown")).toEqual([
      "Fact ",
      "",
      "",
      "",
      "",
      "[One](https://e.com/1) and",
      " [[x",
      " ",
      "[b",
      "",
    ]);
  });

  it("flush releases the held text, and then a new text starts", () => {
    const stream = createCitationStream(POOL, "markdown");
    expect(stream.push("x [[S:1")).toBe("x ");
    expect(stream.flush()).toBe("[[S:1");
    expect(stream.push("]] [[S:1]]")).toBe("]] [One](https://e.com/1)");
    expect(stream.flush()).toBe("");
  });

  it("a candidate of more than 16,384 characters is released", () => {
    const stream = createCitationStream(POOL, "markdown");
    const long = `[[S:1${" ".repeat(20_000)}`;
    expect(stream.push(long)).toBe(long);
    expect(stream.push("]][[S:1]]")).toBe("]][One](https://e.com/1)");
  });

  it("a source that joins the pool while the text is written is known from then on", () => {
    const rows = new Map<number, CitedSource>();
    const stream = createCitationStream((sid) => rows.get(sid), "markdown");
    expect(stream.push("[[S:4]]")).toBe("[[S:4]]");
    rows.set(4, { sid: 4, title: "Four" });
    expect(stream.push("[[S:4]]")).toBe("Four");
  });
});

describe("cost", () => {
  const byCharacter = (whole: string) => {
    const stream = createCitationStream(POOL, "markdown");
    let length = 0;
    for (let at = 0; at < whole.length; at++) length += stream.push(whole.charAt(at)).length;
    return length + stream.flush().length;
  };

  it.each<[string, (size: number) => string]>([
    ["openings that fail", (size) => "[[S:".repeat(size / 4)],
    ["a candidate that never closes", (size) => `[[S:1${" ".repeat(size)}`],
    ["ids without end", (size) => `[[S:${"1,".repeat(size / 2)}`],
    ["candidates that fail late", (size) => `[[S:1${" ".repeat(16_000)}x`.repeat(size / 16_000)],
    ["brackets", (size) => "[".repeat(size)],
    ["tokens", (size) => "[[S:1]]".repeat(size / 7)],
    ["plain text", (size) => "word ".repeat(size / 5)],
  ])("%s, pushed character by character: time grows with the length alone", (_name, make) => {
    expect(growthOnDoubling(make, byCharacter, 32_000)).toBeLessThan(3);
  });

  it("a held candidate is not read again at each push", () => {
    // The texts have at most 16,000 characters: a longer candidate is released, which would hide the cost.
    expect(growthOnDoubling((size) => `[[S:1${" ".repeat(size)}`, byCharacter, 2_000)).toBeLessThan(3);
  });

  it("a million characters in one candidate come out unchanged", () => {
    const whole = `[[S:${"1,".repeat(500_000)}`;
    expect(byCharacter(whole)).toBe(whole.length);
    expect(replaceCitations(whole, POOL, "markdown")).toBe(whole);
  });
});
