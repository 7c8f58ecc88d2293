import type { ImageFormat } from '../../../core/images/image.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { formatCaptured, formatStated, formatTime } from '../../../standards/hl7v2/er7/hl7-time.js';
import { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { ReceivedOrder } from '../../../standards/hl7v2/records/received-orders.js';
import type { DestinationSettings } from '../settings/hl7-destination.js';
import { toDocumentRow, toPhotoRow, type AttachedFile } from './document-rows.js';
import { toBytes } from './message-envelope.js';
import { toObservationSegment } from './observation-segment.js';
import { toObserver } from './observer.js';
import {
  placerOf,
  toOrderSegment,
  toRequestSegment,
  toVisitSegment,
  type OrderFacts,
  type OrderStatus,
  type ResultStatus,
} from './order-segments.js';
import { toPatientSegment, type ResultPatient } from './patient-segment.js';
import { toReportRows, type RowFacts } from './report-rows.js';
import { isCorrection, isFinal, judgeRows, withdrawRows, type JudgedRow, type ResultRow } from './result-row.js';

/** The complete input for the message of one version of a report. */
export interface ResultFacts {
  readonly report: ClinicalReport;
  /** The version that the receiver got before; null: this is the first. */
  readonly before: ClinicalReport | null;
  readonly patient: ResultPatient;
  /** null: no order, or one of another patient. */
  readonly received: ReceivedOrder | null;
  readonly analysedAt: Date | null;
  readonly snomed: boolean;
  /** null: not configured, or none available. */
  readonly document: AttachedFile | null;
  readonly photo: { readonly file: AttachedFile; readonly format: ImageFormat } | null;
  readonly sentAt: Date;
  /** The receiver has it as final, and gets it again with the rest of its order. */
  readonly isRepeated?: boolean;
}

/** A result, complete but for its MSH-10. null: the patient is unknown, so that no receiver could file it. */
export function toResultMessage(
  facts: ResultFacts,
  settings: DestinationSettings,
): ((controlId: string) => Buffer) | null {
  const { report, sentAt } = facts;
  const writer = new MessageWriter(settings.version);
  const group = toResultGroup(writer, facts, settings, 1);
  if (group === null) return null;
  const segments = [group.pid, group.pv1, ...group.segments];
  return (controlId) => toBytes(writer, controlId, segments, { settings, environment: report.environment, sentAt });
}

/** What a message says of one photo: its ORC, OBR and OBX, and the PID and PV1 that they stand under. */
export interface ResultGroup {
  readonly pid: string;
  readonly pv1: string;
  readonly segments: readonly string[];
}

/** `place`: OBR-1. null: the patient is unknown. */
export function toResultGroup(
  writer: MessageWriter,
  facts: ResultFacts,
  settings: DestinationSettings,
  place: number,
): ResultGroup | null {
  const pid = toPatientSegment(writer, facts.patient, settings.authorities);
  if (pid === null) return null;
  const { judged, resultStatus } = judge(facts, settings);
  const order = orderFacts(writer, facts, settings, {
    place,
    resultStatus: facts.isRepeated === true && resultStatus === 'F' ? 'C' : resultStatus,
  });
  return {
    pid,
    pv1: toVisitSegment(writer, facts.received),
    segments: [
      toOrderSegment(writer, order),
      toRequestSegment(writer, order),
      ...observations(writer, facts, settings, judged),
    ],
  };
}

interface Judgement {
  readonly judged: readonly JudgedRow[];
  readonly resultStatus: ResultStatus;
}

function judge({ report, before, document, photo, ...facts }: ResultFacts, settings: DestinationSettings): Judgement {
  const rowFacts: RowFacts = {
    analysedAt: facts.analysedAt,
    snomed: facts.snomed,
    language: settings.language,
    timeZone: settings.timeZone,
    intervals: settings.intervals,
  };
  const sent = (all: readonly ResultRow[]) => all.filter(({ code }) => !settings.omit.includes(code.code));
  const rows = sent(toReportRows(report, rowFacts));
  const files = [
    ...(document === null ? [] : [toDocumentRow(report, document, settings.pdfType)]),
    ...(photo === null ? [] : [toPhotoRow(photo.file, photo.format)]),
  ];
  if (report.status === 'entered-in-error') {
    const status = report.replacedBy === null ? 'D' : settings.wrongPatient;
    return { judged: withdrawRows([...rows, ...files], status), resultStatus: 'C' };
  }
  const preliminary = report.status === 'preliminary';
  const former = before === null || !isFinal(before) ? null : sent(toReportRows(before, rowFacts));
  const judged = judgeRows(rows, preliminary ? 'P' : 'F', former);
  const corrected = !preliminary && isCorrection(judged, former);
  return {
    judged: withFiles(judged, files, preliminary ? 'P' : corrected ? 'C' : 'F'),
    resultStatus: preliminary ? 'P' : corrected ? 'C' : 'F',
  };
}

/**
 * Files follow the rows that stand and precede those that are deleted. The document changes with any value; the photo
 * never does.
 */
function withFiles(judged: readonly JudgedRow[], files: readonly ResultRow[], status: 'P' | 'F' | 'C'): JudgedRow[] {
  const standing = judged.filter((row) => row.status !== 'D');
  const gone = judged.filter((row) => row.status === 'D');
  const isPhoto = ({ code }: ResultRow) => code.system === 'LN';
  return [
    ...standing,
    ...files.map((row): JudgedRow => ({ row, status: status === 'C' && isPhoto(row) ? 'F' : status })),
    ...gone,
  ];
}

function observations(
  writer: MessageWriter,
  facts: ResultFacts,
  settings: DestinationSettings,
  judged: readonly JudgedRow[],
): string[] {
  const { subject, capturedAt, capturedAsStated } = facts.report.content;
  const writeTime = (moment: Date) => formatTime(moment, settings.timeZone);
  const site = judged.find(({ row }) => row.code.code === 'wound-site')?.row.value;
  const shared = {
    capturedAt: formatCaptured(new Date(capturedAt), capturedAsStated, settings.timeZone),
    observer: observerOf(writer, facts, settings)?.xcn ?? '',
    site: subject.bodySite !== null && site?.type === 'CWE' ? (site.values[0] ?? null) : null,
    writeTime,
    writeStated: (stated: string) => formatStated(stated, settings.timeZone),
    codes: settings.codes,
    constants: settings.constants,
  };
  return judged.map((row, index) => toObservationSegment(writer, row, index + 1, shared));
}

function orderFacts(
  writer: MessageWriter,
  facts: ResultFacts,
  settings: DestinationSettings,
  { place, resultStatus }: Pick<OrderFacts, 'place' | 'resultStatus'>,
): OrderFacts {
  const { report, received, sentAt } = facts;
  const { capturedAt, capturedAsStated } = report.content;
  const attested = report.content.review?.decision === 'accept' || report.content.review?.decision === 'correct';
  const time = (moment: Date) => formatTime(moment, settings.timeZone);
  return {
    received,
    place,
    placer: placerOf(writer, received, settings.authorities),
    fillerId: report.replaces === null ? report.jobId : report.id,
    orderStatus: ORDER_STATUS[report.status],
    resultStatus,
    orderCode: settings.orderCode,
    receiver: settings,
    sentAt: time(sentAt),
    capturedAt: formatCaptured(new Date(capturedAt), capturedAsStated, settings.timeZone),
    issuedAt: time(report.issuedAt),
    interpreter: attested ? (observerOf(writer, facts, settings)?.ndl ?? '') : '',
  };
}

/**
 * CM closes the order at many receivers. A withdrawn result leaves the status of the order empty: another photo may
 * still fulfil it.
 */
const ORDER_STATUS: Readonly<Record<ClinicalReport['status'], OrderStatus>> = {
  preliminary: 'IP',
  final: 'CM',
  amended: 'CM',
  corrected: 'CM',
  'entered-in-error': '',
};

function observerOf(
  writer: MessageWriter,
  { report, received }: ResultFacts,
  { authorities }: DestinationSettings,
): ReturnType<typeof toObserver> | null {
  const { review } = report.content;
  return review === null
    ? null
    : toObserver(writer, review.reviewer, { orderedBy: received?.orc12 ?? '', authorities });
}
