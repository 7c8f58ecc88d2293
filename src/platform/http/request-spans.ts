import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestEndings } from './request-note.js';
import { allowedOnly } from '../tracing/allowed.js';

/** W3C Trace Context level 1, version 00: version, trace id, id of the caller's span, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Asked every few seconds by orchestrators and Prometheus. */
const PROBED = /^\/(?:health|metrics)(?:[/?]|$)/;

/**
 * A span for each request, in the trace of the caller where it sends `traceparent`. Its name is the method and the pattern of the route; neither the
 * address nor any other header of the caller is kept.
 */
export function addRequestSpans(instance: FastifyInstance, endings: RequestEndings): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  instance.addHook('onRequest', (request, _reply, done) => {
    if (PROBED.test(request.url)) return done();
    const parent = callersContext(request.headers['traceparent']);
    const span = trace.getTracer('sutura').startSpan('request', { kind: SpanKind.SERVER }, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  endings.on(({ request, route, status, note }) => {
    const span = spans.get(request);
    if (span === undefined) return;
    span.updateName(`${request.method} ${route ?? '(no route)'}`);
    span.setAttributes(
      allowedOnly({
        'http.request.method': request.method,
        'http.route': route ?? undefined,
        'http.response.status_code': status,
        'sutura.request.id': request.id,
        'error.type': note.code ?? undefined,
      }),
    );
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}

function callersContext(header: string | string[] | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(typeof header === 'string' ? header : '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  });
}
