import { expect, test } from "vitest";
import { removeMissingLinks, withoutLinks } from "./package-links.ts";

const present = new Set(["docs/store.md", "docs/recipes/mount.md", "README.md", "examples"]);
const remove = (text: string, path = "docs/server.md") => removeMissingLinks(text, path, present);

test("links to files of the package, to other sites and within the page stay", () => {
  const text =
    "See [a](store.md), [b](recipes/mount.md#c), [d](../README.md), [e](#f), [g](https://example.com), [h](../examples/).";
  expect(remove(text)).toBe(text);
  expect(remove("[a](../store.md)", "docs/recipes/mount.md")).toBe("[a](../store.md)");
});

test("a link to a file that the package does not contain becomes its text", () => {
  expect(remove("Read [the decision](decisions/0001-x.md#why) or [the store](store.md).")).toBe(
    "Read the decision or [the store](store.md).",
  );
});

test("a reference in parentheses that has nothing but such a link is left out", () => {
  expect(remove("It is kept ([why](decisions/0015-x.md)). Next.")).toBe("It is kept. Next.");
});

test("a picture that the package does not contain is left out", () => {
  expect(remove("Before.\n\n![The inspector](screenshots/inspector.png)\n\nAfter.")).toBe("Before.\n\nAfter.");
});

test("the list of pages has no links within its sentences", () => {
  expect(withoutLinks("Runs in [containers](#containers), or [alone](x.md).")).toBe("Runs in containers, or alone.");
});
