import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { allowedOnly } from './allowed.js';

type Done = Parameters<SpanExporter['export']>[1];

/** Exports only listed attributes of any span: no events, messages or link attributes. */
export class AllowedExporter implements SpanExporter {
  constructor(private readonly next: SpanExporter) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.next.export(spans.map(stripped), done);
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush?.() ?? Promise.resolve();
  }
}

function stripped(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: allowedOnly(span.attributes) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
    links: { value: span.links.map(({ context }) => ({ context })) },
    spanContext: { value: () => span.spanContext() },
  }) as ReadableSpan;
}
