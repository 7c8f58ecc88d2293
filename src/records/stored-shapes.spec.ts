import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WoundResult } from '../core/measurement/wound-result.js';
import { readReleaseData } from '../../test/support/release-data.js';
import { findingsWithArea, findingsWithWounds, reportsOf } from '../../test/support/sample-report.js';
import { drawResult } from '../../test/support/wound-results.js';
import { RESULTS } from './analysis/job-row.js';
import { partContent, REPORT_CONTENTS } from './reports/report-row.js';

const FOLDER = resolve(__dirname, '../../test/fixtures/stored-documents');

interface Shape {
  readonly version: number;
  /** Where values stand, lists as []. */
  readonly fields: readonly string[];
}

function kept(name: string): Shape {
  return JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), 'utf8')) as Shape;
}

function fieldsOf(value: unknown, place = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, `${place}[]`));
  if (typeof value !== 'object' || value === null) return [place];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, place === '' ? name : `${place}.${name}`));
}

const distinct = (fields: readonly string[]): string[] => [...new Set(fields)].sort();

const MODEL = {
  name: 'model',
  version: '1',
  sha256: 'ab'.repeat(32),
  researchOnly: true,
  task: 'wound-segmentation',
} as const;
const REVIEW = {
  decision: 'accept',
  reviewer: { name: 'Dr. Example', id: '31', system: 'https://hospital.example/staff' },
  note: 'seen',
  reviewedAt: '2026-01-05T08:30:00.000Z',
  enteredBy: 'HCP-0042',
} as const;
const ERASED = { imageId: '0199eeee-0000-7000-8000-000000000001', erasedAt: '2026-01-06T08:30:00.000Z' };
/** The third is not as sharp as the one before, so that its comparison has a warning; the last has a slope. */
const WEEKS = [
  findingsWithArea(9),
  findingsWithWounds([12, 3]),
  findingsWithArea(11, { quality: { ...findingsWithArea(11).quality, acceptable: false } }),
  findingsWithArea(13),
  findingsWithArea(14),
];
const OBSERVED = {
  depthCm: 0.4,
  lengthCm: 4.5,
  widthCm: 3,
  exudate: 'moderate',
  exudateType: 'serous',
  odour: 'faint',
  painNrs: 3,
  undermining: [{ fromClock: 2, toClock: 5, depthCm: 1.2 }],
  tunnelling: [{ clock: 6, depthCm: 2 }],
  edges: ['rolled'],
  periwound: ['dry'],
  infectionSigns: ['pus'],
  infectionSignCodes: [{ sign: 'warmth', status: 'present' }],
  stage: { system: 'pressure', value: '3', statedBy: 'N. Example', statedAt: '2026-01-05' },
} as const;
const reports = reportsOf({
  weeks: WEEKS,
  content: { models: [MODEL], review: REVIEW, erasedPhotos: [ERASED], clinicianObservations: OBSERVED },
});
const result: WoundResult = {
  ...drawResult(),
  familiarity: { score: 0.9, expectedDice: { value: 0.85, lower: 0.6, upper: 0.95 }, outlineReliable: true },
  attention: ['site_mismatch'],
  followUp: {
    asOf: '2026-01-05T08:30:00.000Z',
    previousJobId: 'job',
    daysSincePrevious: 7,
    areaChangePct: -5,
    areaChangeSinceBaselinePct: -5,
    minimalDetectableChangePct: 20,
    beyondDetectable: false,
    warnings: [],
  },
};

/**
 * What a writer changes here no reader of another release knows: raise the version with a step in REPORT_CONTENTS or RESULTS, and only then
 * write the new fields into the fixture (docs/decisions/0032). Fields that may be absent and are only added need no step.
 */
describe('documents that are kept as JSON have the fields that their version has', () => {
  it('reports', () => {
    const fields = distinct(reports.flatMap(({ content }) => fieldsOf(partContent(content))));
    expect({ version: REPORT_CONTENTS.presentVersion, fields }).toEqual(kept('report'));
  });

  it('results of jobs', () => {
    const { timingsMs: _untold, ...trace } = result.trace;
    expect({ version: RESULTS.presentVersion, fields: distinct(fieldsOf({ ...result, trace })) }).toEqual(
      kept('result'),
    );
  });

  it('and so have those of release 0.1.0 once they are read', () => {
    const { tables } = readReleaseData('0.1.0');
    const rows = (tables['report_versions'] ?? []).map(
      (row) => JSON.parse(row) as Record<'figures' | 'details', unknown>,
    );
    const known = new Set(kept('report').fields);
    const strangers = distinct(rows.flatMap((row) => fieldsOf(REPORT_CONTENTS.read(row, 1)))).filter(
      (field) => ![...known].some((one) => one === field || one.startsWith(`${field}.`) || one.startsWith(`${field}[`)),
    );
    expect([rows.length > 0, strangers]).toEqual([true, []]);
  });
});
