import { expect, test } from "vitest";
import { changedLines } from "./changed-lines.ts";
import { fileKind } from "./file-kind.ts";
import { filePlace } from "./file-place.ts";
import { parseRows, separatorOf } from "./parse-rows.ts";
import { nameParts } from "./short-name.tsx";

test("a file is shown by its type, and HTML and diagrams as previews of their own", () => {
  expect(fileKind("a.pdf", "application/pdf")).toBe("pdf");
  expect(fileKind("a.png", "image/png; x=1")).toBe("image");
  expect(fileKind("a.svg", "text/plain")).toBe("svg");
  expect(fileKind("a.html", "text/html")).toBe("html");
  expect(fileKind("notes", "text/markdown")).toBe("markdown");
  expect(fileKind("a.csv", null)).toBe("table");
  expect(fileKind("flow.mmd", "application/octet-stream")).toBe("diagram");
  expect(fileKind("flow", "text/vnd.mermaid")).toBe("diagram");
  expect(fileKind("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")).toBe("other");
});

test("the place of a file is told by its turn in words, or by the number of a turn that is not loaded", () => {
  const turn = { turn_id: "turn_1", n: 2, prompt: { text: "Write it down", ts: null } };
  const place = (path: string, n: number | null = null) => filePlace(path, [turn], n);
  expect(place("fi:turn_1.files/notes/a.md")).toBe("notes/a.md · Turn 2: Write it down");
  expect(place("fi:turn_1.user.attachments/a.csv")).toBe("Attached to question 2");
  expect(place("fi:turn_9.files/a.md", 9)).toBe("a.md · Turn 9");
  expect(place("fi:turn_9.files/a.md")).toBe("a.md");
  expect(place("fi:turn_9.user.attachments/a.csv", 9)).toBe("Attached to question 9");
  expect(place("fi:turn_9.user.attachments/a.csv")).toBe("Attached");
  expect(place("no path")).toBe("no path");
});

test("quotes hold separators, line ends and quotes", () => {
  expect(parseRows('a,b\r\n"1,5","say ""hi""\nthere"\n\n,\n', ",", 10)).toEqual([
    ["a", "b"],
    ["1,5", 'say "hi"\nthere'],
    ["", ""],
  ]);
  expect(parseRows("a\tb\n1\t2", "\t", 1)).toEqual([["a", "b"]]);
  expect(parseRows("", ",", 10)).toEqual([]);
});

test("the separator is the one that occurs most often in the first row", () => {
  expect(separatorOf("a,b,c\n1;2;3")).toBe(",");
  expect(separatorOf("Name;Menge\nStein;1,5")).toBe(";");
  expect(separatorOf('"a,b,c";d\n1;2')).toBe(";");
  expect(separatorOf("a\tb\n1\t2")).toBe("\t");
  expect(separatorOf("one column")).toBe(",");
  expect(separatorOf("")).toBe(",");
});

test("only what changed is shown, with a few lines around it", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const changed = changedLines(lines.join("\n"), lines.with(10, "other").join("\n"));
  expect(changed.filter(({ kind }) => kind === "added")).toEqual([{ kind: "added", text: "other" }]);
  expect(changed.filter(({ kind }) => kind === "removed")).toEqual([{ kind: "removed", text: "line 10" }]);
  expect(changed.filter(({ kind }) => kind === "same")).toHaveLength(6);
  expect(changedLines("same", "same")).toEqual([]);
});

test("a shortened name keeps its end, so that files whose names begin alike can be told apart", () => {
  expect(nameParts("a-long-name-of-part-17.tar.gz")).toEqual(["a-long-name-of-p", "art-17.tar.gz"]);
  expect(nameParts("the mountain rescue report")).toEqual(["the mountain rescue ", "report"]);
  expect(nameParts("a.md")).toEqual(["", "a.md"]);
  expect(nameParts("")).toEqual(["", ""]);
});
