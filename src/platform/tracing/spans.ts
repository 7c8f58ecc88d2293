import { context, isSpanContextValid, ROOT_CONTEXT, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { allowedOnly, type SpanAttributes, type SpanName } from './allowed.js';
import { analysisContext, type TraceContext } from './analysis-trace.js';

/** A span that is open: what becomes known in it is noted on it. */
export interface OpenSpan {
  note(attributes: SpanAttributes): void;
}

/** A part of what is being done now. */
export function inSpan<T>(
  name: SpanName,
  attributes: SpanAttributes,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  return within(context.active(), name, attributes, work);
}

/** Work on the analysis of a report, a part of its trace wherever and whenever it happens. */
export function inAnalysis<T>(
  reportId: string,
  name: SpanName,
  attributes: SpanAttributes,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  return within(analysisContext(reportId), name, attributes, work);
}

/** Work in a context that was kept. */
export function inContext<T>(
  during: TraceContext,
  name: SpanName,
  attributes: SpanAttributes,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  return within(during, name, attributes, work);
}

/** The current span, for work that another loop does later. */
export function presentContext(): TraceContext {
  return context.active();
}

/** The span that is open now as a W3C traceparent; null: nothing is traced. */
export function presentTraceparent(): string | null {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** The context of background work. */
export function newTrace(): TraceContext {
  return ROOT_CONTEXT;
}

/** A failed span names the code of its error and nothing that the error says. */
export function noteFault(span: Span, error: unknown): void {
  const type = isSuturaError(error) ? error.code : error instanceof Error ? error.constructor.name : 'unknown';
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

async function within<T>(
  parent: TraceContext,
  name: SpanName,
  attributes: SpanAttributes,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const span = trace.getTracer('sutura').startSpan(name, { attributes: allowedOnly(attributes) }, parent);
  const open: OpenSpan = { note: (found) => void span.setAttributes(allowedOnly(found)) };
  try {
    return await context.with(trace.setSpan(parent, span), () => work(open));
  } catch (error) {
    noteFault(span, error);
    throw error;
  } finally {
    span.end();
  }
}
