/**
 * The part of the chart program that chooses what to draw, in Python: the columns that the messages name, several
 * columns of numbers as several series, two columns as their product, sum or difference, and dates grouped by week,
 * month, quarter or year. A message that groups by a column which the table lacks is refused.
 */
export const CHART_COLUMNS = String.raw`BY = r"(?:by|over|per|against|vs|nach|pro|je|uber|par|selon) (?:the |der |dem |den |la |le )?"
DATE = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?:[T ].*)?|(?P<d2>\d{1,2})\.(?P<m2>\d{1,2})\.(?P<y2>\d{4})")
EACH = r"\b(?:by|per|each|every|over|pro|je|jede[nrsm]?|nach|par|chaque) (?:the )?(?:\w+ (?:and|und|et) )?(?:%s)\b|\b(?:%s)\b"
PERIODS = (("year", "years?|calendar years?|jahr(?:en)?|an|annees?", "yearly|annual|annually|jahrlich|annuel(?:lement)?"),
           ("quarter", "quarters?|quartal(?:en)?|trimestres?", "quarterly|vierteljahrlich|trimestriel(?:lement)?"),
           ("month", "months?|calendar months?|monat(?:en)?|mois", "monthly|monatlich|mensuel(?:lement)?"),
           ("week", "weeks?|calendar weeks?|wochen?|kalenderwochen?|semaines?", "weekly|wochentlich|hebdomadaire"))

def has_name(said, name, before=""):
    return name != "" and re.search(r"(?<!\w)%s%s(?!\w)" % (before, form_of(name)), said) is not None

def form_of(name):
    """A pattern of the name, possibly with another plural."""
    word = re.sub(r"s$", "", plain(name))
    return "(?:%s(?:e?s|e?n)?%s)" % (re.escape(word), "|%sies" % re.escape(word[:-1]) if word.endswith("y") else "")

ARTICLES = r"(?:(?:the|of|von|der|die|das|den|dem|le|la|les|du|de) )*"
OPERATORS = (("×", r"times|multiplied (?:by|with)|x|×|\*|mal|fois"), ("−", r"minus|less|-|−|moins"), ("+", r"plus|\+"))
DIFFERENCE = r"(?:difference|differenz|unterschied|ecart) (?:between|of|zwischen|von|entre) "
AVERAGE = r"\b(?:average|avg|mean|durchschnitt\w*|mittelwert|moyenne?)\b"
GENERIC = set("average avg mean durchschnitt mittelwert moyenne a an ein eine einen eines un une des simple nice bitte please the and und et of von de der die das le la les me mir in as now it this that them chart charts graph plot diagram bar bars line lines pie column columns csv table data file values numbers sum total "
              "time day date row rows diagramm balken linien grafik daten zeit tag datum zeile graphique donnees temps jour".split())

def combined(said, names, body, numeric):
    """The product, sum or difference of two columns that the message names: the words, a name and the cells."""
    for left in numeric:
        for right in numeric:
            a, b = form_of(names[left]), form_of(names[right])
            found = [(sign, re.search(r"(?<!\w)%s\s*(?:%s)\s*%s%s(?!\w)" % (a, words, ARTICLES, b), said)) for sign, words in OPERATORS]
            found.append(("−", re.search(DIFFERENCE + ARTICLES + a + r" (?:and|und|et) " + ARTICLES + b + r"(?!\w)", said)))
            for sign, match in found:
                if left != right and match is not None:
                    cells = [computed(sign, number(row[left]), number(row[right])) for row in body]
                    return match[0], "%s %s %s" % (names[left], sign, names[right]), cells
    return None

def computed(sign, a, b):
    if a is None or b is None:
        return ""
    return repr(a * b if sign == "×" else a + b if sign == "+" else a - b)

def chosen(names, body, texts):
    """The rows with the values that the newest message with values or columns names, and these values."""
    for said in MESSAGES:
        said, rows, values = re.sub(r"\S+\.[ct]sv(?!\w)", " ", said), body, []
        for column in texts:
            cells = set(plain(row[column].strip()) for row in body)
            cells = [cell for cell in cells if len(cell) > 1 and cell in said and cell not in GENERIC and kind_of(cell) is None and period_of("per " + cell) is None]
            cells = [cell for cell in cells if not any(cell == plain(name) for name in names) and re.search(r"(?<!\w)%s(?!\w)" % re.escape(cell), said)]
            if cells:
                rows = [row for row in rows if plain(row[column].strip()) in cells]
                values += sorted(set(row[column].strip() for row in rows))
        if values or any(has_name(said, name) for name in names):
            return rows, values
    return body, []

def missing_in(said, names):
    """The words before and after "by" that are no column, no period and no word for a chart."""
    drawn = re.findall(r"(?<!\w)(?:plot|chart|graph|visuali[sz]e|plotte|zeichne|trace|dessine|of|von|de) ((?:[^\W\d_]+ ){1,4}?)(?=" + BY + ")", said)
    beside = " ".join(drawn).split() + re.findall(r"(?<!\w)" + BY + r"([^\W\d_]+)", said)
    words = [word for name in names for word in re.findall(r"\w+", plain(name))]
    is_known = lambda word: word in GENERIC or period_of("per " + word) or kind_of(word) or any(re.fullmatch(form_of(own), word) for own in words)
    return [word for word in beside if not is_known(word)]

def period_of(said):
    return next((period for period, words, alone in PERIODS if re.search(EACH % (words, alone), said)), None)

KINDS = (("pie", r"pie|donut|doughnut|kreis|torten|camembert|circulaire|secteurs"),
         ("line", r"\bline|linie|kurve|courbe|lignes|lineaire"), ("bar", r"\bbar|column|balken|saulen|barres|histogram"))

def kind_of(said):
    return next((kind for kind, words in KINDS if re.search(words, said)), None)

def date_of(cell):
    found = DATE.fullmatch(cell.strip())
    if found is None:
        return None
    part = lambda name: found[name] or found[name + "2"]
    try:
        return datetime.date(int(part("y")), int(part("m")), int(part("d") or 1))
    except ValueError:
        return None

def bucket(date, period):
    if period == "week":
        return "%d-W%02d" % date.isocalendar()[:2]
    if period == "quarter":
        return "%d Q%d" % (date.year, (date.month + 2) // 3)
    return "%d" % date.year if period == "year" else "%d-%02d" % (date.year, date.month)

def is_year(rows, column):
    return all(re.fullmatch(r"(?:19|20)\d\d", row[column].strip()) for row in rows)

def choose(rows, kind):
    """Labels or None, x values of a chart without labels, the name across, and the name and values of each series."""
    columns = range(len(rows[0]))
    numeric = [column for column in columns if is_numeric(rows[1:], column)]
    if not numeric:
        raise ValueError("the table has no column of numbers")
    has_header = any(number(rows[0][column]) is None for column in numeric)
    names = [cell.strip() for cell in rows[0]] if has_header else ["column %d" % (column + 1) for column in columns]
    body = rows[1:] if has_header else rows
    texts = [column for column in columns if column not in numeric and any(row[column].strip() for row in body)]
    dates = [c for c in texts if all(date_of(row[c]) for row in body if row[c].strip())]
    for nth, said in enumerate(MESSAGES):
        found = combined(said, names, body, numeric)
        if found is not None:
            words, name, cells = found
            names, numeric = names + [name], numeric + [len(names)]
            body = [row + [cell] for row, cell in zip(body, cells)]
            MESSAGES[nth] = said.replace(words, plain(name))
    columns = range(len(names))
    body, values_meant = chosen(names, body, [column for column in texts if column not in dates])
    only = " (%s)" % ", ".join(values_meant) if values_meant else ""
    missing = missing_in(MESSAGES[0], names + values_meant) if MESSAGES else []
    if missing:
        raise ValueError("the table has no column %s. Its columns are %s" % (" and no column ".join(missing), ", ".join(names)))
    named = [[c for c in columns if has_name(said, names[c])] for said in MESSAGES]
    whole = [set(c for c in known if not any(c != o and plain(names[c]) in plain(names[o]) for o in known)) for known in named]
    named = [[c for c in known if c in own] for known, own in zip(named, whole)]
    by = [[c for c in known if has_name(said, names[c], BY)] for said, known in zip(MESSAGES, named)]
    across, period, also, is_average = None, None, [], False
    for said, known, groups in zip(MESSAGES, named, by):
        is_column = any(has_name(said, name) and period_of("per " + plain(name)) for name in names)
        period = None if groups and (is_column or not dates) else period_of(said)
        across = next(iter(groups), None) if period is None else next((c for c in groups if c in dates), None)
        if period is not None and across is None:
            across = next((c for c in known if c in dates), None)
            if across is None:
                if len(dates) != 1:
                    raise ValueError("the chart needs one column of dates such as 2026-01-31 or 31.1.2026 to group by %s, and the table has %d" % (period, len(dates)))
                across = dates[0]
        is_average = is_average or re.search(AVERAGE, said) is not None
        if across is not None:
            also = [c for c in known if c in texts and c not in dates and c != across]
            break
    values = next((own for own in ([c for c in known if c in numeric and c != across] for known in named) if own), [])
    if across is None:
        across = next((c for known in named for c in known if c not in values), None)
    if across is None and len(values) > 1 and (is_year(body, values[0]) or not texts and len(values) == 2):
        across, values = values[0], values[1:]
    if across is None:
        others = texts + [c for c in numeric if c not in values] if values or texts else numeric
        across = others[0] if others else None
    if not values:
        values = [next((c for c in numeric if c != across), numeric[0])]
    if across in values:
        across = None
    used = [row for row in body if any(number(row[value]) is not None for value in values)]
    if across is None:
        points = [row for row in used if all(number(row[value]) is not None for value in values)]
        return None, [float(nth + 1) for nth in range(len(points))], "row" + only, [(names[v], [number(row[v]) for row in points]) for v in values]
    if across in numeric and kind != "bar":
        points = sorted((row for row in used if all(number(row[c]) is not None for c in [across, *values])), key=lambda row: number(row[across]))
        return None, [number(row[across]) for row in points], names[across] + only, [(names[v], [number(row[v]) for row in points]) for v in values]
    sums, counts, repeated = {}, {}, False
    for row in used:
        date = date_of(row[across]) if period is not None else None
        label = bucket(date, period) if date is not None else row[across].strip() or "?"
        label = ", ".join([label] + [row[c].strip() or "?" for c in also])
        repeated = repeated or label in sums
        own, counted = sums.setdefault(label, [0.0] * len(values)), counts.setdefault(label, [0] * len(values))
        for nth, value in enumerate(values):
            own[nth] += number(row[value]) or 0
            counted[nth] += number(row[value]) is not None
    if is_average:
        sums = {label: [total / (count or 1) for total, count in zip(own, counts[label])] for label, own in sums.items()}
    labels = sorted(sums) if period is not None or across in numeric else list(sums)
    series = [(("average of " if is_average else "sum of ") + names[v] if repeated else names[v], [sums[label][nth] for label in labels]) for nth, v in enumerate(values)]
    return labels, None, (names[across] if period is None else "%s of %s" % (period, names[across])) + "".join(" and " + names[c] for c in also) + only, series
`;
