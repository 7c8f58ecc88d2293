import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssessmentFindings } from '../../src/core/followup/assessment.js';
import type { ClinicalReport, ReviewStamp } from '../../src/core/report/clinical-report.js';
import type { ReceivedOrder } from '../../src/standards/hl7v2/records/received-orders.js';
import {
  DESTINATION_SETTINGS,
  type DestinationSettings,
  type DestinationInput,
} from '../../src/exits/mllp/settings/hl7-destination.js';
import { toResultMessage, type ResultFacts } from '../../src/exits/mllp/oru/result-message.js';
import { findingsWithArea, reportsOf } from './sample-report.js';

/** What the order of the worked messages said. */
export const RECEIVED_ORDER: ReceivedOrder = {
  placerSystem: 'urn:oid:1.2.3.4.5.7',
  placerValue: 'ORD-55012',
  orc2: 'ORD-55012^EHR^1.2.3.4.5.7^ISO',
  orc12: '31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO',
  obr4: '39135-9^Wound assessment panel^LN',
  obr16: '31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO',
  obr31: '',
  pid: 'PID|1||MRN-778812^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna^^^^^L||19510714|F|||Am Stein 4&Am Stein&4^^Würzburg^^97080^DE^H',
  pv1: 'PV1|1|I|W3^301^1^HOSP||||||||||||||||V-90017^^^HOSP&1.2.3.4.5.10&ISO^VN',
};
export const NURSE = { id: '31', name: 'Petra Pflege', system: 'urn:oid:1.2.3.4.5.9' };
const CAPTURED_AT = '2026-03-15T08:40:00.000Z';

export function destinationSettings(wish: Partial<DestinationInput> = {}): DestinationSettings {
  return DESTINATION_SETTINGS.parse({
    host: '127.0.0.1',
    port: 2576,
    receivingApplication: 'EHR',
    receivingFacility: 'HOSP',
    timeZone: 'Europe/Berlin',
    country: 'DEU',
    intervals: false,
    ...wish,
  });
}

export function acceptedBy(decision: ReviewStamp['decision'], reviewedAt = '2026-03-15T11:15:00.000Z'): ReviewStamp {
  return { decision, reviewer: NURSE, note: null, reviewedAt };
}

/** The findings of the worked messages. */
export function heelFindings(areaCm2 = 6.17, wish: Partial<AssessmentFindings> = {}): AssessmentFindings {
  const cm = (value: number) => ({ value, lower: value * 0.9, upper: value * 1.1 });
  return findingsWithArea(areaCm2, {
    figures: {
      area: { pixels: 4321, pixelBounds: { lower: 4000, upper: 4700 }, cm2: cm(areaCm2) },
      length: { pixels: 120, cm: cm(3.4) },
      width: { pixels: 80, cm: cm(2.4) },
      perimeter: { pixels: 333, cm: cm(9) },
    },
    tissue: {
      granulation: 0.61,
      slough: 0.285,
      necrosis: 0.03,
      other: 0.075,
      method: { granulation: 'model', slough: 'model', necrosis: 'cielab_rule', other: 'remainder' },
    },
    confidence: 0.95,
    quality: { acceptable: true, sharpness: 0.4, exposure: 55, glareShare: 0, warnings: [] },
    model: 'sutura-seg/1.4.0',
    ...wish,
  });
}

/** The second report of the wound of the worked messages. */
export function heelReport(
  wish: Partial<ClinicalReport> = {},
  findings = heelFindings(),
  changePct: number | null = -26.7,
): ClinicalReport {
  const [, report] = reportsOf({ weeks: [8.42, findings] });
  const { content } = report!;
  const sincePrevious =
    changePct === null || content.comparison.sincePrevious === null
      ? null
      : { ...content.comparison.sincePrevious, areaPct: changePct };
  return {
    ...report!,
    jobId: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3d',
    issuedAt: new Date('2026-03-15T08:41:00.000Z'),
    content: {
      ...content,
      models: [{ name: 'sutura-seg', version: '1.4.0', sha256: 'a'.repeat(64), researchOnly: true }],
      subject: {
        ...content.subject,
        woundId: 'W-12',
        bodySite: { system: 'http://snomed.info/sct', code: '84607009', display: 'Skin structure of heel' },
        laterality: 'left',
      },
      capturedAt: CAPTURED_AT,
      clinicianObservations: null,
      comparison: {
        ...content.comparison,
        sincePrevious,
        trend: sincePrevious === null ? null : 'smaller',
        course: {
          verdict: sincePrevious === null ? 'unknown' : 'improving',
          since: CAPTURED_AT,
          because: [],
          waitsFor: [],
        },
      },
      flags: [],
    },
    ...wish,
  };
}

export function withReview(
  report: ClinicalReport,
  review: ReviewStamp,
  wish: Partial<ClinicalReport> = {},
): ClinicalReport {
  return {
    ...report,
    version: report.version + 1,
    issuedAt: new Date(review.reviewedAt),
    reason: 'reviewed',
    ...wish,
    content: { ...(wish.content ?? report.content), review },
  };
}

export function resultFacts(report: ClinicalReport, wish: Partial<ResultFacts> = {}): ResultFacts {
  return {
    report,
    before: null,
    patient: { receivedPid: RECEIVED_ORDER.pid, record: null, identifier: report.content.subject.patient },
    received: RECEIVED_ORDER,
    analysedAt: new Date('2026-03-15T08:40:33.000Z'),
    snomed: true,
    document: null,
    photo: null,
    sentAt: report.issuedAt,
    ...wish,
  };
}

/** Segments of a result, in UTF-8; the message ends with CR. */
export function segmentsOf(
  facts: ResultFacts,
  settings = destinationSettings(),
  controlId = 'SUT-000000701',
): string[] {
  const text = toResultMessage(facts, settings)!(controlId).toString();
  if (!text.endsWith('\r')) throw new Error('The last segment has no end.');
  return text.slice(0, -1).split('\r');
}

/** OBX rows by the code of OBX-3 and OBX-4: fields by position. */
export function rowsOf(segments: readonly string[]): Map<string, readonly string[]> {
  const rows = segments.filter((segment) => segment.startsWith('OBX|')).map((segment) => segment.split('|'));
  return new Map(rows.map((fields) => [`${fields[3]!.split('^')[0]} ${fields[4]}`, fields]));
}

/** A worked message of the specification, by segments. */
export function workedMessage(name: string): string[] {
  return readFileSync(join(__dirname, '../fixtures/hl7v2', name), 'utf8')
    .split('\r')
    .filter((segment) => segment !== '');
}
