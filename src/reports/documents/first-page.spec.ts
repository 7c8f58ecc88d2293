import { reportsOf, readingOf } from '../../../test/support/sample-report.js';
import { NO_PICTURES, type ClinicalReport, type ReviewStamp } from '../../core/report/clinical-report.js';
import type { ReportHeading } from '../../core/report/report-heading.js';
import { ReportRenderer } from '../rendering/report-renderer.js';
import type { Language } from '../wording/language.js';

const renderer = new ReportRenderer();
const REVIEW: ReviewStamp = {
  decision: 'reject',
  reviewer: { id: 'staff-31', name: 'Dr. Zoë Müller' },
  note: 'Another patient’s photo.',
  reviewedAt: '2025-11-01T08:09:10Z',
};

/** Of the last report, before the change from the photo before. */
async function firstPage(reports: readonly ClinicalReport[], language: Language, heading: ReportHeading | null = null) {
  const reading = { ...readingOf(reports), heading };
  const text = Buffer.from(await renderer.render(reading, NO_PICTURES, 'text', language)).toString('utf8');
  return text.slice(0, text.indexOf(language === 'en' ? '\nANNEX' : '\nANHANG')).replaceAll('\u00a0', ' ');
}

describe('the first page', () => {
  it.each<[Language, string, RegExp]>([
    ['en', 'Withdrawn by: Dr. Zoë Müller', /Not signed|POINTS TO LOOK AT/],
    ['de', 'Zurückgezogen von: Dr. Zoë Müller', /Nicht gezeichnet|HINWEISE/],
  ])(
    'of a withdrawn report says who withdrew it, and not that nobody looked, or that nothing is to be looked at (%s)',
    async (language, said, never) => {
      const reports = reportsOf({ weeks: [9], content: { review: REVIEW }, report: { status: 'entered-in-error' } });
      const text = await firstPage(reports, language);
      expect(text).toContain(said);
      expect(text).not.toMatch(never);
    },
  );

  it('has the stage that was stated, with its day where that is another', async () => {
    const stage = { system: 'pressure', value: 'suspected_deep_tissue_injury', statedBy: 'N. Example' } as const;
    const observed = [{ stage, statedAt: { stage: '2025-09-01' } }];
    const text = (await firstPage(reportsOf({ weeks: [9], observed }), 'en')).replace(/\s+/g, ' ');
    expect(text.slice(0, text.indexOf('SUMMARY'))).toContain(
      'Stage or grade: pressure injury, suspected deep tissue injury (stated by N. Example on 1 Sept 2025)',
    );
  });

  it('names a patient of whom no name is known by the number before the birth date', async () => {
    const heading = {
      patientName: null,
      birthDate: '2019-05-05',
      patientNumber: '4711',
      facility: null,
      orderer: null,
    };
    const text = await firstPage(reportsOf({ weeks: [9] }), 'en', { ...heading, timeZone: 'UTC' });
    expect(text.indexOf('4711')).toBeGreaterThan(0);
    expect(text.indexOf('4711')).toBeLessThan(text.indexOf('5 May 2019'));
  });
});
