import type { Observation } from '@medplum/fhirtypes';
import {
  findingsWithArea,
  findingsWithoutScale,
  findingsWithoutWound,
  readingOf,
  reportsOf,
  type SeriesOptions,
} from '../../../test/support/sample-report.js';
import { NOTHING_COMPARED } from '../../core/followup/series.js';
import type { ReviewStamp } from '../../core/report/clinical-report.js';
import { SNOMED } from '../terminology/codes.js';
import { toReportResources } from './to-diagnostic-report.js';
import type { RenderingContext } from './rendering-context.js';

const CONTEXT: RenderingContext = {
  patient: 'Patient/p1',
  performer: 'Organization/o1',
  encounter: null,
  order: null,
  snomed: true,
  style: 'discrete',
  document: null,
  findingsBefore: null,
  mediaOf: (imageId) => `Media/${imageId}`,
};
const REVIEW: ReviewStamp = {
  decision: 'correct',
  reviewer: { id: 'HCP-0042', name: 'Example Reviewer', system: 'urn:oid:1.2.3' },
  note: null,
  reviewedAt: '2025-11-01T08:09:10Z',
};

function render(wish: SeriesOptions, context: Partial<RenderingContext> = {}) {
  const reports = reportsOf(wish);
  const reading = readingOf(reports);
  const findingsBefore = reports.at(-2)?.content.findings ?? null;
  const { report, observations } = toReportResources(reading, { ...CONTEXT, findingsBefore, ...context });
  const named = (measure: string): Observation | undefined =>
    observations.find(({ id }) => id === `${reading.report.id}-${measure}`);
  return { reading, report, observations, named };
}

const measuredOf = (observations: readonly Observation[]) => observations.filter(({ id }) => !id!.includes('-stated-'));
const isAiAsserted = (resource: { meta?: { security?: { code?: string }[] } } | undefined) =>
  resource?.meta?.security?.map(({ code }) => code).join() === 'DEVAST,AIAST';

describe('a clinical report as FHIR', () => {
  it('has an area of unknown value where nothing was outlined, no size, no progress, and no word of healing', () => {
    const { named, report, observations } = render({ weeks: [9, findingsWithoutWound()] });
    expect(named('area')).toMatchObject({ dataAbsentReason: { coding: [{ code: 'unknown' }] } });
    expect(named('area')).not.toHaveProperty('valueQuantity');
    expect(measuredOf(observations).map(({ id }) => id!.split('-').at(-1))).toEqual(['panel', 'area']);
    expect(report.conclusionCode).toBeUndefined();
    expect(report.conclusion).toContain('No wound outlined');
  });

  it('notes beside the area how well the outline is expected to fit, and asks for a look at a doubtful one', () => {
    const expectedDice = { value: 0.41, lower: 0, upper: 0.79 };
    const notesOf = (outlineReliable: boolean, wish: object = {}) => {
      const familiarity = { score: 0.3, expectedDice, outlineReliable };
      return render({ weeks: [findingsWithArea(9, { familiarity, ...wish })] }).named('area')?.note;
    };
    const quality = { text: 'Photo quality: More than one wound was outlined.' };
    const expected = "Expected overlap (Dice) with an expert's outline: 0.41 (0 to 0.79).";
    expect(notesOf(false, { outlineSource: 'reviewer_contour' })).toEqual([quality]);
    expect(notesOf(false)).toEqual([
      quality,
      { text: `${expected} The outline is more likely wrong than right: check it.` },
    ]);
    expect(notesOf(true)).toEqual([quality, { text: expected }]);
  });

  it('has an area that was not measured where there is no scale, with the pixels beside it', () => {
    const { named } = render({ weeks: [findingsWithoutScale()] });
    expect(named('area')).toMatchObject({
      dataAbsentReason: { coding: [{ code: 'not-performed' }] },
      component: expect.arrayContaining([expect.objectContaining({ valueInteger: 4322 })]),
    });
    expect(named('length')).toBeUndefined();
  });

  it('concludes that it waits for a person, with every reason and no trend', () => {
    const [, last] = reportsOf({ weeks: [9, 8] });
    const comparison = { ...NOTHING_COMPARED, attention: ['site_mismatch', 'area_jump'] } as const;
    const waiting = { ...last!, content: { ...last!.content, comparison } };
    for (const snomed of [true, false]) {
      const { report } = toReportResources(readingOf([waiting]), { ...CONTEXT, snomed });
      expect(report.conclusionCode).toMatchObject([
        { coding: [{ code: 'site-mismatch' }] },
        { coding: [{ code: 'area-jump' }] },
      ]);
      expect(report.conclusion).toContain('Check patient and wound');
    }
  });

  it('calls no trend between photos that are not comparable, and says why', () => {
    const { named, report } = render({ weeks: [9, findingsWithArea(5, { model: 'other/1.0.0' })] });
    expect(report.conclusionCode).toBeUndefined();
    expect(named('progress')).not.toHaveProperty('interpretation');
    expect(named('progress')!.note![0]!.text).toContain(
      'Not safely comparable: The two outlines were drawn by different models',
    );
  });

  it('speaks the language asked for, with its figures and days by the clocks asked for, and keeps codes and callers’ words', () => {
    const said = render({ weeks: [9, findingsWithArea(5, { model: 'other/1.0.0' })] });
    const german = render(
      { weeks: [9, findingsWithArea(5, { model: 'other/1.0.0' })] },
      { language: 'de', timeZone: 'Pacific/Auckland' },
    );
    expect([said.report.language, german.report.language]).toEqual(['en', 'de']);
    expect(german.report.code).toEqual({ ...said.report.code, text: 'Wundbeurteilung nach Foto' });
    expect(german.report.conclusion).toContain('Entscheidungshilfe');
    expect(german.report.media![0]!.comment).toBe('Beurteiltes Foto');
    expect(german.named('area')!.method!.text).toBe('Automatische Segmentierung eines Fotos mit Maßstab');
    expect(german.named('progress')!.note![0]!.text).toBe(
      'Kleinste nachweisbare Veränderung: 17,0 %. Nicht sicher vergleichbar: Die beiden Umrisse stammen von verschiedenen Modellen oder Modellversionen.',
    );
    expect(german.named('area')!.valueQuantity).toEqual(said.named('area')!.valueQuantity);
    expect(german.observations.map(({ code }) => code)).toEqual(said.observations.map(({ code }) => code));
  });

  it('sends no SNOMED CT where it is switched off', () => {
    const { report, observations } = render({ weeks: [9, 5] }, { snomed: false });
    expect(JSON.stringify([report, observations])).not.toContain(SNOMED);
    expect(observations[0]!.bodySite).toEqual({ text: 'left Heel' });
    expect(observations.find(({ id }) => id!.endsWith('-progress'))!.interpretation).toEqual([
      { coding: [expect.objectContaining({ code: 'B' })] },
    ]);
  });

  it('labels what software measured, and what a person stated as theirs', () => {
    const software = render({ weeks: [9] });
    expect(measuredOf(software.observations).every(isAiAsserted)).toBe(true);
    expect(software.named('area')).toMatchObject({
      performer: [{ reference: 'Organization/o1' }],
      device: { reference: 'Device/wound-segmentation-fast-0.2.0' },
    });
    const person = render({
      weeks: [findingsWithArea(9, { outlineSource: 'reviewer_contour', confidence: null })],
      content: { review: REVIEW },
      report: { status: 'final' },
    });
    expect([
      isAiAsserted(person.named('area')),
      isAiAsserted(person.named('panel')),
      isAiAsserted(person.report),
    ]).toEqual([false, true, true]);
    expect(person.named('area')).toMatchObject({
      status: 'final',
      performer: [{ identifier: { system: 'urn:oid:1.2.3', value: 'HCP-0042' }, display: 'Example Reviewer' }],
      method: { text: 'Outlined by a clinician in a photograph' },
    });
    expect(person.named('area')).not.toHaveProperty('device');
    expect(person.report.resultsInterpreter).toMatchObject([{ display: 'Example Reviewer' }]);
  });

  it('names the model of the tissue shares where it is another than that of the outline', () => {
    const models = [
      { name: 'wound-segmentation-fast', version: '0.2.0', sha256: 'a'.repeat(64), researchOnly: true },
      { name: 'tissue-segmentation', version: '0.1.0', sha256: 'b'.repeat(64), researchOnly: true },
    ];
    const deviceOf = (measure: string, content = {}) =>
      render({ weeks: [9], content }).named(measure)!.device!.reference;
    expect([deviceOf('area', { models }), deviceOf('tissue', { models })]).toEqual([
      'Device/wound-segmentation-fast-0.2.0',
      'Device/tissue-segmentation-0.1.0',
    ]);
    expect(deviceOf('tissue')).toBe('Device/wound-segmentation-fast-0.2.0');
  });

  it('gives the first assessment no progress and no previous one', () => {
    const { report, named } = render({ weeks: [9] });
    expect(named('progress')).toBeUndefined();
    expect(report.extension!.map(({ url }) => url.split('/').at(-1))).toEqual(['wound', 'assessment-sequence']);
    expect(report.media).toHaveLength(1);
  });

  it('links each follow-up to the one before, with the figures as they stand', () => {
    const { report, named, observations, reading } = render({ weeks: [9, 5] });
    const { previous } = reading.report.content.comparison;
    expect(report).toMatchObject({
      id: reading.report.id,
      status: 'preliminary',
      identifier: [{ type: { coding: [{ code: 'FILL' }] }, value: reading.report.jobId }],
      conclusionCode: [{ coding: [{ code: '390771008' }, { code: 'course-improving' }] }],
      media: [
        { link: { reference: `Media/${reading.report.imageId}` } },
        { link: { reference: `Media/${previous!.imageId}` } },
      ],
    });
    expect(report.extension).toEqual(
      expect.arrayContaining([
        {
          url: 'https://sutura.dev/fhir/StructureDefinition/previous-assessment',
          valueReference: { reference: `DiagnosticReport/${previous!.reportId}` },
        },
      ]),
    );
    expect(report.result!.map(({ reference }) => reference)).toEqual(
      observations.map(({ id }) => `Observation/${id!}`),
    );
    expect(named('area')).toMatchObject({
      valueQuantity: { value: 5, code: 'cm2' },
      extension: [{ valueReference: { reference: `Observation/${previous!.reportId}-area` } }],
      component: expect.arrayContaining([
        expect.objectContaining({
          code: { coding: [expect.objectContaining({ code: 'lower-bound' })] },
          valueQuantity: expect.objectContaining({ value: 4.25 }),
        }),
      ]),
    });
    expect(named('progress')).toMatchObject({
      valueQuantity: { value: -44.4, code: '%' },
      derivedFrom: [
        { reference: `Observation/${reading.report.id}-area` },
        { reference: `Observation/${previous!.reportId}-area` },
      ],
    });
  });

  describe('follows the assessment before, which need not be the one that its figures are compared with', () => {
    const sequelsOf = (observations: readonly Observation[]) =>
      observations.flatMap(({ extension = [] }) =>
        extension.map(({ valueReference }) => valueReference!.reference!.split('-').at(-1)),
      );
    const beforeIn = ({ extension }: { extension?: { url?: string; valueReference?: { reference?: string } }[] }) =>
      extension!.find(({ url }) => url!.endsWith('previous-assessment'))?.valueReference?.reference;

    it.each([
      ['has no wound', [9, findingsWithoutWound(), 5], ['panel', 'area']],
      ['has no scale', [9, findingsWithoutScale(), 5], ['panel', 'area', 'tissue']],
      ['is measured, and this one has no scale', [9, 7, findingsWithoutScale()], ['panel', 'area', 'tissue']],
      ['is measured, and this one has no wound', [9, 7, findingsWithoutWound()], ['panel', 'area']],
      ['is measured too', [9, 7, 5], ['panel', 'area', 'length', 'width', 'tissue']],
    ])('where the one before %s', (_, weeks, expected) => {
      const { report, observations, reading } = render({ weeks });
      const before = reading.report.content.comparison.previousAssessment!;
      expect(before.reportId).toMatch(/1$/);
      expect(beforeIn(report)).toBe(`DiagnosticReport/${before.reportId}`);
      expect(sequelsOf(observations)).toEqual(expected);
      expect(report.media!.map(({ link }) => link!.reference)).toEqual([
        `Media/${reading.report.imageId}`,
        `Media/${before.imageId}`,
      ]);
    });

    it('has its progress from the last area that it can be compared with', () => {
      const { named, reading } = render({ weeks: [9, findingsWithoutScale(), 5] });
      const { previous, previousAssessment } = reading.report.content.comparison;
      expect(previous!.reportId).not.toBe(previousAssessment!.reportId);
      expect(named('progress')!.derivedFrom).toContainEqual({ reference: `Observation/${previous!.reportId}-area` });
    });

    it('in the form of HL7’s guide too', () => {
      expect(sequelsOf(render({ weeks: [9, 7] }, { style: 'skin-wound-ig' }).observations)).toEqual([
        'panel',
        'size',
        'bed',
      ]);
    });
  });

  describe('of a photo that was analysed again', () => {
    const replacedBy = (report: object) =>
      (report as { extension: { url: string; valueReference: object }[] }).extension
        .filter(({ url }) => url.endsWith('diagnosticReport-replaces'))
        .map(({ valueReference }) => valueReference);
    const again = (status: 'preliminary' | 'entered-in-error') => {
      const [first] = reportsOf({ weeks: [9] });
      const comparison = { ...first!.content.comparison, supersedes: 'r-older' };
      return render({ weeks: [9], content: { comparison }, report: { status, replaces: 'r-misfiled' } }).report;
    };

    it('replaces the older report', () => {
      expect(replacedBy(again('preliminary'))).toEqual([{ reference: 'DiagnosticReport/r-older' }]);
    });

    it('replaces it no more once it is withdrawn, only the report that it was moved from', () => {
      expect(replacedBy(again('entered-in-error'))).toEqual([{ reference: 'DiagnosticReport/r-misfiled' }]);
    });
  });

  it('states the course over several assessments with its interval, and nothing of it for two', () => {
    const partsOf = (weeks: number[]) =>
      new Map(
        render({ weeks })
          .named('progress')!
          .component!.map((part) => [part.code!.coding![0]!.code, part]),
      );
    const parts = partsOf([9, 10, 12]);
    const [lower, value, upper] = ['area-slope-lower-bound', 'area-slope', 'area-slope-upper-bound'].map(
      (code) => parts.get(code)!.valueQuantity!,
    );
    expect(value).toMatchObject({ code: '%/wk', unit: '%/week' });
    expect(lower!.value).toBeLessThan(value!.value!);
    expect(value!.value).toBeLessThan(upper!.value!);
    expect(parts.get('area-slope-assessments')!.valueInteger).toBe(3);
    expect(parts.get('margin-advance')!.valueQuantity).toMatchObject({ code: 'mm/d' });
    expect(parts.get('trend-basis')!.valueCodeableConcept!.coding![0]!.code).toBe('trend-by-slope');
    const ofTwo = partsOf([9, 12]);
    expect(ofTwo.get('trend-basis')!.valueCodeableConcept!.coding![0]!.code).toBe('trend-by-pair');
    expect([...ofTwo.keys()].filter((code) => code!.includes('slope') || code!.includes('margin'))).toEqual([]);
  });

  it('has each flag as a conclusion with its figures, after the verdict', () => {
    const { report, reading } = render({ weeks: [4, 4.8, 5.6, 6.8, 8.2, 10] });
    const { flags } = reading.report.content;
    expect(flags.length).toBeGreaterThan(1);
    const [verdict, ...others] = report.conclusionCode!;
    expect(verdict!.coding![0]!.code).toBe('390772001');
    expect(others.map(({ coding }) => coding![0]!.code)).toEqual(
      flags.map(({ code }) => `flag-${code.replaceAll('_', '-')}`),
    );
    for (const { text } of others) expect(report.conclusion).toContain(text);
  });

  it.each([
    ['wound-closed', null],
    ['wound-reopened', '2025-09-12T08:00:00.000Z'],
  ])('says %s of a photo after a person had closed the wound', (expected, reopenedAt) => {
    const closures = [{ closedAt: '2025-09-11T08:00:00.000Z', reopenedAt }];
    const codes = render({ weeks: [2, 0.5, 1], closures }).report.conclusionCode!.map(({ coding }) => coding![0]!.code);
    expect(codes).toEqual(['390772001', 'flag-reopened', expected]);
    expect(render({ weeks: [2], closures }).report.conclusionCode).toBeUndefined();
  });

  it('gives shares of the wound bed that are 100 % together', () => {
    const shares = render({ weeks: [9] })
      .named('tissue')!
      .component!.map(({ valueQuantity }) => valueQuantity!.value!);
    expect(shares).toEqual([58.3, 27.1, 3.8, 10.8]);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 1);
  });

  describe('in the form of HL7’s guide', () => {
    const guided = (wish: SeriesOptions) => render(wish, { style: 'skin-wound-ig' });

    it('has size and tissue once, in no form but the guide’s', () => {
      const { report, observations, named } = guided({ weeks: [9, 5] });
      expect(measuredOf(observations).map(({ id }) => id!.slice(report.id!.length + 1))).toEqual([
        'panel',
        'size',
        'bed',
        'progress',
        'appearance-granulation',
        'appearance-slough',
        'appearance-necrosis',
        'appearance-other',
      ]);
      expect(named('panel')!.hasMember!.map(({ reference }) => reference)).toEqual(
        [
          'size',
          'bed',
          'progress',
          'stated-depth',
          'stated-length',
          'stated-width',
          'stated-exudate',
          'stated-pain',
        ].map((measure) => `Observation/${report.id!}-${measure}`),
      );
      expect(named('bed')!.hasMember).toHaveLength(4);
      expect(named('size')!.component).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ valueQuantity: expect.objectContaining({ value: 5, code: 'cm2' }) }),
        ]),
      );
    });

    it('calls necrosis by a code of SNOMED CT only once a clinician has stated it', () => {
      const codesOf = (wish: SeriesOptions) =>
        guided(wish)
          .named('appearance-necrosis')!
          .valueCodeableConcept!.coding!.map(({ code }) => code);
      expect(codesOf({ weeks: [9] })).toEqual(['tissue-necrosis']);
      expect(
        codesOf({ weeks: [findingsWithArea(9, { confirmedTissues: ['granulation', 'slough', 'necrosis', 'other'] })] }),
      ).toEqual(['421306004', 'tissue-necrosis']);
    });

    it('has no area without a scale, and says so', () => {
      const [absent] = guided({ weeks: [findingsWithoutScale()] })
        .named('size')!
        .component!.filter(({ dataAbsentReason }) => dataAbsentReason !== undefined);
      expect(absent).toMatchObject({
        code: { coding: [{ code: '89260-4' }] },
        dataAbsentReason: { coding: [{ code: 'not-performed' }] },
      });
    });
  });
});
