import { expect, it } from "vitest";
import { pdfText } from "./pdf-text.ts";

/** A PDF of one page with one line, its table of objects included. */
function pdfOf(line: string): string {
  const stream = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.from(body + table, "latin1").toString("base64");
}

it("gives the words of a PDF", async () => {
  expect(await pdfText(pdfOf("The lease ends in 2031."))).toBe("The lease ends in 2031.");
});

it("gives nothing for what is no PDF, and does not fail", async () => {
  for (const broken of ["", "AAAA", "not base64!", Buffer.from("%PDF-1.4\n").toString("base64")])
    expect(await pdfText(broken)).toBe("");
});
