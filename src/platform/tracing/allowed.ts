import type { Attributes, AttributeValue } from '@opentelemetry/api';

/**
 * All that a span may say. Ids of this service, codes, counts and patterns of routes; no address as it was asked for, no identifier of a patient, no
 * name, no text of a caller, no message of an error.
 */
export const ALLOWED_ATTRIBUTES = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'sutura.request.id',
  'sutura.job.id',
  'sutura.image.id',
  'sutura.report.id',
  'sutura.analysis.attempt',
  'sutura.analysis.outcome',
  'sutura.analysis.source',
  'sutura.event.id',
  'sutura.event.kind',
  'sutura.event.handler',
  'sutura.hl7.message.id',
  'sutura.hl7.message.outcome',
  'sutura.delivery.id',
  'sutura.delivery.endpoint.id',
  'sutura.delivery.attempt',
  'sutura.delivery.outcome',
] as const;

export type AttributeName = (typeof ALLOWED_ATTRIBUTES)[number];
export type SpanAttributes = Readonly<Partial<Record<AttributeName, string | number>>>;

/** Spans are named from here, or by the method and the route of a request. */
export const SPAN_NAMES = [
  'analysis',
  'analysis.attempt',
  'analysis.load',
  'analysis.compute',
  'analysis.store',
  'analysis.end',
  'event.handle',
  'hl7.process',
  'delivery.attempt',
] as const;
export type SpanName = (typeof SPAN_NAMES)[number];

const ALLOWED: ReadonlySet<string> = new Set(ALLOWED_ATTRIBUTES);

/** Removes attributes that are not listed. */
export function allowedOnly(attributes: Readonly<Record<string, AttributeValue | undefined>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => ALLOWED.has(name) && value !== undefined),
  );
}
