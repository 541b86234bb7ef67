/**
 * Metrics in the Prometheus text format. Counters only grow, gauges are read on request, histograms count by upper
 * bounds in seconds. Labels come from fixed sets, never from users.
 */
type Labels = Readonly<Record<string, string | number>>;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Visible to operators only. */
  readonly isPrivate?: boolean;
  readonly lines: () => string[];
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export class Metrics {
  readonly #metrics: Metric[] = [];

  counter(name: string, help: string, { isPrivate = false } = {}): (labels?: Labels, by?: number) => void {
    const values = new Map<string, number>();
    this.#add({
      ...{ name, help, isPrivate },
      type: "counter",
      lines: () => [...values].map(([key, value]) => `${name}${key} ${value}`),
    });
    return (labels = {}, by = 1) => {
      const key = spell(labels);
      values.set(key, (values.get(key) ?? 0) + by);
    };
  }

  /** `read` is called on each request for metrics. */
  gauge(name: string, help: string, read: () => number): void {
    this.#add({ name, help, type: "gauge", lines: () => [`${name} ${read()}`] });
  }

  histogram(name: string, help: string): (seconds: number, labels?: Labels) => void {
    const series = new Map<
      string,
      { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }
    >();
    const lines = () =>
      [...series.values()].flatMap(({ labels, counts, sum, count }) => [
        ...SECONDS.map((le, index) => `${name}_bucket${spell({ ...labels, le })} ${counts[index] ?? 0}`),
        `${name}_bucket${spell({ ...labels, le: "+Inf" })} ${count}`,
        `${name}_sum${spell(labels)} ${sum}`,
        `${name}_count${spell(labels)} ${count}`,
      ]);
    this.#add({ name, help, type: "histogram", lines });
    return (seconds, labels = {}) => {
      const key = spell(labels);
      const known = series.get(key) ?? { labels, counts: SECONDS.map(() => 0), sum: 0, count: 0 };
      for (const [index, bound] of SECONDS.entries())
        if (seconds <= bound) known.counts[index] = (known.counts[index] ?? 0) + 1;
      known.sum += seconds;
      known.count++;
      series.set(key, known);
    };
  }

  /** Everything for an operator; only public metrics for others. */
  text(isOperator: boolean): string {
    return this.#metrics
      .filter(({ isPrivate = false }) => isOperator || !isPrivate)
      .flatMap(({ name, help, type, lines }) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()])
      .map((line) => `${line}\n`)
      .join("");
  }

  #add(metric: Metric): void {
    this.#metrics.push(metric);
  }
}

function spell(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(String(value))}`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
