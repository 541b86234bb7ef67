import { expect, test } from "vitest";
import { addRelease, sentenceOf } from "./release-notes.ts";

test("the sentences of changes become a section above the earlier releases", () => {
  const change = sentenceOf('---\n"cairn-agent": minor\n---\n\n`send` accepts\nfolders.\n');
  const earlier = "# Changelog\n\nIntroduction.\n\n## 0.1.0, 2026-01-01\n\n- First.\n";
  expect(addRelease(earlier, "0.2.0", "2026-02-01", [change])).toBe(
    "# Changelog\n\nIntroduction.\n\n## 0.2.0, 2026-02-01\n\n- `send` accepts folders.\n\n## 0.1.0, 2026-01-01\n\n- First.\n",
  );
});

test("a change without a sentence is refused", () => {
  expect(() => sentenceOf('---\n"cairn-agent": patch\n---\n')).toThrow("no text");
});
