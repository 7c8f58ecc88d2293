import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { reportsOf } from '../../../test/support/sample-report.js';
import type { ClinicalReport } from './clinical-report.js';
import { lastStatedBefore } from './last-stated.js';

const stated = (report: ClinicalReport, clinicianObservations: ClinicianObservations | null): ClinicalReport => ({
  ...report,
  content: { ...report.content, clinicianObservations },
});

describe('what was stated last time', () => {
  const [first, second, third] = reportsOf({ weeks: [9, 8, 7] }) as [ClinicalReport, ClinicalReport, ClinicalReport];

  it('is nothing of the visit itself, of another photo of that visit, and of later ones', () => {
    const beside = {
      ...stated(second, { depthCm: 4 }),
      id: 'beside',
      content: {
        ...second.content,
        capturedAt: new Date(Date.parse(second.content.capturedAt) - 3_600_000).toISOString(),
        clinicianObservations: { depthCm: 4 },
      },
    };
    const later = stated(third, { depthCm: 3 });
    expect(lastStatedBefore(second, [stated(first, null), beside, stated(second, { depthCm: 2 }), later])).toEqual({});
  });

  it('is nothing of before the wound was closed', () => {
    const closure = { closedAt: second.content.capturedAt, reopenedAt: null };
    const again = { ...third, content: { ...third.content, comparison: { ...third.content.comparison, closure } } };
    expect(lastStatedBefore(again, [stated(first, { depthCm: 1 }), stated(second, { painNrs: 2 }), again])).toEqual({});
  });

  it('is nothing of a photo that waits for a person, which may be of another wound', () => {
    const comparison = { ...second.content.comparison, attention: ['site_mismatch'] as const };
    const foreign = { ...second, content: { ...second.content, clinicianObservations: { depthCm: 2.5 }, comparison } };
    expect(lastStatedBefore(third, [stated(first, { depthCm: 0.5 }), foreign, third])).toEqual({
      depthCm: { value: 0.5, capturedAt: first.content.capturedAt },
    });
  });

  it('is each thing from the last visit that stated it, with the day of that', () => {
    const statedAt = { painNrs: '2025-09-09' };
    const series = [
      stated(first, { depthCm: 1, painNrs: 7, odour: 'strong' }),
      stated(second, { depthCm: 2, painNrs: 4, statedAt }),
      third,
    ];
    const [at, before] = [second.content.capturedAt, first.content.capturedAt];
    expect(lastStatedBefore(third, series)).toEqual({
      depthCm: { value: 2, capturedAt: at },
      painNrs: { value: 4, capturedAt: at, statedAt: '2025-09-09' },
      odour: { value: 'strong', capturedAt: before },
    });
  });
});
