import { createHash, randomBytes } from 'node:crypto';
import { context, ROOT_CONTEXT, trace, TraceFlags, type Context, type SpanContext } from '@opentelemetry/api';
import { allowedOnly, type SpanAttributes } from './allowed.js';

/**
 * An analysis is one trace, from the creation of its job to the last delivery of its report, days later or after a restart. Its trace id is the id of
 * its report without hyphens (a UUID has the 16 bytes that a trace id has), and the id of its first span follows from that, so nothing is stored and
 * whoever has a report finds its trace. A request that makes a job is a trace of its own, the caller's where one was sent, and has a link to it.
 */

/** Where a span stands: in which trace, below which other span. */
export type TraceContext = Context;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SPAN_ID_CHARACTERS = 16;

/** Ids that the next span takes. Spans start synchronously, so that none comes between. */
let given: Pick<SpanContext, 'traceId' | 'spanId'> | null = null;
let isSampled: (traceId: string) => boolean = () => true;

/** Makes ids as the SDK wants them: random ones, but for the first span of an analysis. */
export const traceIds = {
  generateTraceId: (): string => given?.traceId ?? randomBytes(16).toString('hex'),
  generateSpanId: (): string => given?.spanId ?? randomBytes(8).toString('hex'),
};

/** Whether a trace is recorded is the same for all processes: it follows from its id. */
export function sampleAnalysesBy(decide: (traceId: string) => boolean): void {
  isSampled = decide;
}

/** The context in which work on a report's analysis is a part of its trace. An id that is no UUID is no trace's. */
export function analysisContext(reportId: string): TraceContext {
  const first = firstSpanOf(reportId);
  return first === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, first);
}

/** Links the current span, which made the job, to the analysis of this report. */
export function linkToAnalysis(reportId: string): void {
  const first = firstSpanOf(reportId);
  if (first !== null) trace.getSpan(context.active())?.addLink({ context: first });
}

/** The root span of an analysis, exported at its end: from the creation of its job to its completion or failure. */
export function recordAnalysis(reportId: string, beganAt: Date, attributes: SpanAttributes): void {
  given = firstSpanOf(reportId);
  if (given === null) return;
  try {
    const options = { startTime: beganAt, root: true, attributes: allowedOnly(attributes) };
    trace.getTracer('sutura').startSpan('analysis', options, ROOT_CONTEXT).end();
  } finally {
    given = null;
  }
}

function firstSpanOf(reportId: string): SpanContext | null {
  if (!UUID.test(reportId)) return null;
  const traceId = reportId.replaceAll('-', '');
  const spanId = createHash('sha256').update(traceId).digest('hex').slice(0, SPAN_ID_CHARACTERS);
  return { traceId, spanId, traceFlags: isSampled(traceId) ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}
