import { VERDICTS, type Course } from '../followup/course.js';
import { NOTHING_COMPARED } from '../followup/series.js';
import type { ClinicalReport, ReportContent } from './clinical-report.js';
import { CONCERNS, concernOf, concernOfVerdict } from './concern.js';
import { placeText, readPlace } from './worklist.repository.js';

const SOUND = {
  quality: { acceptable: true, warnings: [] },
  outlineSource: 'model',
  ambiguous: false,
  woundDetected: true,
};
const course = (verdict: Course['verdict']): Course => ({
  verdict,
  since: '2026-03-01T08:00:00Z',
  because: [],
  waitsFor: [],
});
const report = (
  status: ClinicalReport['status'],
  {
    attention = [],
    course: told,
    findings = {},
    more = {},
    review = null,
  }: { attention?: string[]; course?: Course; findings?: object; more?: object; review?: object | null } = {},
) =>
  ({
    status,
    content: {
      findings: { ...SOUND, ...findings },
      comparison: { ...NOTHING_COMPARED, attention, ...(told === undefined ? {} : { course: told }), ...more },
      flags: [],
      review,
    } as unknown as ReportContent,
  }) as const;

describe('how urgently a report is looked at', () => {
  it('is of no concern once it was withdrawn, or issued with nothing that waits', () => {
    expect(concernOf(report('entered-in-error', { attention: ['site_mismatch'] }))).toBeNull();
    for (const status of ['final', 'amended', 'corrected'] as const) expect(concernOf(report(status))).toBeNull();
  });

  it('puts what contradicts, and what the software disbelieves, before all', () => {
    expect(concernOf(report('amended', { attention: ['duplicate_photo'] }))).toBe('held');
    const blurred = { quality: { acceptable: false, warnings: [] } };
    expect(concernOf(report('preliminary', { course: course('improving'), findings: blurred }))).toBe('held');
  });

  it('puts what was issued before it was known to be a child’s before all, until a person has looked', () => {
    const more = { ageGroup: 'infant' };
    for (const status of ['final', 'amended', 'corrected'] as const)
      expect(concernOf(report(status, { more }))).toBe('held');
    expect(concernOf(report('preliminary', { more, course: course('improving') }))).toBe('other');
    expect(concernOf(report('amended', { more, review: { decision: 'accept' } }))).toBeNull();
    expect(concernOf(report('amended', { more: { ...more, supersededBy: 'r-2' } }))).toBeNull();
    expect(concernOf(report('entered-in-error', { more }))).toBeNull();
  });

  it('counts a report without a verdict as not known to be well', () => {
    expect(concernOf(report('preliminary'))).toBe('unknown');
    expect(concernOfVerdict(null)).toBe('unknown');
  });

  it.each(VERDICTS)('puts %s before what is better, or beside it', (verdict) => {
    const rank = CONCERNS.indexOf(concernOf(report('preliminary', { course: course(verdict) }))!);
    const isWell = ['improving', 'unchanged', 'closed', 'ended'].includes(verdict);
    expect(rank === CONCERNS.indexOf('other')).toBe(isWell);
  });
});

describe('a place in a list', () => {
  const place = {
    concern: 'mixed',
    since: new Date('1969-12-31T23:59:59.999Z'),
    id: '01997f2e-8888-7000-8000-000000000008',
  } as const;

  it.each([
    '',
    '6_0_01997f2e-8888-7000-8000-000000000008',
    '1_9999999999999999_01997f2e-8888-7000-8000-000000000008',
    '1_0_x',
  ])('is not read from %j', (text) => {
    expect(readPlace(text)).toBeNull();
  });

  it('is read as it was written', () => {
    expect(readPlace(placeText(place))).toEqual(place);
  });
});
