/**
 * The program that draws a chart of a table: Python with its standard library only. A column of names and one of
 * numbers become a bar chart; two columns of numbers become a line chart. Columns that the message names are preferred,
 * and several named columns of numbers become several series.
 */
import { CHART_COLUMNS } from "./chart-columns.ts";
import { folded } from "./phrases/language.ts";

export interface ChartOptions {
  /** Physical path of the table. */
  readonly source: string;
  /** Physical path of the picture. */
  readonly target: string;
  /** The user's messages that ask for a chart, newest first. An earlier message names what a newer one leaves out. */
  readonly messages: readonly string[];
}

export function chartProgram({ source, target, messages }: ChartOptions): string {
  // The values are written as JSON strings, which are also valid Python strings.
  const said = messages.slice(0, 5).map((text) => folded(text.slice(0, 1_000)).toWellFormed().toLowerCase());
  const values = [source, target, said].map((value) => JSON.stringify(value));
  return `SOURCE, TARGET, MESSAGES = ${values.join(", ")}\n${PROGRAM}`;
}

const PROGRAM = String.raw`
import csv, datetime, html, io, math, re, unicodedata

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 440, 80, 20, 44, 110
MAX_BARS, MAX_SLICES = 40, 12
COLORS = ("#2563eb", "#f59e0b", "#10b981", "#ef4444", "#8b5cf6", "#14b8a6",
          "#ec4899", "#84cc16", "#6366f1", "#f97316", "#06b6d4", "#a16207")

def number(text):
    text = re.sub(r"[\s'%€$£]", "", text)
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    elif re.fullmatch(r"[-+]?(\d+|\d{1,3}(\.\d{3})+),\d+", text):
        text = text.replace(".", "").replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None

def read_table():
    with open(SOURCE, encoding="utf-8-sig", errors="replace", newline="") as file:
        text = file.read(5_000_000)
    line = text.split("\n", 1)[0]
    delimiter = max(",;\t|", key=line.count)
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise ValueError("the table has fewer than two rows")
    width = max(map(len, rows))
    return [row + [""] * (width - len(row)) for row in rows]

def is_numeric(rows, column):
    cells = [row[column] for row in rows if row[column].strip()]
    return len(cells) > 0 and sum(number(cell) is not None for cell in cells) >= 0.8 * len(cells)

def plain(name):
    return "".join(c for c in unicodedata.normalize("NFD", name.lower()) if not unicodedata.combining(c))

${CHART_COLUMNS}
def ticks(low, high):
    raw = ((high - low) or abs(high) or 1) / 5
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * n for n in (1, 2, 5, 10, 20) if power * n >= raw * 0.999999)
    return [n * step for n in range(math.floor(low / step), math.ceil(high / step) + 1)]

def shown(value):
    return "%.10g" % value

def text(x, y, words, more=""):
    words = words if len(words) <= 40 else words[:39] + "…"
    return '<text x="%.1f" y="%.1f" %s>%s</text>' % (x, y, more, html.escape(words))

kind = next(filter(None, map(kind_of, MESSAGES)), None)
labels, xs, across, series = choose(read_table(), kind)
ys = [y for _, own in series for y in own]
if not ys:
    raise ValueError("the table has no numbers to draw")
up = " and ".join(name for name, _ in series)
count = len(series[0][1])
if kind == "pie" and len(series) > 1:
    raise ValueError("a pie chart shows one column, and the message names %s. Name one of them, or ask for a bar chart" % up)
is_pie = kind == "pie" and labels is not None and count <= MAX_SLICES and min(ys) >= 0 and sum(ys) > 0
is_bars = not is_pie and kind != "line" and labels is not None and count * len(series) <= MAX_BARS
if labels is not None and kind == "line" and all(re.match(r"\d{4}-\d\d", label) for label in labels):
    order = sorted(range(count), key=lambda nth: labels[nth])
    labels, series = [labels[nth] for nth in order], [(name, [own[nth] for nth in order]) for name, own in series]
if labels is not None and not is_bars:
    xs = [float(nth + 1) for nth in range(count)]
marks = ticks(min(0, *ys) if is_bars else min(ys), max(0, *ys) if is_bars else max(ys))
low, high = marks[0], marks[-1] if marks[-1] > marks[0] else marks[0] + 1
inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
floor = HEIGHT - BOTTOM

def at_y(value):
    return floor - (value - low) / (high - low) * inner_height

parts = []
for mark in [] if is_pie else marks:
    y = at_y(mark)
    parts.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#d1d5db"/>' % (LEFT, y, WIDTH - RIGHT, y))
    parts.append(text(LEFT - 8, y + 4, shown(mark), 'text-anchor="end"'))
if is_pie:
    middle_x, middle_y, radius, begin = LEFT + 140, TOP + 160, 140, 0
    for nth, (label, value) in enumerate(zip(labels, ys)):
        share = value / sum(ys)
        ends = [math.tau * at - math.tau / 4 for at in (begin, begin + min(share, 0.99999))]
        x1, y1, x2, y2 = [v for end in ends for v in (middle_x + radius * math.cos(end), middle_y + radius * math.sin(end))]
        shape = "M%d,%d L%.1f,%.1f A%d,%d 0 %d 1 %.1f,%.1f Z" % (middle_x, middle_y, x1, y1, radius, radius, share > 0.5, x2, y2)
        words = "%s: %s (%.1f%%)" % (label, shown(value), share * 100)
        parts.append('<path d="%s" fill="%s" stroke="#ffffff"><title>%s</title></path>' % (shape, COLORS[nth], html.escape(words)))
        y = TOP + 30 + nth * 24
        parts.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>' % (LEFT + 320, y - 10, COLORS[nth]))
        parts.append(text(LEFT + 340, y, words))
        begin += share
elif is_bars:
    step = inner_width / count
    width = step * 0.8 / len(series)
    for nth, label in enumerate(labels):
        for place, (name, own) in enumerate(series):
            value = own[nth]
            x, top, base = LEFT + nth * step + step * 0.1 + place * width, at_y(max(value, 0)), at_y(min(value, 0))
            words = label if len(series) == 1 else "%s, %s" % (label, name)
            title = "<title>%s: %s</title>" % (html.escape(words), shown(value))
            size = (x, top, width, max(base - top, 0.5), COLORS[place % len(COLORS)])
            parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s">' % size + title + "</rect>")
        middle = LEFT + nth * step + step / 2
        turned = 'text-anchor="end" transform="rotate(-40 %.1f %d)"' % (middle, floor + 16)
        parts.append(text(middle, floor + 16, label if len(label) <= 16 else label[:15] + "…", turned))
else:
    first, last = min(xs), max(xs)
    span = (last - first) or 1
    for place, (name, own) in enumerate(series):
        color = COLORS[place % len(COLORS)]
        places = ["%.1f,%.1f" % (LEFT + (x - first) / span * inner_width, at_y(y)) for x, y in zip(xs, own)]
        parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (" ".join(places), color))
        if len(places) <= 100:
            for point in places:
                parts.append('<circle cx="%s" cy="%s" r="3" fill="%s"/>' % (*point.split(","), color))
    ends = (labels[0], labels[-1]) if labels is not None else (shown(first), shown(last))
    parts.append(text(LEFT, floor + 18, ends[0], 'text-anchor="start"'))
    parts.append(text(WIDTH - RIGHT, floor + 18, ends[1], 'text-anchor="end"'))
for place, (name, own) in enumerate(series if len(series) > 1 else []):
    x = LEFT + place * inner_width / len(series)
    parts.append('<rect x="%.1f" y="%d" width="12" height="12" fill="%s"/>' % (x, HEIGHT - 40, COLORS[place % len(COLORS)]))
    parts.append(text(x + 18, HEIGHT - 30, name))
parts.append(text(LEFT, 26, "%s / %s" % (up, across), 'font-size="16" font-weight="bold"'))
if not is_pie:
    parts.append(text(LEFT + inner_width / 2, HEIGHT - 10, across, 'text-anchor="middle"'))
svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#1f2937">'
head = svg % (WIDTH, HEIGHT, WIDTH, HEIGHT) + '<rect width="100%" height="100%" fill="#ffffff"/>'
with open(TARGET, "w", encoding="utf-8") as file:
    file.write(head + "".join(parts) + "</svg>\n")
print("%s chart: %d values" % ("pie" if is_pie else "bar" if is_bars else "line", len(ys)))
`;
