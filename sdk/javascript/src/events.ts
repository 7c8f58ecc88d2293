import type { Course, CourseReason } from './course.js';
import type { AttentionReason, PatientReference, UnconfirmedNecrosis } from './follow-up.js';
import type { Reviewer } from './reviewer.js';
import type { ClinicianObservations, CodedConcept } from './resources.js';
import type { Measured } from './result.js';

interface Numbered {
  /** Rises with every event of the endpoint: drop what is older than what you have. */
  sequence: number;
}

/** What an endpoint with the content `full` is told besides. */
interface FullWound {
  patient?: PatientReference | null;
  callersWoundId?: string | null;
  callersWoundIdSystem?: string | null;
  /** A text that would have made the body too long is left out. */
  truncated?: true;
}

interface ByPerson {
  reviewer?: Reviewer | null;
  note?: string | null;
}

/** `data` of `analysis.completed`. */
export interface AnalysisCompletedData extends Numbered {
  jobId: string;
  imageId: string;
  reportId: string | null;
  woundDetected: boolean;
  /** The outcome that `metadata.sandbox` of the job asked for; absent: none, and in live always. */
  sandbox?: string;
}

/** `data` of `analysis.failed`. */
export interface AnalysisFailedData extends Numbered {
  jobId: string;
  imageId: string | null;
  error: { code: string; retryable: boolean };
  /** The outcome that `metadata.sandbox` of the job asked for; absent: none, and in live always. */
  sandbox?: string;
}

/** `data` of `report.ready`, `report.amended`, `report.reviewed` and `wound.attention`. */
export interface ReportEventData extends Numbered, FullWound {
  reportId: string;
  jobId: string;
  imageId: string;
  woundId: string | null;
  replaces: string | null;
  replacedBy: string | null;
  /** Rises with every version of the report: drop what is older than what you have. */
  version: number;
  /** `preliminary`, `final`, `amended`, `corrected` or `entered-in-error`; more may come. */
  status: string;
  /** `created`, `reviewed`, `recomputed`, `moved` or `photo_erased`; more may come. */
  reason: string;
  capturedAt: string | null;
  /** `capturedAt` as its sender stated it: with their offset, or a day, month or year alone. */
  capturedAsStated?: string;
  woundDetected: boolean;
  areaCm2: Measured | null;
  /** Of the photo: where it is not acceptable, another one should be taken. */
  quality: { acceptable: boolean; warnings: string[] };
  /** false: the outline of the model is more likely wrong than right; null: a person drew or confirmed it, nothing is outlined, or the model does not say. */
  outlineReliable: boolean | null;
  /** Since the measured photo before; null: there is none. */
  areaChangePct: number | null;
  /** Why the two areas are not safely comparable; empty: they are. */
  areaChangeWarnings: string[];
  /** Why no trend is stated, `not_comparable` too; null: one is, or there is nothing to compare with yet. */
  noTrendReason: string | null;
  /** Codes of the follow-up's flags. */
  flags: string[];
  attention: AttentionReason[];
  /** Absent: none. */
  unconfirmedNecrosis?: UnconfirmedNecrosis;
  /** The verdict with its reasons in codes; null in reports by rules 1 to 3. */
  course: (Omit<Course, 'because'> & { because: Pick<CourseReason, 'domain' | 'what' | 'direction'>[] }) | null;
  /** The treatment since which the area counts anew; absent: none. */
  reset?: string;
  /** The wound grew together of others, or is a part of one that fell apart; absent: neither. */
  relation?: 'joined' | 'split';
  decision: string | null;
  /** The outcome that `metadata.sandbox` of the job asked for; absent: none, and in live always. */
  sandbox?: string;
  bodySite?: CodedConcept | null;
  laterality?: string | null;
  woundType?: CodedConcept | null;
  clinicalContext?: string | null;
  clinicianObservations?: ClinicianObservations | null;
  review?: Record<string, unknown> | null;
}

/** `data` of `wound.opened`. */
export interface WoundOpenedData extends Numbered, FullWound, ByPerson {
  woundId: string;
  reopened: boolean;
  decidedAt?: string;
}

/** `data` of `wound.closed`. */
export interface WoundClosedData extends Numbered, ByPerson {
  woundId: string;
  decidedAt: string;
  truncated?: true;
}

/** `data` of `quota.threshold`. */
export interface QuotaThresholdData extends Numbered {
  sharePct: number;
  day: string;
  limit: number;
  used: number;
}

/** `data` of `endpoint.disabled`. */
export interface EndpointDisabledData extends Numbered {
  webhookId: string;
  reason: 'gone' | 'failing';
  disabledAt: string;
}

/** `data` of `delivery.recovered`. */
export interface DeliveryRecoveredData extends Numbered {
  webhookId: string;
  deliveryId: string;
  failingSince: string;
}

interface EventData {
  'analysis.completed': AnalysisCompletedData;
  'analysis.failed': AnalysisFailedData;
  'report.ready': ReportEventData;
  'report.amended': ReportEventData;
  'report.reviewed': ReportEventData;
  'wound.opened': WoundOpenedData;
  'wound.closed': WoundClosedData;
  'wound.attention': ReportEventData;
  'quota.threshold': QuotaThresholdData;
  'endpoint.disabled': EndpointDisabledData;
  'delivery.recovered': DeliveryRecoveredData;
  /** By the service's own test of an endpoint. */
  'webhook.test': { webhookId: string };
}

/** The types of events that this version of the library knows. */
export type WebhookEventType = keyof EventData;

/**
 * An event as the service tells it: `type` says which `data` it has. Types and fields are added over time: pass over those that you do not
 * know (`default:` of a switch).
 */
export type WebhookEvent = {
  [Type in WebhookEventType]: {
    type: Type;
    /** When it happened, RFC 3339. */
    timestamp: string;
    data: EventData[Type];
  };
}[WebhookEventType];
