/** `@cairn/testkit/pdf`: the smallest PDF that every reader accepts, for tests that attach, read or show one. */

/** One A4 page with these lines, including the cross-reference table. Height of the letters in points. */
export function onePagePdf(lines: readonly string[], points = 12): Buffer<ArrayBuffer> {
  const shown = lines.map((line) => `(${line}) Tj 0 -20 Td`).join(" ");
  const stream = `BT /F1 ${points} Tf 72 720 Td ${shown} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = String(body.length).padStart(10, "0");
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${offset} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return Buffer.from(`${body}${table}startxref\n${body.length}\n%%EOF\n`, "latin1");
}
