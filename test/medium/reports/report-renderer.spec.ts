import { readDocument } from '../../support/read-document.js';
import { roundsOf } from '../../support/rounds.js';
import {
  courseOf,
  findingsWithArea,
  findingsWithoutScale,
  findingsWithoutWound,
  readingOf,
  reportsOf,
  samplePicture,
  samplePictures,
  type SeriesOptions,
} from '../../support/sample-report.js';
import { NOTHING_COMPARED } from '../../../src/core/followup/series.js';
import { NO_PICTURES, type ClinicalReport, type ReviewStamp } from '../../../src/core/report/clinical-report.js';
import type { ReportHeading } from '../../../src/core/report/report-heading.js';
import { REPORT_STATUSES } from '../../../src/core/report/report-status.js';
import { LANGUAGES, type Language } from '../../../src/reports/wording/language.js';
import { speak } from '../../../src/reports/wording/wording.js';
import { summarizeReport } from '../../../src/reports/documents/report-document.js';
import { REPORT_FORMATS, type ReportFormat } from '../../../src/core/report/report-document.js';
import { ReportRenderer } from '../../../src/reports/rendering/report-renderer.js';

const renderer = new ReportRenderer();
const REVIEW: ReviewStamp = {
  decision: 'correct',
  reviewer: { id: 'staff-31', name: 'Dr. Zoë Müller', system: 'https://hospital.example/staff' },
  note: 'Border redrawn at 3 o’clock.',
  reviewedAt: '2025-11-01T08:09:10Z',
};

const NEUROPATHIC = { system: 'http://snomed.info/sct', code: '403601003', display: 'Neuropathic ulcer' };

const zoned = (timeZone: string): ReportHeading => ({
  patientName: null,
  birthDate: null,
  patientNumber: null,
  facility: null,
  orderer: null,
  timeZone,
});

const OUTLINE_MODEL = { name: 'outlines', version: '1.0.0', sha256: 'a'.repeat(64), researchOnly: true };

/** Each document is set once, whoever reads it. */
const texts = new Map<string, Promise<string>>();

function read(reports: readonly ClinicalReport[], format: ReportFormat, language: Language = 'en'): Promise<string> {
  const wish = JSON.stringify([reports, format, language]);
  const set = async () =>
    readDocument(await renderer.render(readingOf(reports), NO_PICTURES, format, language), format);
  const text = texts.get(wish) ?? set();
  texts.set(wish, text);
  return text;
}

const readSeries = (wish: SeriesOptions, format: ReportFormat, language: Language = 'en') =>
  read(reportsOf(wish), format, language);
const said = (language: Language, key: Parameters<ReturnType<typeof speak>>[0], values?: Record<string, string>) =>
  speak(language)(key, values).replace(/\s+/g, ' ');

/** A PDF is set from the same words as the others and takes far longer: it is read in as many languages as there are rounds for. */
const languagesOf = (format: ReportFormat): readonly Language[] =>
  format === 'pdf' ? LANGUAGES.slice(-roundsOf(LANGUAGES.length)) : LANGUAGES;
const everyDocument = REPORT_FORMATS.flatMap((format) =>
  languagesOf(format).map((language) => [format, language] as const),
);
const WITHOUT_WOUND = {
  weeks: [9.37, findingsWithoutWound()],
  content: { clinicalContext: null, clinicianObservations: null },
};
const SEVERAL_OUTLINES = { weeks: [9, findingsWithArea(8, { ambiguous: true, otherOutlines: 2 })] };

describe.each(REPORT_FORMATS)('without figures, a report as %s', (format) => {
  it('calls a wound that was not outlined neither healed nor small, and states no area and no change', async () => {
    const text = await readSeries(WITHOUT_WOUND, format);
    expect(text).toContain('No wound outlined. This does not mean that the wound has healed');
    expect(text).toContain('No change is stated: no wound was outlined in this photo.');
    expect(text).not.toMatch(/90% interval \d|Change of area|cm²\/week|Perimeter/);
  });

  it('has neither centimetres nor pixels where there is no scale', async () => {
    const text = await readSeries(
      { weeks: [findingsWithoutScale()], content: { clinicianObservations: null } },
      format,
    );
    expect(text).toContain('No scale in the photo: no measurements in centimetres.');
    expect(text).not.toMatch(/\d cm|4321|123\.4/);
  });

  it('states no trend where several outlines compete', async () => {
    const text = await readSeries(SEVERAL_OUTLINES, format);
    expect(text).toContain(
      'Several outlines compete, and nobody has said which belong to this wound. The figures are those of the largest.',
    );
    expect(text).toMatch(/Other outlines in the photo, not counted:? 2/);
    expect(text).not.toContain('Change of area');
  });

  it.each<[string, SeriesOptions, string]>([
    ['no wound was outlined', WITHOUT_WOUND, 'say whether it has closed, or take another photo'],
    ['there is no scale', { weeks: [9, findingsWithoutScale()] }, 'Take the next photo with a calibration card'],
    ['several outlines compete', SEVERAL_OUTLINES, 'Say which of the numbered outlines belong'],
  ])('says what a person can do where %s', async (_, series, advice) => {
    const text = await readSeries(series, format);
    expect(text).toContain(advice);
    expect(text).not.toContain('None.');
  });

  it('says that a first assessment has nothing to compare with', async () => {
    expect(await readSeries({ weeks: [9] }, format)).toContain('First measured assessment of this wound');
  });
});

describe.each(everyDocument)('a report as %s in %s', (format, language) => {
  const decimal = (text: string) => (language === 'en' ? text : text.replaceAll('.', ','));
  const percent = (text: string) => (language === 'en' ? `${text}%` : `${decimal(text)} %`);

  it('has every figure of the model, in the style of the language', async () => {
    const reports = reportsOf({ weeks: [18.4, 17.2, 13.25, 12.11], content: { review: REVIEW } });
    const { content, id, jobId, imageId } = reports[3]!;
    const { findings, comparison } = content;
    const text = await read(reports, format, language);
    const cm = (value: number, unit: string) => `${decimal(value.toFixed(2))} ${unit}`;
    const { area, length, width, perimeter } = findings.figures!;
    const measures = [
      [area.cm2!, 'cm²'],
      [length.cm!, 'cm'],
      [width.cm!, 'cm'],
      [perimeter.cm!, 'cm'],
    ] as const;
    for (const [{ value, lower, upper }, unit] of measures) {
      expect(text).toContain(cm(value, unit));
      expect(text).toContain(said(language, 'range', { lower: decimal(lower.toFixed(2)), upper: cm(upper, unit) }));
    }
    for (const share of ['58.3', '27.1', '3.8', '10.8', '93.4']) expect(text).toContain(percent(share));
    for (const change of [comparison.sincePrevious!, comparison.sinceBaseline!]) {
      expect(text).toContain(percent(change.areaPct.toFixed(1)));
      expect(text).toContain(cm(change.areaCm2, 'cm²'));
      expect(text).toContain(percent(change.minimalDetectableChangePct.toFixed(1)));
      expect(text).toContain(said(language, 'unit.cm2PerWeek', { value: decimal(change.areaCm2PerWeek!.toFixed(2)) }));
      expect(text).toContain(
        said(language, 'unit.mmPerDay', { value: `+${decimal(String(change.marginAdvanceMmPerDay))}` }),
      );
    }
    for (const figure of [
      percent('0.84'),
      percent('6.5'),
      `${decimal('7.4')}°`,
      decimal('0.2137'),
      decimal('0.412'),
      decimal('56.3'),
      percent('0.12'),
    ])
      expect(text).toContain(figure);
    for (const given of [
      id,
      jobId,
      imageId,
      'MRN-0047-1182',
      'urn:oid:2.16.840.1.113883.2.9',
      'ward-7/heel-left',
      content.subject.woundRef,
      'wound-segmentation-fast 0.2.0',
      language === 'en' ? 'Heel (84607009)' : `${said(language, 'site.heel')} (Heel, 84607009)`,
    ])
      expect(text.replaceAll(' ', '')).toContain(given.replaceAll(' ', ''));
    expect(text).toContain(decimal('4.5 × 3 × 0.4 cm'));
    for (const point of [18.4, 17.2, 13.25]) expect(text).toContain(cm(point, 'cm²'));
    expect(text).toContain('Dr. Zoë Müller');
    expect(text).toContain('Border redrawn at 3 o’clock.');
    expect(text).toContain('08:09:10 UTC');
    expect(text).toContain(said(language, 'notice.decisionSupport'));
    expect(text).toContain(said(language, 'notice.researchOnly'));
  });

  it.each([
    ['outline', { outlineSource: 'reviewer_contour' }, {}],
    ['several', { outlines: findingsWithArea(9).outlines.concat(findingsWithArea(4).outlines) }, {}],
    ['model', {}, { models: [{ ...OUTLINE_MODEL, task: 'wound-segmentation' }] }],
    ['unknown', {}, {}],
  ] as const)('says why no tissue is stated, and that this denies none (%s)', async (why, wish, content) => {
    const weeks = [findingsWithArea(9, { tissue: null, ...wish })];
    expect(await readSeries({ weeks, content }, format, language)).toContain(said(language, `tissue.none.${why}`));
  });

  it("calls what the model puts into no class not recognised, and a clinician's rest other", async () => {
    const tissue = findingsWithArea(9).tissue!;
    const stated = { ...tissue, method: { ...tissue.method, other: 'clinician' as const } };
    const [unknown, other] = await Promise.all([
      readSeries({ weeks: [findingsWithArea(9)] }, format, language),
      readSeries({ weeks: [findingsWithArea(9, { tissue: stated })] }, format, language),
    ]);
    expect(unknown).toContain(said(language, 'tissue.other'));
    expect(other).toContain(said(language, 'tissue.otherStated'));
  });

  it('says of which wounds the evidence of a flag is, and where it stands', async () => {
    const [known, neuropathic, unknown] = await Promise.all([
      readSeries({ weeks: [10, 9, 9, 8, 7.5] }, format, language),
      readSeries({ weeks: [10, 9, 9, 8, 7.5], woundType: NEUROPATHIC }, format, language),
      readSeries({ weeks: [10, 9, 9, 8, 7.5], woundType: null }, format, language),
    ]);
    expect(known).toContain(
      said(language, 'flag.area_reduction_below_50_at_4_weeks', {
        happened: said(language, 'area.reduced', {
          amount: percent('25.0'),
          inDays: said(language, 'inDays.other', { count: '28' }),
        }),
      }),
    );
    expect(unknown).toContain(said(language, 'milestone.unstated'));
    for (const text of [known, neuropathic]) {
      expect(text).toContain(said(language, 'evidence.sheehan-2003'));
      expect(text).toContain(said(language, 'evidence.coerper-2009'));
      expect(text).not.toContain(said(language, 'evidence.warriner-2011'));
      expect(text).toContain(said(language, 'flag.notPrediction'));
    }
    expect(known).toContain(said(language, 'flag.scopeKnown'));
    expect(neuropathic).toContain(said(language, 'flag.scopeUnknown'));
  });
});

describe.each(REPORT_FORMATS)('the status of a report as %s', (format) => {
  it.each(REPORT_STATUSES)('%s is said', async (status) => {
    const text = await readSeries(
      { weeks: [9], report: { status }, content: { review: status === 'preliminary' ? null : REVIEW } },
      format,
    );
    expect(text).toContain(said('en', `status.${status}`));
    expect(text).toContain(said('en', `statusText.${status}`));
    expect(text.includes('Preliminary: not reviewed by a clinician')).toBe(status === 'preliminary');
    expect(text.includes('Entered in error: do not use')).toBe(status === 'entered-in-error');
  });

  it('states its number with the day of which it is, since a late photo may move it', async () => {
    const reading = { ...readingOf(reportsOf({ weeks: [9, 5] })), readAt: new Date('2025-03-01T12:00:00Z') };
    const numbers = {
      en: '2 (as of 1 Mar 2025)',
      de: '2 (Stand: 1. März 2025)',
      es: '2 (a 1 mar 2025)',
      fr: '2 (au 1 mars 2025)',
    } as const;
    for (const language of languagesOf(format)) {
      const text = readDocument(await renderer.render(reading, NO_PICTURES, format, language), format);
      expect(text.replaceAll(/\s+/g, ' ')).toContain(numbers[language]);
    }
  });

  it('is replaced by a warning where a later version stands', async () => {
    const earlier = { ...readingOf(reportsOf({ weeks: [9] })), presentVersion: 3 };
    const text = readDocument(await renderer.render(earlier, NO_PICTURES, format, 'en'), format);
    expect(text).toContain('Superseded by version 3');
    expect(text).not.toContain('Preliminary: not reviewed by a clinician');
  });

  it('says that its photo, and one that it showed beside it, were deleted', async () => {
    const imageId = '0199eeee-0000-7000-8000-000000000001';
    const erasedPhotos = [
      { imageId, erasedAt: '2026-11-22T08:12:10.000Z' },
      { imageId: '0199eeee-0000-7000-8000-000000000002', erasedAt: '2026-11-23T08:12:10.000Z' },
    ];
    const text = await readSeries({ weeks: [9], report: { imageId }, content: { erasedPhotos } }, format);
    expect(text).toMatch(/The photo of this assessment was deleted on 22\sNov\s2026/);
    expect(text).toMatch(/An earlier photo that this report showed was deleted on 23\sNov\s2026/);
  });

  it('names the report that took the place of one entered in error', async () => {
    const text = await readSeries(
      { weeks: [9], report: { status: 'entered-in-error', replacedBy: '0199cccc-0000-7000-8000-000000000077' } },
      format,
    );
    expect(text).toContain('Entered in error: do not use. Replaced by report 0199cccc-0000-7000-8000-000000000077');
  });

  it('does not let a report that was released by a rule pass as reviewed', async () => {
    const text = await readSeries({ weeks: [9], report: { status: 'final' } }, format);
    expect(text).toContain('Released automatically under the organization’s policy. No clinician has reviewed it.');
    expect(text).not.toContain('Reviewed and released by a clinician.');
  });

  it('says that figures were recalculated after the review', async () => {
    const text = await readSeries(
      { weeks: [9], report: { status: 'corrected', reason: 'recomputed' }, content: { review: REVIEW } },
      format,
    );
    expect(text).toContain('The figures were recalculated after the review below');
  });
});

describe.each(REPORT_FORMATS)('a comparison in a report as %s', (format) => {
  it('states no trend and says why, where two photos are not safely comparable', async () => {
    const other = findingsWithArea(6, {
      scale: { ...findingsWithArea(6).scale, source: 'client', marker: null },
      quality: { ...findingsWithArea(6).quality, acceptable: false, warnings: ['blurred'] },
    });
    const text = await readSeries({ weeks: [9, other] }, format);
    expect(text).toContain(
      'No trend is stated: this assessment is not safely comparable with the previous assessment.',
    );
    expect(text).toContain('The scale of the two photos comes from different sources.');
    expect(text).toContain('At least one of the two photos is of poor quality.');
    expect(text).toContain('The photo is blurred.');
  });

  it('says of the first assessment alone what is true of it alone', async () => {
    const client = findingsWithArea(9, { scale: { ...findingsWithArea(9).scale, source: 'client', marker: null } });
    const text = await readSeries({ weeks: [client, 8, 7.9] }, format);
    expect(text).toContain('Compared with first assessment: The scale of the two photos comes from different sources.');
  });

  it('says first that a wound has stalled, where eight weeks as a whole still go down', async () => {
    const text = await readSeries({ weeks: [14, 11, 9, 7.4, 7.4, 7.3, 7.4, 7.4, 7.4], woundType: null }, format);
    expect(text).toContain('The wound had been getting smaller; for some weeks it has not.');
    expect(text).not.toContain('The area is getting smaller.');
  });

  it('does not call the last comparable assessment the previous one, where a photo without a scale lies between', async () => {
    const text = await readSeries({ weeks: [9, 8, findingsWithoutScale(), 7] }, format);
    expect(text).toContain('since the last comparable assessment of 10 Sept 2025.');
    expect(text).not.toMatch(/previous assessment/i);
  });

  it('names the last measured assessment where the one before has no scale and the two are not comparable', async () => {
    const client = findingsWithArea(7, { scale: { ...findingsWithArea(7).scale, source: 'client', marker: null } });
    const text = await readSeries({ weeks: [9, findingsWithoutScale(), client] }, format);
    expect(text).toContain('not safely comparable with the last measured assessment.');
    expect(text).not.toMatch(/previous assessment/i);
  });

  it.each(languagesOf(format))(
    'says it of the verdict, the flags and the pictures as well, in %s',
    async (language) => {
      const place = (key: 'previous' | 'comparable') => said(language, `photo.${key}`);
      const pictures = await samplePictures();
      const texts = [9, 20].map(async (areaCm2) => {
        const reading = readingOf(reportsOf({ weeks: [9, findingsWithoutScale(), areaCm2] }));
        return readDocument(await renderer.render(reading, pictures, format, language), format);
      });
      for (const text of await Promise.all(texts)) {
        if (format !== 'text') expect(text).toContain(place('comparable'));
        expect(text).toContain(said(language, 'place.comparable'));
        expect(text).not.toContain(place('previous'));
        expect(text).not.toContain(said(language, 'place.previous'));
      }
    },
  );

  it('names both sites, and draws none, where a person has to say which it is', async () => {
    const stated = { woundRef: 'wound', bodySite: null, laterality: 'right' } as const;
    const comparison = {
      ...NOTHING_COMPARED,
      attention: ['site_mismatch'],
      noTrendReason: 'awaiting_confirmation',
    } as const;
    const text = await readSeries({ weeks: [9], content: { stated, comparison } }, format);
    expect(text).toMatch(/Side:? ?left/);
    expect(text).toMatch(/Stated with this photo:? ?right/);
    expect(text).not.toContain('Soles');
  });

  it('states growth, and what it is measured against', async () => {
    const text = await readSeries({ weeks: [9, 13] }, format);
    expect(text).toContain('The wound is larger than at the previous assessment.');
    expect(text).toMatch(
      /The area has grown by 44\.4% \(90% interval \+\d+\.\d+% to \+\d+\.\d+%\) in 7 days since the previous assessment: by more than the minimal detectable change\./,
    );
    expect(text).not.toContain('Sheehan');
  });

  it('calls no growth a small reduction', async () => {
    const text = await readSeries({ weeks: [4, 4.8, 5.6, 6.8, 9.5] }, format);
    expect(text).toContain(
      'The area has grown by 137.5% in 28 days since the first assessment; diabetic foot ulcers that heal have usually halved by four weeks.',
    );
    expect(text).not.toMatch(/reduced by less|reduction below 50/);
  });

  it('says how surely a wound grows, by the slope of its last assessments', async () => {
    const text = await readSeries({ weeks: [4, 4.8, 5.6, 6.8, 9.5] }, format);
    expect(text).toContain('The area is getting larger.');
    expect(text).toMatch(
      /Over the last 5 comparable assessments, 28 days, the area changed by \+\d+\.\d% a week \(90% interval \+\d+\.\d% to \+\d+\.\d%\)\./,
    );
  });

  it('says that a result waits for a person, why, and what that person can do', async () => {
    const text = await readSeries({ weeks: [9, 50] }, format);
    expect(text).toContain('Look now: the area has changed as wounds hardly do.');
    expect(text).toContain('This result waits for a clinician to accept, correct, reject or reassign it');
    expect(text).not.toContain('The wound is');
  });

  it('says that the wound was closed, and whether anybody has reopened it', async () => {
    const closedAt = '2025-09-20T08:00:00Z';
    const weeks = [6, 3, 1, 2.2];
    const left = await readSeries({ weeks, closures: [{ closedAt, reopenedAt: null }] }, format);
    expect(left).toContain('A clinician had closed this wound on 20 Sept 2025');
    expect(left).toContain('nobody has reopened it: check whether it is open again');
    const reopenedAt = '2025-09-23T08:00:00Z';
    const again = await readSeries({ weeks, closures: [{ closedAt, reopenedAt }] }, format);
    expect(again).toContain('it was reopened on 23 Sept 2025');
    expect(again).toContain('First measured assessment since the wound was closed');
  });

  it('quotes what a clinician wrote of infection, and calls it theirs', async () => {
    const text = await readSeries(
      { weeks: [9, 8], content: { clinicianObservations: { infectionSigns: ['warm to touch'] } } },
      format,
    );
    expect(text).toContain('A clinician recorded signs of infection: “warm to touch”.');
    expect(text).toContain('not findings of the software');
  });

  it('lists the twelve latest of thirty areas, and says so', async () => {
    const text = await readSeries({ weeks: Array.from({ length: 30 }, (_, week) => 40 - week) }, format);
    expect(text).toContain('The 12 latest of 30 measured assessments are listed');
    expect(text).not.toContain('39.00 cm²');
  });
});

describe.each(REPORT_FORMATS)('the course of a wound as %s', (format) => {
  const weeks = [
    18.4,
    findingsWithoutScale(),
    15.9,
    findingsWithoutWound(),
    findingsWithArea(13, { ambiguous: true }),
    12.25,
  ];
  const readCourse = async (reports: readonly ClinicalReport[], language: Language = 'en') => {
    const pictures = { first: await samplePicture(1), last: null };
    return readDocument(await renderer.renderCourse(courseOf(reports), pictures, format, language), format);
  };

  it('has each assessment with its area, changes, tissue and status, or why it has none', async () => {
    const reports = reportsOf({ weeks });
    const text = await readCourse(reports);
    for (const expected of [
      '18.40 (15.64 to 21.16)',
      '15.90 (13.52 to 18.29)',
      '12.25 (10.41 to 14.09)',
      'no scale',
      'no wound outlined',
      'several outlines',
      '58.3 / 27.1 / 3.8 / 10.8',
      '-33.4%',
      'Preliminary',
    ])
      expect(text).toContain(expected);
    for (const { id } of reports) expect(text).toContain(`${id}, 1`);
    expect(text).toContain('Contains preliminary assessments: not reviewed by a clinician');
  });

  it('names the patient with birth date and number, as the report of one photo does', async () => {
    const heading = {
      ...zoned('UTC'),
      patientName: 'Beispiel, Anna',
      birthDate: '1951-07-14',
      patientNumber: 'MRN-7 (HOSP)',
    };
    const course = courseOf(reportsOf({ weeks }), { heading });
    const bytes = await renderer.renderCourse(course, { first: null, last: null }, format, 'en');
    const text = readDocument(bytes, format);
    expect(text).toMatch(/Patient:? ?Beispiel, Anna/);
    expect(text).toMatch(/Born:? ?14 Jul 1951/);
    expect(text).toMatch(/Patient number:? ?MRN-7 \(HOSP\)/);
    if (format === 'pdf')
      expect(text).toContain('Patient: Beispiel, Anna, 14 Jul 1951, MRN-7 (HOSP) · Wound: ward-7/heel-left');
  });

  it('names the reviewers, and bears no mark where everything is released', async () => {
    const text = await readCourse(reportsOf({ weeks, report: { status: 'final' }, content: { review: REVIEW } }), 'de');
    if (format !== 'text') expect(text).toContain('Dr. Zoë Müller, 1. Nov. 2025');
    expect(text).toContain('1. Nov. 2025');
    expect(text).toContain('18,40 (15,64 bis 21,16)');
    expect(text).not.toContain('Enthält vorläufige Befunde');
  });

  it('says what waits for a person, with its date, and that the wound was closed', async () => {
    const closedAt = '2025-09-20T08:00:00Z';
    const text = await readCourse(reportsOf({ weeks: [6, 3, 1, 2.2, 30], closures: [{ closedAt, reopenedAt: null }] }));
    expect(text).toMatch(/1 Oct 2025, 07:05:09 UTC: Look now: the area has changed.* waits for a clinician/);
    expect(text).toContain('A clinician had closed this wound on 20 Sept 2025');
    expect(text).not.toContain('None.');
  });

  it('says which of its two photos is not there', async () => {
    const text = await readCourse(reportsOf({ weeks: [9, 8] }));
    if (format !== 'text') expect(text).toContain('The photo of the last assessment is not available.');
    expect(await readCourse(reportsOf({ weeks: [9] }))).not.toContain('is not available');
  });

  it('says so where there is no assessment in the period', async () => {
    const bytes = await renderer.renderCourse(
      courseOf([], { from: new Date('2026-01-01T00:00:00Z') }),
      { first: null, last: null },
      format,
      'en',
    );
    const text = readDocument(bytes, format);
    expect(text).toContain('There is no assessment of this wound in this period.');
    expect(text).toContain('from 1 Jan 2026, 00:00:00 UTC');
  });
});

describe('a report in brief', () => {
  it('tells the measure, the change and what it is not, after its mark', () => {
    const [, report] = reportsOf({ weeks: [9, 13] });
    expect(summarizeReport(report!, 'en', 'UTC')).toBe(
      'Preliminary: not reviewed by a clinician. The wound is getting worse. Worse: area. Area 13.00 cm² (90% interval 11.05 to 14.95 cm²). ' +
        'The wound is larger than at the previous assessment. The change is larger than the minimal detectable change of 20.5%. ' +
        'The area has grown by 44.4% (90% interval +23.6% to +68.9%) in 7 days since the previous assessment: by more than the minimal detectable change. Decision support, not a diagnosis.',
    );
  });

  it('says what the first page says of a wound that has stalled, though eight weeks as a whole still go down', () => {
    const report = reportsOf({ weeks: [14, 11, 9, 7.4, 7.4, 7.3, 7.4, 7.4, 7.4], woundType: null }).at(-1)!;
    for (const language of LANGUAGES) {
      const brief = summarizeReport(report, language, 'UTC');
      expect(brief).toContain(said(language, 'verdict.slope.stalled'));
      expect(brief).not.toContain(said(language, 'verdict.slope.smaller'));
    }
  });
});

describe('moments', () => {
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').replaceAll('\u00a0', ' ');
  const reports = reportsOf({ weeks: [9, 8] });

  it('are all printed in the zone of the heading, and named', async () => {
    const reading = { ...readingOf(reports), heading: zoned('Asia/Tokyo') };
    const course = courseOf(reports, { heading: zoned('Asia/Tokyo') });
    for (const bytes of [
      await renderer.render(reading, NO_PICTURES, 'html', 'en'),
      await renderer.renderCourse(course, { first: null, last: null }, 'html', 'en'),
    ]) {
      const text = textOf(bytes);
      expect(text).toMatch(/\d\d:\d\d:\d\d GMT\+9/);
      expect(text).not.toMatch(/\d\d:\d\d:\d\d UTC/);
    }
  });

  it('name the day that it was there, also in a brief', () => {
    const [, report] = reportsOf({ weeks: [9, 8.9] });
    expect(summarizeReport(report!, 'en', 'Pacific/Auckland')).toContain('the previous assessment of 3 Sept 2025');
    expect(summarizeReport(report!, 'en', 'Pacific/Honolulu')).toContain('the previous assessment of 2 Sept 2025');
  });
});
