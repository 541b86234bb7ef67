/**
 * The geometry of the chart above the slider: for every request its position, its cached share, its composition, and
 * breaks of the cache. Each series is one SVG path, so the number of elements does not depend on the requests.
 */
import type { ModelRequest } from "@cairn/api";
import { type BreakKind, breakOf, inputOf, readShare } from "./cache-break.ts";

export const SERIES = ["read", "written", "plain", "output"] as const;
type Series = (typeof SERIES)[number];
export type Measure = "tokens" | "cost";

/** Half the width of the slider's thumb, which is the distance of its centre from both ends. */
export const INSET = 8;
/** The position of one of the tracks of the chart. The track's name is drawn above it. */
export const SHARE_TRACK = { top: 18, height: 42 } as const;
const MARK_ROW = 70;
export const BAR_TRACK = { top: 94, height: 56 } as const;
export const CHART_HEIGHT = BAR_TRACK.top + BAR_TRACK.height;

const MAX_BAR_WIDTH = 14;
const MARK = 4;

export interface ChartGeometry {
  readonly share: { readonly line: string; readonly area: string };
  readonly bars: Readonly<Record<Series | "cost", string>>;
  /** Value of the highest bar, in tokens or dollars. */
  readonly most: number;
  readonly marks: Readonly<Record<BreakKind, string>>;
  /** SVG path of the lines where another turn begins. */
  readonly turns: string;
  readonly barWidth: number;
}

/** Horizontal centre of a request's bar, in pixels. */
export function placeAt(index: number, count: number, width: number): number {
  if (count < 2) return INSET;
  return round(INSET + (index * (width - 2 * INSET)) / (count - 1));
}

/** The request nearest to a point. */
export function indexAt(x: number, count: number, width: number): number {
  if (count < 2 || width <= 2 * INSET) return 0;
  const index = Math.round(((x - INSET) / (width - 2 * INSET)) * (count - 1));
  return Math.min(Math.max(index, 0), count - 1);
}

export function chartGeometry(requests: readonly ModelRequest[], width: number, measure: Measure): ChartGeometry {
  const count = requests.length;
  const step = count < 2 ? width : (width - 2 * INSET) / (count - 1);
  const barWidth = round(Math.min(MAX_BAR_WIDTH, Math.max(0.75, step * 0.72)));
  const sizes = requests.map((request) => (measure === "cost" ? request.cost : sizeOf(request)));
  const most = sizes.reduce((largest, size) => Math.max(largest, size), 0);
  const bars: Record<Series | "cost", string> = { read: "", written: "", plain: "", output: "", cost: "" };
  const marks: Record<BreakKind, string> = { cold: "", declared: "", short: "", undeclared: "" };
  let turns = "";
  const shares: (readonly [x: number, y: number] | null)[] = [];
  for (const [index, request] of requests.entries()) {
    const x = placeAt(index, count, width);
    const share = readShare(request);
    shares.push(share === null ? null : [x, round(SHARE_TRACK.top + SHARE_TRACK.height * (1 - share))]);
    const found = breakOf(request);
    if (found !== null) marks[found.kind] += diamond(x, MARK_ROW);
    if (index > 0 && request.turn_id !== requests[index - 1]?.turn_id)
      turns += `M${round(x - step / 2)} ${SHARE_TRACK.top}V${CHART_HEIGHT}`;
    let bottom = CHART_HEIGHT;
    for (const [series, value] of partsOf(request, measure)) {
      const height = most === 0 ? 0 : (value / most) * BAR_TRACK.height;
      if (height <= 0) continue;
      bars[series] += bar(x, bottom, barWidth, height);
      bottom -= height;
    }
  }
  return { share: sharePaths(shares), bars, most, marks, turns, barWidth };
}

function sizeOf(request: ModelRequest): number {
  return inputOf(request) + request.usage.output_tokens;
}

function partsOf({ usage, cost }: ModelRequest, measure: Measure): readonly (readonly [Series | "cost", number])[] {
  if (measure === "cost") return [["cost", cost]];
  return [
    ["read", usage.cache_read_tokens],
    ["written", usage.cache_write_tokens],
    ["plain", usage.input_tokens],
    ["output", usage.output_tokens],
  ];
}

/** A line through the known values, with gaps where values are unknown, and the area under it. */
function sharePaths(points: readonly (readonly [number, number] | null)[]): { line: string; area: string } {
  const ground = SHARE_TRACK.top + SHARE_TRACK.height;
  let line = "";
  let area = "";
  let run: (readonly [number, number])[] = [];
  const end = () => {
    const first = run[0];
    const last = run.at(-1);
    if (first === undefined || last === undefined) return;
    // A single point is drawn as a short line.
    const drawn = run.length === 1 ? [[first[0] - 3, first[1]] as const, [first[0] + 3, first[1]] as const] : run;
    line += `M${drawn.map(([x, y]) => `${round(x)} ${y}`).join("L")}`;
    area += `M${round(drawn[0]?.[0] ?? 0)} ${ground}L${drawn.map(([x, y]) => `${round(x)} ${y}`).join("L")}V${ground}Z`;
    run = [];
  };
  for (const point of points) {
    if (point === null) end();
    else run.push(point);
  }
  end();
  return { line, area };
}

function bar(x: number, bottom: number, width: number, height: number): string {
  return `M${round(x - width / 2)} ${round(bottom)}h${width}v${round(-height)}h${-width}z`;
}

function diamond(x: number, y: number): string {
  return `M${x} ${y - MARK}l${MARK} ${MARK}l${-MARK} ${MARK}l${-MARK} ${-MARK}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
