/**
 * The sample: a report of twelve pages that uses every feature of documents. The tests render and compare it, and the
 * gallery shows it.
 */
import { readFileSync } from "node:fs";
import { gradientPng } from "./gradient-png.ts";

interface SampleSource {
  readonly title: string;
  readonly url: string | null;
  readonly detail: string;
}

export interface Sample {
  readonly markdown: string;
  readonly images: ReadonlyMap<string, Uint8Array>;
  /** The sources by SID. SID 999 is cited and has no source. */
  readonly sources: ReadonlyMap<number, SampleSource>;
  readonly author: string;
  readonly date: string;
}

const WEEKS = 34;

export function sampleDocument(): Sample {
  const text = readFileSync(new URL("./sample.md", import.meta.url), "utf8");
  return {
    markdown: text.replace("{{LONG_TABLE}}", longTable()),
    images: new Map([
      ["chart.svg", Buffer.from(barChart())],
      ["harbour.png", gradientPng(960, 300, [9, 46, 92], [38, 166, 154])],
    ]),
    sources: new Map([
      [
        11,
        {
          title: "Heat plan of the Old Port, draft for consultation",
          url: "https://example.org/plans/old-port-heat",
          detail: "example.org, 2026-02-10",
        },
      ],
      [
        12,
        {
          title: "Buoy 17: hourly sea temperatures 1987–2026",
          url: "https://data.example.net/buoys/17?depth=14&unit=celsius",
          detail: "data.example.net",
        },
      ],
      [
        13,
        {
          title: "Regional climate scenarios (third edition)",
          url: "https://climate.example.com/scenarios",
          detail: "climate.example.com, 2025-06-01",
        },
      ],
      [14, { title: "measurements-north-quay.pdf", url: null, detail: "attachment" }],
      [
        15,
        {
          title: "National programme “Efficient Heat Networks”: guideline & tariffs",
          url: "https://grants.example.gov/heat?call=2027",
          detail: "grants.example.gov",
        },
      ],
    ]),
    author: "Office for Energy and Port",
    date: "15 November 2026",
  };
}

/** Two winters of weekly values: more than fits on one page. */
function longTable(): string {
  const rows = [0, 1].flatMap((winter) =>
    Array.from({ length: WEEKS }, (_, week) => {
      const day = new Date(Date.UTC(2024 + winter, 9, 1 + week * 7)).toISOString().slice(0, 10);
      const value = 8.6 - 4.6 * Math.sin((Math.PI * (week + 4)) / 34) + 0.35 * Math.sin(week * 2.1 + winter);
      const lowest = week === 13 + winter ? " \\*" : "";
      return `| ${day} | ${week + 1} | ${value.toFixed(1)}${lowest} | ${(value + 1.4).toFixed(1)} | ${(97 + ((week * 7 + winter) % 4)).toFixed(0)} % |`;
    }),
  );
  return ["| Week of | No. | Minimum (°C) | Mean (°C) | Data received |", "|:--|--:|--:|--:|:-:|", ...rows].join("\n");
}

function barChart(): string {
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const values = [7.4, 6.6, 5.7, 4.1, 2.5, 1.3, 1.1, 1.1, 2.0, 4.0, 5.6, 6.8];
  const bars = values.map((value, at) => {
    const height = value * 26;
    const x = 52 + at * 48;
    return `<rect x="${x}" y="${230 - height}" width="32" height="${height}" rx="2" fill="#2563eb" fill-opacity="${0.45 + value / 14}"/><path d="M${x + 16} 236v4" stroke="#627d98"/>`;
  });
  const lines = [2, 4, 6, 8].map(
    (value) => `<path d="M44 ${230 - value * 26}H628" stroke="#d5dde6" stroke-width="1"/>`,
  );
  const labels = months.map(
    (month, at) =>
      `<text x="${68 + at * 48}" y="254" text-anchor="middle" font-family="Inter, sans-serif" font-size="12" fill="#627d98">${month}</text>`,
  );
  const scale = [0, 2, 4, 6, 8].map(
    (value) =>
      `<text x="36" y="${234 - value * 26}" text-anchor="end" font-family="Inter, sans-serif" font-size="12" fill="#627d98">${value}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="270" viewBox="0 0 640 270">${lines.join("")}${bars.join("")}<path d="M44 230H628" stroke="#627d98"/>${labels.join("")}${scale.join("")}</svg>`;
}
