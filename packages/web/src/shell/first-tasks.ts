/** Three tasks for the first visit. Each works with the offline model, without a key or a network. */
import { PREFIX } from "../api/address.ts";
import { request } from "../api/call.ts";

export interface FirstTask {
  readonly icon: "report" | "run" | "ask";
  readonly title: string;
  readonly note: string;
  readonly message: string;
  readonly files: () => Promise<readonly File[]>;
}

async function sample(name: string, type: string): Promise<readonly File[]> {
  const answer = await request(`${PREFIX}/sample/${name}`);
  return [new File([await answer.blob()], name, { type })];
}

/** Draws bars with only the standard library, because a sandbox may have no others. */
const PROGRAM = `import csv

rows = list(csv.DictReader(open("rescue-calls.csv")))
most = max(int(row["calls"]) for row in rows)
bars = ""
for nth, row in enumerate(rows):
    left = 30 + nth * 90
    for shift, column, colour in [(0, "calls", "#8a9a8f"), (32, "found at a cairn", "#2f6f5e")]:
        height = 170 * int(row[column]) / most
        bars += f'<rect x="{left + shift}" y="{200 - height:.0f}" width="28" height="{height:.0f}" fill="{colour}"/>'
        bars += f'<text x="{left + shift + 14}" y="{194 - height:.0f}" text-anchor="middle">{row[column]}</text>'
    bars += f'<text x="{left + 30}" y="220" text-anchor="middle">{row["winter"]}</text>'
with open("rescue-calls.svg", "w") as chart:
    chart.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 260" font-family="sans-serif" font-size="13">')
    chart.write('<rect width="480" height="260" fill="white"/>' + bars)
    chart.write('<text x="240" y="248" text-anchor="middle">calls (grey), found at a cairn (green)</text></svg>')
print(sum(int(row["calls"]) for row in rows), "calls,", sum(int(row["found at a cairn"]) for row in rows), "found at a cairn")
`;

export const FIRST_TASKS: readonly FirstTask[] = [
  {
    icon: "report",
    title: "Write a report",
    note: "from Cairn's documentation, with citations, as a PDF",
    message: "Write a report about the inspector, as a PDF",
    files: async () => [],
  },
  {
    icon: "run",
    title: "Run a program",
    note: "that draws a chart of an attached table, in a sandbox",
    message: `Run this on the attached table:\n\n\`\`\`python\n${PROGRAM}\`\`\``,
    files: () => sample("rescue-calls.csv", "text/csv"),
  },
  {
    icon: "ask",
    title: "Ask a document",
    note: "and follow each quotation to where it comes from",
    message: "Which cairns need repair before the winter?",
    files: () => sample("north-ridge-survey.md", "text/markdown"),
  },
];
