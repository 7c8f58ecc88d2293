import type { Environment } from '../../../core/tenancy/tenant.js';
import { formatCaptured, formatStated, formatTime } from '../../../standards/hl7v2/er7/hl7-time.js';
import { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { ReceivedOrder } from '../../../standards/hl7v2/records/received-orders.js';
import type { DestinationSettings } from '../settings/hl7-destination.js';
import { ROW } from '../settings/local-codes.js';
import { toBytes } from './message-envelope.js';
import { toObservationSegment } from './observation-segment.js';
import { placerOf, toOrderSegment, toRequestSegment, toVisitSegment, type OrderFacts } from './order-segments.js';
import { toPatientSegment, type ResultPatient } from './patient-segment.js';
import type { ResultGroup } from './result-message.js';
import type { ResultRow } from './result-row.js';

/** An analysis without a result. */
export interface FailureFacts {
  readonly environment: Environment;
  /** Id of the job, or of the request that did not become one. */
  readonly analysisId: string;
  readonly patient: ResultPatient;
  readonly received: ReceivedOrder | null;
  /** null: unknown. */
  readonly capturedAt: Date | null;
  /** As its sender stated it; null: nothing. */
  readonly capturedAsStated: string | null;
  readonly failedAt: Date;
  /** The reason in words for the orderer, free of clinical text. */
  readonly reason: string;
  /** The order was cancelled; otherwise it stays open, since another photo may fulfil it. */
  readonly orderCancelled: boolean;
  readonly sentAt: Date;
}

/** The message that ends the wait for a result, complete but for its MSH-10. null: the patient is unknown. */
export function toFailureMessage(
  facts: FailureFacts,
  settings: DestinationSettings,
): ((controlId: string) => Buffer) | null {
  const writer = new MessageWriter(settings.version);
  const group = toFailureGroup(writer, facts, settings, 1);
  if (group === null) return null;
  const { environment, sentAt } = facts;
  const segments = [group.pid, group.pv1, ...group.segments];
  return (controlId) => toBytes(writer, controlId, segments, { settings, environment, sentAt });
}

/** What a message says of an analysis without a result. `place`: OBR-1. null: the patient is unknown. */
export function toFailureGroup(
  writer: MessageWriter,
  facts: FailureFacts,
  settings: DestinationSettings,
  place: number,
): ResultGroup | null {
  const pid = toPatientSegment(writer, facts.patient, settings.authorities);
  if (pid === null) return null;
  const time = (moment: Date) => formatTime(moment, settings.timeZone);
  const capturedAt =
    facts.capturedAt === null ? '' : formatCaptured(facts.capturedAt, facts.capturedAsStated, settings.timeZone);
  const order: OrderFacts = {
    received: facts.received,
    place,
    placer: placerOf(writer, facts.received, settings.authorities),
    fillerId: facts.analysisId,
    orderStatus: facts.orderCancelled ? 'CA' : '',
    resultStatus: 'X',
    orderCode: settings.orderCode,
    receiver: settings,
    sentAt: time(facts.sentAt),
    capturedAt,
    issuedAt: time(facts.failedAt),
    interpreter: '',
  };
  const reason = toObservationSegment(writer, { row: reasonRow(facts.reason), status: 'X' }, 1, {
    capturedAt,
    observer: '',
    site: null,
    writeTime: time,
    writeStated: (stated) => formatStated(stated, settings.timeZone),
    codes: settings.codes,
    constants: settings.constants,
  });
  return {
    pid,
    pv1: toVisitSegment(writer, facts.received),
    segments: [toOrderSegment(writer, order), toRequestSegment(writer, order), reason],
  };
}

function reasonRow(text: string): ResultRow {
  return {
    code: ROW.conclusion,
    subId: '1',
    type: 'TX',
    value: { type: 'TX', text },
    unit: null,
    interpretation: '',
    method: null,
    model: null,
    analysedAt: null,
    observed: false,
  };
}
