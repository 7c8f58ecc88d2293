import { NO_PICTURES } from '../../../src/core/report/clinical-report.js';
import { eventsOfReport } from '../../../src/exits/webhooks/events/report-events.js';
import { summarizeReport } from '../../../src/reports/documents/report-document.js';
import { toCourseDocument } from '../../../src/reports/documents/course-document.js';
import { toReportResources } from '../../../src/reports/diagnostic-report/to-diagnostic-report.js';
import { ReportRenderer } from '../../../src/reports/rendering/report-renderer.js';
import { acceptedBy, resultFacts, rowsOf, segmentsOf } from '../../support/hl7-result.js';
import { courseOf, findingsWithArea, findingsWithoutWound, readingOf, reportsOf } from '../../support/sample-report.js';

const CONTEXT = {
  patient: 'Patient/p1',
  performer: 'Organization/o1',
  encounter: null,
  order: null,
  snomed: true,
  document: null,
  findingsBefore: null,
  mediaOf: (imageId: string) => `Media/${imageId}`,
} as const;
const QUALITY = { acceptable: false, sharpness: 0.01, exposure: 50, glareShare: 0, warnings: ['blurred'] } as const;
const DOUBTFUL = { score: 0.3, expectedDice: { value: 0.41, lower: 0, upper: 0.79 }, outlineReliable: false };
const POOR = findingsWithArea(4.84, { quality: QUALITY, familiarity: DOUBTFUL });
const GOOD = findingsWithArea(9, {
  quality: { ...QUALITY, acceptable: true, warnings: [] },
  familiarity: { ...DOUBTFUL, outlineReliable: true },
});

/** The last of these reports as each exit tells it. */
function exitsOf(...weeks: Parameters<typeof reportsOf>[0]['weeks']) {
  const reports = reportsOf({ weeks });
  const reading = readingOf(reports);
  const { report } = reading;
  const event = eventsOfReport([report], null).find(({ type }) => type === 'report.ready')!;
  const resources = (style: 'discrete' | 'skin-wound-ig') => toReportResources(reading, { ...CONTEXT, style });
  const noteOf = (style: 'discrete' | 'skin-wound-ig', name: string) =>
    resources(style)
      .observations.find(({ id }) => id!.endsWith(name))!
      .note!.map(({ text }) => text)
      .join(' ');
  const paper = async () =>
    Buffer.from(await new ReportRenderer().render(reading, NO_PICTURES, 'text', 'en'))
      .toString('utf8')
      .replaceAll(/\s+/g, ' ');
  return { reports, report, event, resources, noteOf, paper, rows: rowsOf(segmentsOf(resultFacts(report))) };
}

describe('the area of a photo that is not acceptable', () => {
  it('leaves by a webhook with the quality of the photo, and with the reason why no trend is stated', () => {
    expect(exitsOf(GOOD, POOR).event.data).toMatchObject({
      quality: { acceptable: false, warnings: ['blurred'] },
      outlineReliable: false,
      areaChangeWarnings: ['poor_quality', 'doubtful_outline'],
      noTrendReason: 'not_comparable',
    });
    expect(exitsOf(GOOD, GOOD).event.data).toMatchObject({
      quality: { acceptable: true, warnings: [] },
      outlineReliable: true,
      areaChangeWarnings: [],
      noTrendReason: null,
    });
    expect(exitsOf(findingsWithoutWound()).event.data).toMatchObject({
      outlineReliable: null,
      noTrendReason: 'no_wound_outlined',
    });
  });

  it('leaves over HL7 v2 with codes of its own beside the warnings', () => {
    const codes = exitsOf(POOR)
      .rows.get('quality-warning 1')![5]!
      .split('~')
      .map((value) => value.split('^')[0]);
    expect(codes).toEqual(['photo_not_acceptable', 'outline_doubtful', 'blurred']);
    expect(exitsOf(GOOD).rows.has('quality-warning 1')).toBe(false);
  });

  it('leaves with an outline that is doubted no more once a person has confirmed it', () => {
    const { report } = exitsOf(POOR);
    const decided = { ...report, content: { ...report.content, review: acceptedBy('accept') } };
    expect(eventsOfReport([decided], null).map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ outlineReliable: null }),
    );
    expect(rowsOf(segmentsOf(resultFacts(decided))).get('quality-warning 1')![5]).not.toContain('outline_doubtful');
  });

  it('leaves over FHIR with notes in both styles, and is doubted in the conclusion of every exit', () => {
    const { noteOf, resources, report, rows } = exitsOf(POOR);
    for (const note of [noteOf('discrete', '-area'), noteOf('skin-wound-ig', '-size')]) {
      expect(note).toContain('Another photo should be taken');
      expect(note).toContain('more likely wrong than right');
    }
    const told = [
      summarizeReport(report, 'en', 'UTC'),
      resources('discrete').report.conclusion!,
      rows.get('conclusion 1')![5]!,
    ];
    for (const text of told) expect(text).toContain('Another photo should be taken');
  });

  it('is named as doubtful wherever a later report prints it or rests on it', async () => {
    const later = await exitsOf(POOR, findingsWithoutWound()).paper();
    expect(later).toContain('4.84 cm². This area is not reliable');
    const compared = exitsOf(POOR, GOOD, findingsWithArea(8));
    expect(summarizeReport(compared.report, 'en', 'UTC')).toMatch(
      /since the first assessment of [^.]*\. These two areas are not safely comparable\./,
    );
    const paper = await compared.paper();
    expect(paper).toContain('20.5%: not judged');
    expect(paper).toContain('(photo or outline');
    const course = JSON.stringify(toCourseDocument(courseOf(compared.reports), null, 'en'));
    expect(course.match(/photo or outline doubtful/g)).toHaveLength(1);
    expect(await exitsOf(GOOD, GOOD).paper()).not.toMatch(/doubtful|not judged|not safely/);
  });
});

describe('half a bed of necrosis that nobody confirmed', () => {
  const tissue = (necrosis: number, areaCm2 = 9) =>
    findingsWithArea(areaCm2, {
      tissue: {
        granulation: 1 - necrosis,
        slough: 0,
        necrosis,
        other: 0,
        method: { granulation: 'model', slough: 'model', necrosis: 'cielab_rule', other: 'remainder' },
      },
    });

  it('is a point to look at on paper, over FHIR and HL7 v2 and in a webhook, and the verdict denies no tissue', async () => {
    const { paper, report, event, resources, rows } = exitsOf(tissue(0), tissue(0.488));
    const said =
      'The software sees more necrosis than last time (0.0% → 48.8%), which no clinician has confirmed: look at it.';
    const text = await paper();
    expect(text.slice(text.indexOf('POINTS TO LOOK AT'), text.indexOf('SIGNATURE'))).toContain(said);
    expect(text).not.toContain('as a whole');
    for (const conclusion of [resources('discrete').report.conclusion!, rows.get('conclusion 1')![5]!])
      expect(conclusion).toContain(said);
    expect(event.data).toMatchObject({ unconfirmedNecrosis: { fromPct: 0, toPct: 48.8, days: 7 }, flags: [] });
    const CODE = 'look-unconfirmed-necrosis';
    expect(rows.get('follow-up-flag 1')![5]!.split('^')[0]).toBe(CODE);
    const concluded = resources('discrete').report.conclusionCode!;
    expect(concluded.find(({ coding }) => coding?.[0]?.code === CODE)?.text).toBe(said);
    expect(exitsOf(tissue(0.1), tissue(0.1)).rows.has('follow-up-flag 1')).toBe(false);
    expect(report.content.comparison.course!.verdict).toBe('unchanged');
    expect(await exitsOf(tissue(0.5)).paper()).toContain('The software sees 50.0% of the wound bed as necrosis');
    expect(exitsOf(tissue(0.1), tissue(0.1)).event.data).not.toHaveProperty('unconfirmedNecrosis');
  });

  it('is told by wound.attention once', () => {
    const isTold = (...weeks: Parameters<typeof reportsOf>[0]['weeks']) =>
      eventsOfReport([exitsOf(...weeks).report], null).some(({ type }) => type === 'wound.attention');
    expect(isTold(tissue(0), tissue(0.1))).toBe(false);
    expect(isTold(tissue(0), tissue(0.488))).toBe(true);
    expect(isTold(tissue(0), tissue(0.488), tissue(0.5, 7))).toBe(false);
  });
});
