/** For tests: an OpenTelemetry collector that accepts OTLP over HTTP as JSON, and stores what it can parse. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { z } from "zod";

const value = z.object({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
  arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
});
const attributes = z.array(z.object({ key: z.string(), value }));
const resource = z.object({ attributes });
const span = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes,
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  status: z.object({ code: z.number() }),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).optional(),
});
const points = z.object({ dataPoints: z.array(z.looseObject({ attributes })) });
const metric = z.object({
  name: z.string(),
  unit: z.string().optional(),
  histogram: points.optional(),
  gauge: points.optional(),
});

const traces = z.object({
  resourceSpans: z.array(z.object({ resource, scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});
const metrics = z.object({
  resourceMetrics: z.array(z.object({ resource, scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) })),
});

type Flat = Readonly<Record<string, string | number | boolean | readonly string[]>>;
export type CollectedSpan = Omit<z.output<typeof span>, "attributes"> & { readonly attributes: Flat };

export class Collector implements AsyncDisposable {
  readonly address: string;
  readonly spans: CollectedSpan[] = [];
  /** Received metrics by name, with the labels of each point. */
  readonly metrics = new Map<string, readonly Flat[]>();
  readonly resources: Flat[] = [];
  /** All received bodies as text. */
  readonly received: string[] = [];
  readonly problems: string[] = [];
  /** Set to true, the collector accepts requests and never answers. */
  isStuck = false;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    const address = server.address();
    this.address = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    server.on("request", (request, response) => {
      const answer = (body: string) => {
        this.received.push(body);
        if (this.isStuck) return;
        try {
          this.#take(request.url ?? "", JSON.parse(body));
        } catch (error) {
          this.problems.push(String(error));
        }
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      };
      // An exporter that disconnects before its request is complete gets no answer.
      textOf(request).then(answer, (error: Error) => response.destroy(error));
    });
  }

  static async open(): Promise<Collector> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Collector(server);
  }

  #take(path: string, body: unknown): void {
    if (path === "/v1/traces")
      for (const each of traces.parse(body).resourceSpans) {
        this.resources.push(flatten(each.resource.attributes));
        for (const { spans } of each.scopeSpans)
          this.spans.push(...spans.map((one) => ({ ...one, attributes: flatten(one.attributes) })));
      }
    else if (path === "/v1/metrics")
      for (const { scopeMetrics } of metrics.parse(body).resourceMetrics)
        for (const { name, histogram, gauge } of scopeMetrics.flatMap((each) => each.metrics))
          this.metrics.set(name, (histogram ?? gauge)?.dataPoints.map((point) => flatten(point.attributes)) ?? []);
    else this.problems.push(`nothing is accepted at ${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

function flatten(pairs: z.output<typeof attributes>): Flat {
  return Object.fromEntries(
    pairs.map(({ key, value: { stringValue, intValue, doubleValue, boolValue, arrayValue } }) => {
      const number = intValue === undefined ? doubleValue : Number(intValue);
      const list = arrayValue?.values.map((each) => each.stringValue);
      return [key, stringValue ?? number ?? boolValue ?? list ?? ""];
    }),
  );
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
