import { onePagePdf } from "@cairn/testkit/pdf";
import { expect, it } from "vitest";
import { pdfText } from "./read-pdf.ts";

it("gives the words of a PDF", async () => {
  expect(await pdfText(onePagePdf(["The lease ends in 2031."]).toString("base64"))).toBe("The lease ends in 2031.");
});

it("gives nothing for what is no PDF, and does not fail", async () => {
  for (const broken of ["", "AAAA", "not base64!", Buffer.from("%PDF-1.4\n").toString("base64")])
    expect(await pdfText(broken)).toBe("");
});
