import type { ReviewDecision } from './report-status.js';
import { reportsOf } from '../../../test/support/sample-report.js';
import type { ClinicalReport, ReportContent, ReviewStamp } from './clinical-report.js';
import { hasReplacedForm, toAssessment } from './reported-assessment.js';

const [report] = reportsOf({ weeks: [9] }) as [ClinicalReport];

const reviewed = (decision: ReviewDecision): ReviewStamp => ({
  decision,
  reviewer: { name: 'Dr. Example', id: '31', system: 'https://hospital.example/staff' },
  note: null,
  reviewedAt: '2025-09-04T08:30:00.000Z',
});

const isReplaced = (content: Partial<ReportContent>) =>
  toAssessment({ ...report, content: { ...report.content, ...content } }).isFormReplaced;

describe('whether a person put a form in place of what was stated with a photo', () => {
  const FORM = { depthCm: 1 };

  it.each<[string, Partial<ReportContent>, boolean]>([
    ['is false where nobody looked', { clinicianObservations: FORM }, false],
    ['is false where an outline alone was corrected', { clinicianObservations: FORM, review: reviewed('correct'), formReplaced: false }, false],
    ['stays true after a later decision', { clinicianObservations: FORM, review: reviewed('accept'), formReplaced: true }, true],
    ['is true where a person left no field of it', { clinicianObservations: null, review: reviewed('correct'), formReplaced: true }, true],
    ['is taken for true of an older version that was corrected and has a form', { clinicianObservations: FORM, review: reviewed('correct') }, true],
    ['is false of an older version that has none', { clinicianObservations: null, review: reviewed('correct') }, false],
    ['is false of an older version that was accepted', { clinicianObservations: FORM, review: reviewed('accept') }, false],
  ])('%s', (_, content, expected) => expect(isReplaced(content)).toBe(expected)); // prettier-ignore
});

describe('whether any version put a form in place of what was stated', () => {
  const OTHER = { depthCm: 2 };
  const FORM = { depthCm: 1 };
  const has = (...versions: readonly Partial<ReportContent>[]) =>
    hasReplacedForm(versions.map((content) => ({ ...report, content: { ...report.content, ...content } })));
  const first = { clinicianObservations: FORM };

  it.each<[string, readonly Partial<ReportContent>[], boolean]>([
    ['not by an outline that an older release corrected', [first, { ...first, review: reviewed('correct') }], false],
    ['by a form that an older release corrected', [first, { clinicianObservations: OTHER, review: reviewed('correct') }], true],
    ['also after an older release wrote a version without that', [first, { clinicianObservations: OTHER, review: reviewed('correct'), formReplaced: true }, { clinicianObservations: OTHER, review: reviewed('accept') }], true],
    ['not by what nobody has decided on', [first, { clinicianObservations: OTHER }], false],
  ])('%s', (_, versions, expected) => expect(has(...versions)).toBe(expected)); // prettier-ignore
});
