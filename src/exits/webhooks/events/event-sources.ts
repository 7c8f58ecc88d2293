import type { DomainEventKind } from '../../../core/domain-events/domain-event.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import type { HealthEventType } from '../queue/health-changes.js';

type NonEmpty<T> = readonly [T, ...T[]];

/** Any event of a report yields the events of all its versions, so that their order does not matter. */
const REPORT = ['report.ready', 'report.amended', 'report.moved'] as const;

/**
 * The domain events that each type of webhook event is made of. A type without a source, and a source that
 * `WebhookEventReader` does not read, do not compile. Senders report the health of endpoints themselves.
 */
const EVENT_SOURCES = {
  'analysis.completed': ['analysis.completed', ...REPORT],
  'analysis.failed': ['analysis.failed', 'analysis.rejected'],
  'report.ready': REPORT,
  'report.amended': REPORT,
  'report.reviewed': REPORT,
  'wound.opened': ['wound.reopened', ...REPORT],
  'wound.closed': ['wound.closed'],
  'wound.attention': REPORT,
  'quota.threshold': ['quota.threshold'],
} as const satisfies Readonly<Record<Exclude<WebhookEventType, HealthEventType>, NonEmpty<DomainEventKind>>>;

/** Types that are made of the versions of a report. */
export type ReportEventType = {
  [Type in keyof typeof EVENT_SOURCES]: 'report.ready' extends (typeof EVENT_SOURCES)[Type][number] ? Type : never;
}[keyof typeof EVENT_SOURCES];

/** A domain event that webhooks are made of. */
export type SourceKind = (typeof EVENT_SOURCES)[keyof typeof EVENT_SOURCES][number];

export const SOURCE_KINDS: readonly SourceKind[] = [...new Set(Object.values(EVENT_SOURCES).flat())];

/** Whether webhooks are made of this kind of event. */
export function isSourceKind(kind: DomainEventKind): kind is SourceKind {
  return SOURCE_KINDS.some((told) => told === kind);
}
