import { DIABETIC_FOOT, photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { INFECTION_SIGNS, type InfectionSign } from '../analysis/infection-sign-codes.js';
import { STAGE_VALUES, type WoundStage } from '../analysis/wound-stage.js';
import { SIGN_SETS, SIGNS_OF } from './infection-signs.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';

type Stated = ClinicianObservations | null;

const VENOUS = { woundType: { system: 'http://snomed.info/sct', code: '402863003', display: 'Venous ulcer of leg' } };
const FOOT = { woundType: DIABETIC_FOOT };
/** A wound that heals by a fifth a week. */
const HEALING = [10, 8, 6.4, 5.1, 4.1];

function follow(stated: readonly Stated[], kind: Partial<AssessmentInSeries> = VENOUS, daysBetween = 7) {
  const all = stated.map((observations, visit) => {
    const findings = { ...drawFindings(squareOf(HEALING[visit]!)), areaRepeatabilityPct: 9.8 };
    return photoOn(daysBetween * visit, HEALING[visit]!, { findings, observations, ...kind });
  });
  const { comparisons } = followSeries(all);
  return all.map(({ reportId }) => comparisons.get(reportId)!.course!);
}

/** `mixed: worse signs_iwgdf 0 → 2 (warmth, erythema)`, without what is said of other domains. */
function tell(stated: readonly Stated[], kind: Partial<AssessmentInSeries> = VENOUS, daysBetween = 7): string {
  const { verdict, because } = follow(stated, kind, daysBetween).at(-1)!;
  const told = because
    .filter(({ domain }) => domain === 'infection' || domain === 'stage')
    .map(({ direction, what, from, to, signs }) =>
      [direction, what, String(from), '→', String(to), ...(signs === undefined ? [] : [`(${signs.join(', ')})`])].join(
        ' ',
      ),
    );
  return [verdict, ...told].join(': ');
}

const signs = (given: Partial<Record<InfectionSign, boolean>>): ClinicianObservations => ({
  infectionSignCodes: Object.entries(given).map(([sign, isThere]) => ({
    sign: sign as InfectionSign,
    status: isThere ? 'present' : 'absent',
  })),
});
const NONE = signs(Object.fromEntries(INFECTION_SIGNS.map((sign) => [sign, false])));

describe('the sets of signs', () => {
  it('have every sign that can be stated, and no other', () => {
    const inSets = SIGN_SETS.flatMap((set) => SIGNS_OF[set].flat());
    expect([...new Set(inSets)].sort()).toEqual([...INFECTION_SIGNS].sort());
  });

  it('count five for the diabetic foot, five and seven for others', () => {
    expect([SIGNS_OF.iwgdf, SIGNS_OF.nerds, SIGNS_OF.stonees].map(({ length }) => length)).toEqual([5, 5, 7]);
  });
});

describe('a wound that becomes smaller is not improving', () => {
  it.each<[string, readonly Stated[], Partial<AssessmentInSeries>, string]>([
    [
      'once a diabetic foot has newly two signs of the IWGDF',
      [NONE, NONE, NONE, signs({ warmth: true, purulent_exudate: true })],
      FOOT,
      'mixed: worse signs_iwgdf 0 → 2 (warmth, purulent_exudate)',
    ],
    [
      'once another wound has newly three signs of NERDS',
      [NONE, NONE, NONE, signs({ delayed_healing: true, friable_granulation: true, debris: true })],
      VENOUS,
      'mixed: worse signs_nerds 0 → 3 (delayed_healing, friable_granulation, debris)',
    ],
    [
      'once another wound has newly three signs of STONEES',
      [NONE, NONE, NONE, signs({ warmth: true, swelling: true, odour: true })],
      VENOUS,
      'mixed: worse signs_stonees 0 → 3 (warmth, swelling, odour)',
    ],
    [
      'where a set that was complete has one sign more',
      [
        NONE,
        NONE,
        signs({ warmth: true, swelling: true }),
        signs({ warmth: true, swelling: true, purulent_exudate: true }),
      ],
      FOOT,
      'mixed: worse signs_iwgdf 2 → 3 (swelling, warmth, purulent_exudate)',
    ],
    [
      'by fever alone',
      [NONE, NONE, NONE, signs({ fever: true })],
      VENOUS,
      'mixed: worse signs_spreading 0 → 1 (fever)',
    ],
    [
      'by a probe that reaches the bone',
      [NONE, NONE, NONE, signs({ probes_to_bone: true })],
      FOOT,
      'mixed: worse signs_spreading 0 → 1 (probes_to_bone)',
    ],
    [
      'by more exudate, as a clinician says without its amount',
      [NONE, NONE, NONE, signs({ increased_exudate: true })],
      VENOUS,
      'mixed: worse signs_other 0 → 1 (increased_exudate)',
    ],
    [
      'by a sign that is there since the first visit and persists',
      Array<Stated>(4).fill(signs({ friable_granulation: true })),
      VENOUS,
      'unchanged: persists signs_other 1 → 1 (friable_granulation)',
    ],
    [
      'while a complete set persists, which does not worsen again',
      Array<Stated>(4).fill(signs({ swelling: true, purulent_exudate: true })),
      FOOT,
      'unchanged: persists signs_iwgdf 2 → 2 (swelling, purulent_exudate)',
    ],
    [
      'while nobody has said that the signs are gone',
      [NONE, NONE, signs({ swelling: true, purulent_exudate: true }), null],
      FOOT,
      'unchanged: persists signs_iwgdf 2 → null (swelling, purulent_exudate)',
    ],
    [
      'while nobody has said that one sign of the skin is gone',
      [NONE, NONE, signs({ warmth: true }), null],
      VENOUS,
      'unchanged: persists signs_other 1 → null (warmth)',
    ],
    [
      'where the next form is about other signs',
      [NONE, NONE, signs({ fever: true }), signs({ odour: false })],
      VENOUS,
      'unchanged: persists signs_spreading 1 → null (fever)',
    ],
    [
      'by signs of two forms of one month',
      [NONE, NONE, signs({ swelling: true }), signs({ purulent_exudate: true })],
      FOOT,
      'mixed: worse signs_iwgdf 1 → 2 (swelling, purulent_exudate)',
    ],
    [
      'by a sign that one field denies and another states',
      [NONE, NONE, NONE, { ...signs({ warmth: false, swelling: true }), periwound: ['warm'] }],
      FOOT,
      'mixed: worse signs_iwgdf 0 → 2 (swelling, warmth)',
    ],
    [
      'by fields that are no signs by name: pus and warm skin',
      [{ exudateType: 'serous', periwound: ['dry'] }, null, null, { exudateType: 'purulent', periwound: ['warm'] }],
      FOOT,
      'mixed: worse signs_iwgdf 0 → 2 (warmth, purulent_exudate)',
    ],
  ])('%s', (_, stated, kind, told) => {
    expect(tell(stated, kind)).toBe(told);
  });

  it.each<[string, Stated]>([
    ['one sign of the IWGDF on a diabetic foot', signs({ increased_pain: true })],
    ['lymphangitis', signs({ lymphangitis: true })],
    ['new breakdown', signs({ new_breakdown: true })],
    ['redness that spreads', signs({ spreading_erythema: true })],
    ['words beside coded absences', { ...NONE, infectionSigns: ['no fever, but pus'] }],
    ['pus as a sign', signs({ purulent_exudate: true })],
    ['warmth as a sign', signs({ warmth: true })],
    ['swelling as a sign', signs({ swelling: true })],
    ['an odour as a sign', signs({ odour: true })],
  ])('when newly there is %s', (_, now) => {
    for (const kind of [FOOT, VENOUS]) expect(tell([NONE, NONE, NONE, now], kind)).toMatch(/^mixed/);
  });
});

describe('a wound that becomes smaller is improving', () => {
  it.each<[string, readonly Stated[]]>([
    ['where every sign is stated to be absent', [NONE, NONE, NONE, NONE]],
    [
      'where "no" is said in words',
      [10, 8, 6].map(() => ({ infectionSigns: ['Not detected', 'nicht beurteilbar', 'unknown'] })),
    ],
    ['once the signs are stated to be gone', [signs({ swelling: true, fever: true }), NONE, NONE, NONE]],
    ['where two signs of NERDS are gone', [signs({ debris: true, friable_granulation: true }), NONE, NONE]],
  ])('%s', (_, stated) => {
    for (const kind of [FOOT, VENOUS]) expect(tell(stated, kind)).toBe('improving');
  });

  it('not while signs persist from month to month, which do not worsen again', () => {
    const months = Array<Stated>(3).fill(signs({ fever: true, swelling: true, warmth: true }));
    expect(tell(months, FOOT, 35)).toBe(
      'unchanged: persists signs_iwgdf 2 → 2 (swelling, warmth): persists signs_spreading 1 → 1 (fever)',
    );
  });

  it('where a sign was last stated more than four weeks ago', () => {
    expect(tell([signs({ fever: true }), null, null], VENOUS, 21)).toBe('improving');
    expect(tell([signs({ fever: true }), null, null], VENOUS, 14)).toMatch(/^unchanged: persists signs_spreading/);
  });
});

it('a pocket that becomes deeper counts as a sign of STONEES, and not as an infection that spreads by itself', () => {
  const deep = (depthCm: number) => ({ undermining: [{ fromClock: 3, depthCm }] });
  expect(tell([deep(1), deep(1), { ...deep(4), ...signs({ warmth: true, odour: true }) }])).toBe(
    'mixed: worse signs_stonees 0 → 3 (warmth, new_breakdown, odour)',
  );
  expect(tell([deep(1), deep(1), deep(4)])).toBe('mixed');
});

it('signs at the first visit are told, and worsen nothing', () => {
  expect(tell([signs({ warmth: true, swelling: true })], FOOT)).toBe(
    'unknown: persists signs_iwgdf null → 2 (swelling, warmth)',
  );
});

describe('a stage', () => {
  const stage = (system: WoundStage['system'], value: WoundStage['value']): ClinicianObservations => ({
    stage: { system, value },
  });
  const pressure = (...values: readonly WoundStage['value'][]) => tell(values.map((value) => stage('pressure', value)));

  it.each([
    [['2', '2', '3'], 'mixed: worse stage pressure_2 → pressure_3'],
    [
      ['1', '1', 'suspected_deep_tissue_injury'],
      'mixed: worse stage pressure_1 → pressure_suspected_deep_tissue_injury',
    ],
    [
      ['suspected_deep_tissue_injury', 'suspected_deep_tissue_injury', 'unstageable'],
      'mixed: worse stage pressure_suspected_deep_tissue_injury → pressure_unstageable',
    ],
    [['2', '3', '3'], 'unchanged: persists stage pressure_2 → pressure_3'],
    [['unstageable', 'unstageable', '4'], 'unchanged: persists stage pressure_unstageable → pressure_4'],
  ] as const)('of a pressure injury that goes up is told: %j', (values, told) => {
    expect(pressure(...values)).toBe(told);
  });

  it('that goes down is no reason of its own: a stage 4 that heals is not a stage 3', () => {
    for (const values of [
      ['4', '4', '3'],
      ['4', '3', '2'],
      ['4', '4', 'unstageable'],
      ['3', '3', 'mucosal'],
    ] as const)
      expect(pressure(...values)).toBe('improving');
    const area = [10, 10.2, 10];
    const all = area.map((cm2, week) =>
      photoOn(7 * week, cm2, { observations: stage('pressure', (['4', '3', '2'] as const)[week]!) }),
    );
    expect(followSeries(all).comparisons.get(all[2]!.reportId)!.course!.verdict).toBe('unchanged');
  });

  it.each([
    ['wagner', '1', '3', true],
    ['wagner', '3', '1', false],
    ['texas', '1A', '2A', true],
    ['texas', '1A', '1B', true],
    ['texas', '1B', '1C', true],
    ['texas', '1C', '1B', true],
    ['texas', '2D', '1A', false],
    ['texas', '1D', '1B', false],
  ] as const)('of %s from %s to %s goes up: %s', (system, from, to, isUp) => {
    expect(tell([stage(system, from), stage(system, to)]).includes('worse stage')).toBe(isUp);
  });

  it('is never a reason to call a wound better, between any two values', () => {
    for (const [system, values] of Object.entries(STAGE_VALUES))
      for (const from of values)
        for (const to of values) {
          const { because } = follow([
            stage(system as WoundStage['system'], from),
            stage(system as WoundStage['system'], to),
          ]).at(-1)!;
          expect(because.filter(({ domain, direction }) => domain === 'stage' && direction === 'better')).toEqual([]);
        }
  });

  it('is neither higher nor lower than one of another system: it persists', () => {
    expect(tell([stage('wagner', '1'), stage('wagner', '1'), stage('pressure', '4')])).toBe(
      'unchanged: persists stage wagner_1 → pressure_4',
    );
  });
});

describe('a clinician’s own words', () => {
  const words = (...infectionSigns: string[]): Stated => ({ infectionSigns });

  it('are worse once they say more than at any visit of four weeks', () => {
    expect(tell([words('red'), words('red', 'hot', 'streaks')])).toBe('worsening: worse clinician_words 1 → 3');
    expect(tell([words('red'), words('red', 'hot'), words('red', 'hot')])).toMatch(/persists clinician_words 2 → 2/);
  });

  it('are not worse each week where two people differ in how many lines they write', () => {
    expect(tell([words('red'), words('red', 'hot'), words('red'), words('hot', 'red')])).toMatch(
      /persists clinician_words/,
    );
  });
});
