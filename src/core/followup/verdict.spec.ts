import { dayOf, DIABETIC_FOOT, photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { perTissue } from '../tissue/tissues.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';
import type { Closure } from './wound-closure.js';

/** The area of a weekly visit in cm², and what the clinician stated at it. */
type Visit = readonly [areaCm2: number, stated?: ClinicianObservations | null, given?: Partial<AssessmentInSeries>];

const measured = (areaCm2: number) => ({ ...drawFindings(squareOf(areaCm2)), areaRepeatabilityPct: 9.8 });
const follow = (visits: readonly Visit[], closures: readonly Closure[] = []) => {
  const all = visits.map(([areaCm2, stated = null, given], week) =>
    photoOn(7 * week, areaCm2, { findings: measured(areaCm2), observations: stated, ...given }),
  );
  const { comparisons, flags } = followSeries(all, closures);
  return all.map(({ reportId }) => ({ course: comparisons.get(reportId)!.course!, flags: flags.get(reportId)! }));
};
/** `mixed: worse depth 1 → 4.5; better area 8 → 4`. */
const tell = (visits: readonly Visit[], closures: readonly Closure[] = []): string[] =>
  follow(visits, closures).map(({ course: { verdict, because } }) => {
    const reasons = because.map(({ direction, what, from, to }) => `${direction} ${what} ${from ?? '–'} → ${to}`);
    return reasons.length === 0 ? verdict : `${verdict}: ${reasons.join('; ')}`;
  });
const last = (visits: readonly Visit[], closures: readonly Closure[] = []) => tell(visits, closures).at(-1);
const noWound = { findings: drawFindings({ boxes: [] }) };
/** As a clinician confirmed the shares of its bed. */
const confirmed = (areaCm2: number, necrosis: number): Partial<AssessmentInSeries> => ({
  findings: {
    ...measured(areaCm2),
    tissue: {
      ...perTissue(() => 0),
      necrosis,
      granulation: 1 - necrosis,
      method: perTissue(() => 'clinician' as const),
    },
    confirmedTissues: ['necrosis'],
  },
});
const poor = (areaCm2: number) => {
  const findings = measured(areaCm2);
  return { findings: { ...findings, quality: { ...findings.quality, acceptable: false } } };
};

describe('no wound is called improving', () => {
  it('whose surface closes over a cavity that grows and fills with pus', () => {
    const pockets = (undermined: number, tunnel: number) => ({
      undermining: [{ fromClock: 12, toClock: 3, depthCm: undermined }],
      tunnelling: [{ clock: 6, depthCm: tunnel }],
    });
    expect(
      tell([
        [8, { depthCm: 1, ...pockets(1, 5), exudate: 'moderate', exudateType: 'serous' }],
        [6.6, { depthCm: 2, ...pockets(2, 5.5), exudate: 'moderate', exudateType: 'serous' }],
        [5.2, { depthCm: 3.2, ...pockets(3.5, 6), exudate: 'heavy', exudateType: 'purulent' }],
        [4, { depthCm: 4.5, ...pockets(5, 7), exudate: 'heavy', exudateType: 'purulent' }],
      ]),
    ).toEqual([
      'unknown',
      'worsening: worse depth 1 → 2; worse undermining 1 → 2',
      'mixed: worse depth 1 → 3.2; worse undermining 1 → 3.5; worse tunnelling 5 → 6; worse exudate_amount moderate → heavy; worse exudate_purulent absent → present; better area 8 → 5.2',
      'mixed: worse depth 1 → 4.5; worse undermining 1 → 5; worse tunnelling 5 → 7; persists exudate_amount moderate → heavy; persists exudate_purulent absent → present; better area 8 → 4',
    ]);
  });

  it('that has turned and grows', () => {
    const verdicts = tell([10, 8, 6.4, 5.1, 4.1, 3.3, 3.9, 4.5, 5.2].map((cm2) => [cm2])).map(
      (line) => line.split(':')[0],
    );
    expect(verdicts.slice(2, 6)).toEqual(['improving', 'improving', 'improving', 'improving']);
    expect(verdicts.slice(6).includes('improving')).toBe(false);
    expect(verdicts.at(-1)).toBe('worsening');
  });

  it.each<[string, ClinicianObservations, ClinicianObservations]>([
    ['pus', { exudateType: 'serous' }, { exudateType: 'purulent' }],
    ['more exudate', { exudate: 'light' }, { exudate: 'moderate' }],
    ['a strong smell', { odour: 'none' }, { odour: 'strong' }],
    ['redness', { periwound: ['intact'] }, { periwound: ['erythema'] }],
    ['warm skin that nobody had stated before', { exudate: 'light' }, { periwound: ['warm'], exudate: 'light' }],
    ['pain', { painNrs: 2 }, { painNrs: 6 }],
    ['a deeper bed', { depthCm: 0.4 }, { depthCm: 1.1 }],
    ['a tunnel', { depthCm: 0.4 }, { depthCm: 0.4, tunnelling: [{ clock: 3, depthCm: 2 }] }],
    ['signs of infection in words', { infectionSigns: ['none'] }, { infectionSigns: ['no fever, but pus'] }],
  ])('that becomes smaller, and has newly %s', (_, then, now) => {
    const told = last([[10, then], [8, then], [6.4, then], [5.1, now]])!; // prettier-ignore
    expect(told).toMatch(/^mixed: worse /);
    expect(told).toContain('better area 10 → 5.1');
  });

  it.each<[string, ClinicianObservations]>([
    ['pus', { exudateType: 'purulent' }],
    ['words of a clinician', { infectionSigns: ['warm', 'pus'] }],
    ['signs of infection of a diabetic foot', { periwound: ['warm', 'erythema'] }],
  ])('while %s persist, which do not worsen again', (_, stated) => {
    const visits = [10, 8, 6.4].map((cm2): Visit => [cm2, stated, { woundType: DIABETIC_FOOT }]);
    expect(last(visits)).toMatch(/^unchanged: persists .*; better area/);
  });

  it('whose area was larger the last time, or stands still, though its depth falls', () => {
    const depths = [3, 2.9, 2.1, 1.2].map((depthCm) => ({ depthCm }));
    expect(last([5, 4.2, 3.5, 3.6].map((cm2, week) => [cm2, depths[week]]))).toMatch(/^unchanged: /);
    expect(last([5, 4.9, 4.8, 4.7].map((cm2, week) => [cm2, depths[week]]))).toMatch(
      /^unchanged: persists area_stalled .*; better depth/,
    );
  });

  it('whose necrosis is confirmed for the first time, or had risen when somebody last looked', () => {
    const with40: Visit = [6.4, null, confirmed(6.4, 0.4)];
    expect(last([[10], with40])).toMatch(/^unchanged: persists necrosis – → 40; better area/);
    expect(last([[10, null, confirmed(10, 0)], [8], with40])).toMatch(/^mixed: worse necrosis 0 → 40; better area/);
    expect(last([[10, null, confirmed(10, 0)], [8, null, confirmed(8, 0.4)], [5.1]])).toMatch(
      /^unchanged: persists necrosis 0 → null; better area/,
    );
  });

  it('whose area nobody knows, though its depth falls', () => {
    expect(last([[5, { depthCm: 3 }], [4, { depthCm: 1 }, poor(4)]])).toBe('unknown: better depth 3 → 1'); // prettier-ignore
  });
});

describe('a wound is', () => {
  it('worse by what a clinician states, also where its photo gives no area', () => {
    const visits: Visit[] = [[5, { depthCm: 1 }], [5, { depthCm: 3 }, poor(5)]]; // prettier-ignore
    expect(last(visits)).toBe('worsening: worse depth 1 → 3');
  });

  it('improving where its area or another finding is better, and nothing is worse', () => {
    expect(last([[10], [8], [6.4]])).toBe('improving: better area 10 → 6.4');
    expect(
      last([
        [10, { exudate: 'heavy' }],
        [8, { exudate: 'moderate' }],
        [6.4, { exudate: 'light' }],
      ]),
    ).toBe('improving: better area 10 → 6.4; better exudate_amount moderate → light');
  });

  it.each(['none', 'No', 'keine', 'ninguno', 'aucun', 'no signs of infection'])(
    'improving where the signs of infection are "%s"',
    (words) => {
      expect(last([10, 8, 6.4].map((cm2) => [cm2, { infectionSigns: [words] }]))).toBe(
        'improving: better area 10 → 6.4',
      );
    },
  );

  it('not worse by a repeat of the same day, nor by what one mistyped figure leaves behind', () => {
    const areas = [5, 4.8, 6.9];
    const photos = [0, 7, 7.02].map((day, visit) => photoOn(day, areas[visit]!, { findings: measured(areas[visit]!) }));
    const { comparisons, flags } = followSeries(photos);
    const again = photos.at(-1)!.reportId;
    expect([comparisons.get(again)!.course!.verdict, flags.get(again)]).toEqual(['unchanged', []]);
    const two = [0, 0.02].map((day, visit) => photoOn(day, 1, { findings: measured([4, 5.9][visit]!) }));
    const told = followSeries(two);
    const second = two[1]!.reportId;
    expect([told.comparisons.get(second)!.course!.verdict, told.flags.get(second)]).toEqual(['unchanged', []]);
    expect(last([0.4, 4.5, 0.5, 0.4].map((depthCm): Visit => [10, { depthCm }]))).not.toMatch(/depth/);
  });

  it('worse by a depth that was last stated long ago', () => {
    const photos = [0, 91].map((day) => photoOn(day, 5, { observations: { depthCm: day === 0 ? 0.5 : 1.5 } }));
    expect(followSeries(photos).comparisons.get(photos[1]!.reportId)!.course!.verdict).toBe('worsening');
  });

  it('not better by an amount of exudate that goes up and down', () => {
    const flickers = ['light', 'moderate', 'light'] as const;
    expect(last(flickers.map((exudate): Visit => [10, { exudate }]))).not.toMatch(/better/);
  });

  it('unchanged where two people differ by what people differ by', () => {
    const stated = [
      { depthCm: 1, painNrs: 4 },
      { depthCm: 1.3, painNrs: 6 },
      { depthCm: 0.8, painNrs: 3 },
    ];
    expect(tell(stated.map((observations) => [10, observations])).slice(0, 2)).toEqual(['unknown', 'unchanged']);
    expect(last(stated.map((observations) => [10, observations]))).not.toMatch(/depth|pain/);
  });

  it('unknown while a person has to look first, and says for what it waits', () => {
    const [, waiting] = follow([[10], [40]]);
    expect(waiting!.course).toMatchObject({ verdict: 'unknown', waitsFor: ['area_jump'], because: [] });
  });

  it('told since the first visit of the unbroken verdict', () => {
    const courses = follow([[10], [7], [5], [3.5], [3.6]]).map(({ course: { verdict, since } }) => [verdict, since]);
    const days = [0, 7, 7, 7, 28].map((day) => dayOf(day).toISOString());
    const verdicts = ['unknown', 'improving', 'improving', 'improving', 'unchanged'];
    expect(courses).toEqual(verdicts.map((verdict, visit) => [verdict, days[visit]]));
  });
});

describe('a wound that a person had closed', () => {
  const closures = [{ closedAt: dayOf(15).toISOString(), reopenedAt: null }];

  it('is reopened by the photo that shows it again, and judged anew from there', () => {
    expect(tell([[3], [1.6], [0.5], [1.2], [0.8], [0.5]], closures).slice(3)).toEqual([
      'reopened',
      expect.stringMatching(/^(?:unchanged|improving)/),
      expect.stringMatching(/^improving/),
    ]);
  });

  it('is closed on a photo without a wound, since then', () => {
    const visits: Visit[] = [[3], [1.6], [0.5], [0, null, noWound]];
    const healed = follow(visits, [{ ...closures[0]!, reason: 'healed' }]).at(-1)!.course;
    expect(healed).toMatchObject({ verdict: 'closed', since: closures[0]!.closedAt, waitsFor: ['no_wound_outlined'] });
    const amputated = follow(visits, [{ ...closures[0]!, reason: 'amputated' }]).at(-1)!.course;
    expect([amputated.verdict, follow(visits, closures).at(-1)!.course.verdict]).toEqual(['ended', 'ended']);
  });

  it.each<[string, ClinicianObservations]>([
    ['pus', { exudateType: 'purulent' }],
    ['fever', { infectionSignCodes: [{ sign: 'fever', status: 'present' }] }],
    ['words of a clinician', { infectionSigns: ['pus'] }],
  ])('is worse where %s is stated of it, as long as it is, though no photo shows a wound', (_, stated) => {
    const visits: Visit[] = [[3], [1.6], [0.5], [0, stated, noWound], [0, stated, noWound], [0, null, noWound]];
    const verdicts = follow(visits, [{ ...closures[0]!, reason: 'healed' }]).map(({ course }) => course.verdict);
    expect(verdicts.slice(3)).toEqual(['worsening', 'worsening', 'unknown']);
  });

  it.each<[string, ClinicianObservations]>([
    ['exudate', { exudate: 'light' }],
    ['blood, of an amount that nobody wrote', { exudateType: 'sanguineous' }],
    ['red skin', { periwound: ['erythema'] }],
    ['swelling, as a sign', { infectionSignCodes: [{ sign: 'swelling', status: 'present' }] }],
    ['a tunnel', { tunnelling: [{ clock: 3, depthCm: 4 }] }],
  ])('is no longer called closed, nor ended, where %s is stated of it', (_, stated) => {
    const visits: Visit[] = [[3], [1.6], [0.5], [0, stated, noWound]];
    for (const reason of ['healed', 'amputated'] as const)
      expect(follow(visits, [{ ...closures[0]!, reason }]).at(-1)!.course.verdict).toBe('unknown');
  });

  it.each<[string, ClinicianObservations]>([
    ['that there is nothing', { exudate: 'none', infectionSigns: ['none'] }],
    ['a leg that stayed swollen and hard', { periwound: ['oedema', 'induration'], exudate: 'none' }],
  ])('stays closed where what is stated is %s', (_, stated) => {
    const visits: Visit[] = [[3], [1.6], [0.5], [0, stated, noWound], [0, stated, noWound]];
    const verdicts = follow(visits, [{ ...closures[0]!, reason: 'healed' }]).map(({ course }) => course.verdict);
    expect(verdicts.slice(3)).toEqual(['closed', 'closed']);
  });
});
