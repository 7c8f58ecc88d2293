import { reportsOf, samplePicture } from '../../../test/support/sample-report.js';
import { readDocument } from '../../../test/support/read-document.js';
import { REPORT_FORMATS } from '../../core/report/report-document.js';
import { changeOver, gapsOf, type WoundEvidence } from '../../core/report/wound-evidence.js';
import { ReportRenderer } from '../rendering/report-renderer.js';
import { LANGUAGES } from '../wording/language.js';
import { speak } from '../wording/wording.js';
import { evidenceNarratives } from '../rendering/evidence-narratives.js';

const renderer = new ReportRenderer();

function evidenceOf(weeks: readonly number[], wish: Partial<WoundEvidence> = {}): WoundEvidence {
  const reports = reportsOf({
    weeks: weeks.length === 0 ? [9] : weeks,
    content: { clinicalContext: '<b>x</b> & bandage' },
  });
  const shown = weeks.length === 0 ? [] : reports;
  const told = {
    heading: null,
    subject: reports[0]!.content.subject,
    from: new Date('2025-09-03T00:00:00Z'),
    to: new Date('2025-10-01T23:00:00Z'),
    issuedAt: new Date('2025-10-02T00:00:00Z'),
    reports: shown,
    change: changeOver(shown, wish.events),
    events: [],
    ...wish,
  };
  return { ...told, missing: gapsOf(told) };
}

const textOf = async (evidence: WoundEvidence, format: (typeof REPORT_FORMATS)[number], language = 'en' as const) =>
  readDocument(await renderer.renderEvidence(evidence, [], format, language), format);

describe.each(REPORT_FORMATS)('the evidence of a wound as %s', (format) => {
  it('says that there is no assessment, and that no treatment is recorded, rather than nothing', async () => {
    const text = await textOf(evidenceOf([]), format);
    expect(text).toContain('No assessment lies in this period.');
    expect(text).toContain('There is no assessment in this period.');
    expect(text).toContain('this page does not say that nothing was done');
  });

  it('has each area, who signed and what is missing', async () => {
    const text = await textOf(evidenceOf([10, 9, 8, 7, 6]), format);
    expect(text).toContain('Assessments that a clinician has signed: 0 of 5.');
    expect(text).toContain('Not signed by a clinician: 3 Sept 2025;');
    expect(text).toContain('Contains preliminary assessments: not reviewed by a clinician');
    for (const area of ['10.00', '9.00', '8.00', '7.00', '6.00']) expect(text).toContain(area);
    expect(text).toMatch(/[−-]40\.0%/);
  });

  it('has recorded steps with their words', async () => {
    const occurredAt = new Date('2025-09-10T08:00:00Z');
    const event = { id: 'e', woundId: 'w', type: 'debridement', note: 'sharp', recordedAt: occurredAt } as const;
    const by = { id: 'n-1', name: 'A. Nurse' };
    const events = [{ ...event, by, occurredAt, enteredBy: null, withdrawal: null }];
    const text = await textOf(evidenceOf([10, 9], { events }), format);
    expect(text).toMatch(/debridement/);
    expect(text).toContain('sharp');
    expect(text).not.toContain('No step of treatment is recorded here');
  });
});

describe('the evidence of a wound', () => {
  it('shows photos beside each other, as many as there are', async () => {
    const evidence = evidenceOf([10, 9, 8, 7]);
    const picture = { ...(await samplePicture(1)), widthCm: 6, scaleBarMm: 20 };
    const pictures = evidence.reports.map(({ id }, place) => ({ reportId: id, picture: place === 1 ? null : picture }));
    const html = Buffer.from(await renderer.renderEvidence(evidence, pictures, 'html', 'en')).toString();
    expect(html.match(/<img /g)).toHaveLength(3);
    expect(html).toContain('3 of 4 photos are shown');
  });

  it.each(LANGUAGES)('is told as XHTML in %s, in which a caller’s words are no tags', (language) => {
    const told = evidenceNarratives(evidenceOf([10, 9]), language);
    expect(told.treatment.div).toContain('&lt;b&gt;x&lt;/b&gt; &amp; bandage');
    expect(told.missing.title).toBe(speak(language)('section.missing'));
    for (const { div } of Object.values(told))
      expect(div).toMatch(/^<div xmlns="http:\/\/www\.w3\.org\/1999\/xhtml">.+<\/div>$/s);
  });
});
