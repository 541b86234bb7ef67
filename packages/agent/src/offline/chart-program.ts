/**
 * The program that draws a chart of a table: Python with its standard library only. A column of names and one of
 * numbers become a bar chart; two columns of numbers become a line chart. Columns that the message names are preferred.
 */
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
import csv, html, io, math, re, unicodedata

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

BY = r"(?:by|over|per|against|vs|nach|pro|je|uber|par|selon) (?:the |der |dem |den |la |le )?"

def has_name(said, name, before=""):
    return name != "" and re.search(r"(?<!\w)%s%s(?!\w)" % (before, re.escape(plain(name))), said) is not None

KINDS = (("pie", r"pie|donut|doughnut|kreis|torten|camembert|circulaire|secteurs"),
         ("line", r"\bline|linie|kurve|courbe|lignes|lineaire"), ("bar", r"\bbar|column|balken|saulen|barres|histogram"))

def kind_of(said):
    return next((kind for kind, words in KINDS if re.search(words, said)), None)

def choose(rows):
    """Labels or None, x values or None, y values, and the names of both axes."""
    columns = range(len(rows[0]))
    numeric = [column for column in columns if is_numeric(rows[1:], column)]
    if not numeric:
        raise ValueError("the table has no column of numbers")
    has_header = any(number(rows[0][column]) is None for column in numeric)
    names = [cell.strip() for cell in rows[0]] if has_header else ["column %d" % (column + 1) for column in columns]
    body = rows[1:] if has_header else rows
    texts = [column for column in columns if column not in numeric and any(row[column].strip() for row in body)]
    named = [[c for c in columns if has_name(said, names[c])] for said in MESSAGES]
    by = [[c for c in known if has_name(said, names[c], BY)] for said, known in zip(MESSAGES, named)]
    across = next((c for known in by for c in known), None)
    value = next((c for known in named for c in reversed(known) if c in numeric and c != across), None)
    if across is None:
        across = next((c for known in named for c in known if c != value), None)
    if across is None:
        others = texts + [c for c in numeric if c != value] if value is not None or texts else numeric
        across = others[0] if others else None
    if value is None:
        value = next((c for c in numeric if c != across), numeric[0])
    if across == value:
        across = None
    points = [(row, number(row[value])) for row in body if number(row[value]) is not None]
    if across is None:
        return None, [float(nth + 1) for nth in range(len(points))], [y for _, y in points], "row", names[value]
    if across in numeric:
        pairs = sorted((number(row[across]), y) for row, y in points if number(row[across]) is not None)
        return None, [x for x, _ in pairs], [y for _, y in pairs], names[across], names[value]
    sums, repeated = {}, False
    for row, y in points:
        label = row[across].strip() or "?"
        repeated = repeated or label in sums
        sums[label] = sums.get(label, 0) + y
    name = "sum of " + names[value] if repeated else names[value]
    return list(sums), None, list(sums.values()), names[across], name

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

labels, xs, ys, across, up = choose(read_table())
if not ys:
    raise ValueError("the table has no numbers to draw")
kind = next(filter(None, map(kind_of, MESSAGES)), None)
is_pie = kind == "pie" and labels is not None and len(labels) <= MAX_SLICES and min(ys) >= 0 and sum(ys) > 0
is_bars = not is_pie and kind != "line" and labels is not None and len(labels) <= MAX_BARS
if labels is not None and kind == "line" and all(re.match(r"\d{4}-\d\d", label) for label in labels):
    labels, ys = zip(*sorted(zip(labels, ys)))
if labels is not None and not is_bars:
    xs = [float(nth + 1) for nth in range(len(ys))]
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
    step = inner_width / len(ys)
    for nth, (label, value) in enumerate(zip(labels, ys)):
        x, top, base = LEFT + nth * step, at_y(max(value, 0)), at_y(min(value, 0))
        size = (x + step * 0.1, top, step * 0.8, max(base - top, 0.5))
        title = "<title>%s: %s</title>" % (html.escape(label), shown(value))
        parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#2563eb">%s</rect>' % (*size, title))
        middle = x + step / 2
        turned = 'text-anchor="end" transform="rotate(-40 %.1f %d)"' % (middle, floor + 16)
        parts.append(text(middle, floor + 16, label if len(label) <= 16 else label[:15] + "…", turned))
else:
    first, last = min(xs), max(xs)
    span = (last - first) or 1
    places = ["%.1f,%.1f" % (LEFT + (x - first) / span * inner_width, at_y(y)) for x, y in zip(xs, ys)]
    parts.append('<polyline points="%s" fill="none" stroke="#2563eb" stroke-width="2"/>' % " ".join(places))
    if len(places) <= 100:
        for place in places:
            parts.append('<circle cx="%s" cy="%s" r="3" fill="#2563eb"/>' % tuple(place.split(",")))
    ends = (labels[0], labels[-1]) if labels is not None else (shown(first), shown(last))
    parts.append(text(LEFT, floor + 18, ends[0], 'text-anchor="start"'))
    parts.append(text(WIDTH - RIGHT, floor + 18, ends[1], 'text-anchor="end"'))
parts.append(text(LEFT, 26, "%s / %s" % (up, across), 'font-size="16" font-weight="bold"'))
if not is_pie:
    parts.append(text(LEFT + inner_width / 2, HEIGHT - 10, across, 'text-anchor="middle"'))
svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="#1f2937">'
head = svg % (WIDTH, HEIGHT, WIDTH, HEIGHT) + '<rect width="100%" height="100%" fill="#ffffff"/>'
with open(TARGET, "w", encoding="utf-8") as file:
    file.write(head + "".join(parts) + "</svg>\n")
print("%s chart: %d values" % ("pie" if is_pie else "bar" if is_bars else "line", len(ys)))
`;
