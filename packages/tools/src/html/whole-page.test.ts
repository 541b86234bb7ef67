/** Tests that the content of a page is found if some or all tags of its own parts are left out. */
import { describe, expect, it } from "vitest";
import { readHtml } from "../rendering/html/read-html.ts";
import { htmlPage } from "../web/extract/html-page.ts";

const CONTENT = "<h1>List</h1><p>Tea is made with water.</p>";

describe.each([
  ["all tags", `<!doctype html><html><head><title>Tea</title></head><body>${CONTENT}</body></html>`],
  ["none", `<title>Tea</title>${CONTENT}`],
  ["none but a document type", `<!DOCTYPE html>\n<meta charset=utf-8><title>Tea</title>\n${CONTENT}`],
  ["the root alone", `<html lang="en"><title>Tea</title>${CONTENT}</html>`],
  ["a root that is not closed", `<html><title>Tea</title>${CONTENT}`],
  ["a head that is not closed", `<html><head><title>Tea</title>${CONTENT}`],
  ["a head and no body", `<html><head><title>Tea</title></head>${CONTENT}</html>`],
  ["a body and no head", `<html><title>Tea</title><body>${CONTENT}`],
  ["a body and no root", `<title>Tea</title><body>${CONTENT}</body>`],
  ["capitals", `<HTML><HEAD><TITLE>Tea</TITLE><BODY>${CONTENT.toUpperCase().replace("TEA IS", "Tea is")}`],
])("a page with %s", (_, html) => {
  it("is read as text, with its title", () => {
    const { title, text } = htmlPage(html, "https://example.com/");
    expect(title).toBe("Tea");
    expect(text).toMatch(/^##? list\n\ntea is made with water\.$/i);
  });

  it("is a document with its title and its content", () => {
    const { title, blocks } = readHtml(html);
    expect(title).toBe("Tea");
    expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "paragraph"]);
  });
});

it("text before the first element, and text alone, is content", () => {
  expect(htmlPage("Hello <b>there</b>", undefined).text).toBe("Hello **there**");
  expect(htmlPage("<html>Hello</html>", undefined).text).toBe("Hello");
  expect(htmlPage("", undefined).text).toBe("");
});
