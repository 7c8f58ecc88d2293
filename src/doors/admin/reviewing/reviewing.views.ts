import { z } from 'zod';
import type { CodedConcept } from '../../../core/analysis/analysis-job.js';
import { VERDICTS } from '../../../core/followup/course.js';
import { FLAG_CODES } from '../../../core/followup/flag-codes.js';
import { CONCERNS } from '../../../core/report/concern.js';
import { REPORT_STATUSES } from '../../../core/report/report-status.js';
import type { Headed } from '../../../core/report/worklist.js';
import {
  placeText,
  type ListedReport,
  type ListedWound,
  type ListPlace,
} from '../../../core/report/worklist.repository.js';
import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';
import { id, list, moment, owner } from '../action/answer-fields.js';

const WOUND = z
  .object({
    id: id.describe('This service’s id of the wound.'),
    woundId: z.string().nullable().describe('As its sender calls it; null: they named none.'),
    bodySite: z.string().nullable(),
    laterality: z.string().nullable(),
    woundType: z.string().nullable(),
  })
  .describe('In words where the sender gave words, else in their code.');

const PATIENT = z
  .object({ name: z.string().nullable(), birthDate: z.string().nullable(), number: z.string().nullable() })
  .describe('As the records say now; null: not known.');

const LISTED = {
  reportId: id,
  ...owner,
  patientId: id.nullable().describe('null: nobody named a patient.'),
  patient: PATIENT,
  facility: z.string().nullable(),
  wound: WOUND,
  concern: z
    .enum(CONCERNS)
    .describe('held: something contradicts, or the software disbelieves the photo; unknown: nothing safe to compare.'),
  verdict: z.enum(VERDICTS).nullable().describe('null: by rules that had none.'),
  waitsFor: list(z.string()).describe('What a person has to say first; codes as in the report’s course.'),
  flags: list(z.enum(FLAG_CODES)),
  capturedAt: z.string().describe('As its sender stated it, perhaps a day alone; else in UTC.'),
  areaCm2: z.number().nullable().describe('null: no scale, or no open wound.'),
};

export const FOR_REVIEW_VIEW = z.object({
  ...LISTED,
  version: z.number(),
  status: z.enum(REPORT_STATUSES),
  since: moment.describe('Since when there is a report.'),
});
export type ForReviewView = z.output<typeof FOR_REVIEW_VIEW>;

export const IN_CARE_VIEW = z.object({
  ...LISTED,
  areaChangePct: z.number().nullable().describe('Against the photo before that it can be compared with.'),
  daysSincePhoto: z.number(),
  waiting: z.number().describe('Of its photos, how many have a report that waits for a person.'),
});
export type InCareView = z.output<typeof IN_CARE_VIEW>;

const nextCursor = z.string().nullable().describe('For the next page; null at the end.');
export const FOR_REVIEW_LIST_VIEW = z.object({
  items: list(FOR_REVIEW_VIEW).describe('The gravest first, then what waits longest.'),
  nextCursor,
});
export const IN_CARE_LIST_VIEW = z.object({
  items: list(IN_CARE_VIEW).describe('The gravest first, then what was longest not photographed.'),
  nextCursor,
});

const DAY_MS = 86_400_000;

export function toForReviewView(entry: Headed<ListedReport>): ForReviewView {
  const { report, since } = entry;
  return { ...toListed(entry), version: report.version, status: report.status, since: since.toISOString() };
}

export function toInCareView(entry: Headed<ListedWound>, now: Date): InCareView {
  const { report, since, waiting } = entry;
  return {
    ...toListed(entry),
    areaChangePct: report.content.comparison.sincePrevious?.areaPct ?? null,
    daysSincePhoto: Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS)),
    waiting,
  };
}

export function toCursor(next: ListPlace | null): string | null {
  return next === null ? null : placeText(next);
}

function toListed({ report, wound, heading, concern }: Headed<ListedReport>) {
  const { organizationId, environment, patientId, bodySite, laterality, woundType } = wound;
  const { capturedAt, capturedAsStated, findings, flags, comparison } = report.content;
  return {
    reportId: report.id,
    organizationId,
    environment,
    patientId,
    patient: { name: heading.patientName, birthDate: heading.birthDate, number: heading.patientNumber },
    facility: heading.facility,
    wound: {
      id: wound.id,
      woundId: wound.woundId,
      bodySite: wordsOf(bodySite),
      laterality,
      woundType: wordsOf(woundType),
    },
    concern,
    verdict: comparison.course?.verdict ?? null,
    waitsFor: comparison.course?.waitsFor ?? comparison.attention,
    flags: flags.map(({ code }) => code),
    capturedAt: capturedAsStated ?? capturedAt,
    areaCm2: findings.figures?.area.cm2?.value ?? null,
  };
}

function wordsOf(concept: CodedConcept | null): string | null {
  return concept?.display ?? concept?.code ?? null;
}

/** Plainly invented, for the OpenAPI document. */
const LISTED_EXAMPLE = {
  reportId: '01997f2e-8888-7000-8000-000000000008',
  organizationId: ADMIN_EXAMPLE_IDS.organizationId,
  environment: 'live' as const,
  patientId: '01997f2e-8888-7000-8000-00000000000a',
  patient: { name: 'Beispiel, Anna', birthDate: '1951-07-14', number: 'MRN-778812 (HOSP)' },
  facility: 'Ward 3',
  wound: {
    id: '01997f2e-8888-7000-8000-00000000000b',
    woundId: 'W1',
    bodySite: 'Heel',
    laterality: 'left',
    woundType: 'Pressure injury',
  },
  concern: 'worsening' as const,
  verdict: 'worsening' as const,
  waitsFor: [],
  flags: ['area_growth' as const],
  capturedAt: '2026-03-15T08:40:00.000Z',
  areaCm2: 5.2,
};
export const FOR_REVIEW_EXAMPLE: ForReviewView = {
  ...LISTED_EXAMPLE,
  version: 1,
  status: 'preliminary',
  since: '2026-03-15T08:40:05.000Z',
};
export const IN_CARE_EXAMPLE: InCareView = { ...LISTED_EXAMPLE, areaChangePct: 57.6, daysSincePhoto: 3, waiting: 1 };
