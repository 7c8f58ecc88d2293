import {
  findingsWithArea,
  findingsWithoutScale,
  findingsWithoutWound,
  readingOf,
  reportsOf,
  type SeriesOptions,
} from '../../../../test/support/sample-report.js';
import { EVERYTHING_STATED } from '../../../../test/support/stated-sample.js';
import type { ReviewStamp } from '../../../core/report/clinical-report.js';
import type { ReportReading } from '../../../core/report/clinical-report.js';
import { toReportResources } from '../../../reports/index.js';
import { ProfileLibrary } from '../profiles/profile-library.js';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { ResourceValidator } from './resource-validator.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const CONTEXT = {
  patient: 'Patient/0199d0a1-4a00-7b10-8a01-000000001001',
  performer: 'Organization/0199d0a1-0000-7000-8000-000000000001',
  encounter: 'Encounter/0199d0a1-4a00-7b10-8a01-000000000301',
  order: {
    reference: 'ServiceRequest/0199e1c4-6800-7c33-8b02-000000002001',
    placer: { system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' },
  },
  snomed: true,
  style: 'discrete' as const,
  document: { contentType: 'application/pdf', url: 'Binary/0199e1c4-6800-7c33-8b02-000000002002' },
  findingsBefore: findingsWithArea(9),
  mediaOf: (imageId: string) => `Media/${imageId}`,
};
const REVIEW: ReviewStamp = {
  decision: 'correct',
  reviewer: { id: 'HCP-0042', name: 'Example Reviewer', system: 'urn:oid:1.2.3' },
  note: null,
  reviewedAt: '2025-11-01T08:09:10Z',
};

const read = (wish: SeriesOptions): ReportReading => readingOf(reportsOf(wish));
const READINGS: [string, ReportReading][] = [
  ['a first assessment', read({ weeks: [9] })],
  ['a follow-up', read({ weeks: [9, 7, 5] })],
  ['one that is not comparable', read({ weeks: [9, findingsWithArea(5, { model: 'other/1.0.0' })] })],
  [
    'one with all that a clinician can state',
    read({ weeks: [9], content: { clinicianObservations: EVERYTHING_STATED } }),
  ],
  ['one without a wound', read({ weeks: [9, findingsWithoutWound()] })],
  ['one without a scale', read({ weeks: [findingsWithoutScale()] })],
  [
    'one that a clinician corrected',
    read({
      weeks: [9, findingsWithArea(5, { outlineSource: 'reviewer_contour', confidence: null })],
      content: { review: REVIEW },
      report: { status: 'corrected' },
    }),
  ],
  ['one that a recomputation amended', read({ weeks: [9, 5], report: { status: 'amended', version: 2 } })],
  ['one that was withdrawn', { ...read({ weeks: [9, 5], report: { status: 'entered-in-error' } }), sequence: null }],
];

describe('the resources of a report meet R4 and their profiles', () => {
  it.each(READINGS)('%s', (_, reading) => {
    for (const [snomed, style] of [
      [true, 'discrete'],
      [false, 'discrete'],
      [true, 'skin-wound-ig'],
      [false, 'skin-wound-ig'],
    ] as const) {
      const { report, observations } = toReportResources(reading, { ...CONTEXT, snomed, style });
      // A profile of the HL7 guide is not ours to check, which the validator says.
      const errorsOf = (resource: unknown) =>
        validator.validate(resource).issues.filter(({ severity }) => severity !== 'information');
      for (const resource of [report, ...observations])
        expect([resource.id, errorsOf(resource)]).toEqual([resource.id, []]);
      if (!snomed) expect(JSON.stringify([report, observations])).not.toContain('http://snomed.info');
    }
  });
});
