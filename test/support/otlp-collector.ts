import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

/** A span as OTLP writes it in JSON. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly unknown[];
  readonly links: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes?: readonly unknown[];
  }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** An OpenTelemetry collector, as far as OTLP over HTTP in JSON goes. `behave` decides what it answers; null: it never does. */
export class OtlpCollector {
  readonly spans: OtlpSpan[] = [];
  /** Everything that it was sent, as text. */
  received = '';
  private constructor(private readonly server: Server) {}

  static async start(behave: () => number | null = () => 200): Promise<OtlpCollector> {
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        collector.take(request.url ?? '', body);
        const status = behave();
        if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const collector = new OtlpCollector(server);
    const free = await freePort();
    server.listen(free, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Spans of a trace, once there is one of each of these names. */
  ofTrace(traceId: string, names: readonly string[]): Promise<OtlpSpan[]> {
    return eventually(`spans ${names.join(', ')} of ${traceId}`, () => {
      const found = this.spans.filter((span) => span.traceId === traceId);
      return names.every((name) => found.some((span) => span.name === name)) ? found : undefined;
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(url: string, body: Buffer): void {
    this.received += body.toString('utf8');
    if (url !== '/v1/traces') throw new Error(`Spans came to ${url}.`);
    const { resourceSpans } = JSON.parse(body.toString('utf8')) as ExportRequest;
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) this.spans.push(...spans);
  }
}

/** A span's attributes by name. */
export function attributesOf({
  attributes,
}: Pick<OtlpSpan, 'attributes'>): Record<string, string | number | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
}
