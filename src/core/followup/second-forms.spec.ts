import { photoWithForm as photo, type Form } from '../../../test/support/drawn-forms.js';
import { tellCourse, type FormVisit } from '../../../test/support/told-course.js';
import type { InfectionSign } from '../analysis/infection-sign-codes.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';
import type { Closure } from './wound-closure.js';

/** No form, or one. */
type Given = Form | null;
type Visit = FormVisit;

const tell = (...visits: readonly Visit[]) => tellCourse(visits);

const coded = (sign: InfectionSign, status: 'present' | 'absent' = 'present'): Form => ({
  infectionSignCodes: [{ sign, status }],
});
const tunnels = (...depths: readonly number[]): Form => ({
  tunnelling: depths.map((depthCm, index) => ({ clock: 3 * (index + 1), depthCm })),
});
const stage = (value: '2' | '3' | '4'): Form => ({ stage: { system: 'pressure', value } });
const words = (...infectionSigns: readonly string[]): Form => ({ infectionSigns });
const PAIN: Form = { painNrs: 2 };

/** A form at nine that tells of something worse than a week before, and what is told of it. */
const WORSE: readonly (readonly [name: string, before: Given, atNine: Form, told: RegExp, better: Form])[] = [
  ['necrosis', { necrosis: 0 }, { necrosis: 40 }, /worse necrosis 0 → 40/, { necrosis: 5 }],
  ['slough', { slough: 10 }, { slough: 35 }, /worse slough 10 → 35/, { slough: 10 }],
  ['a tunnel', PAIN, tunnels(7), /worse tunnelling null → 7/, tunnels(3)],
  ['a further tunnel', tunnels(7), tunnels(7, 3), /worse tunnelling null → 3/, tunnels(7)],
  ['a depth', { depthCm: 1 }, { depthCm: 1.7 }, /worse depth 1 → 1.7/, { depthCm: 1 }],
  ['pain', { painNrs: 1 }, { painNrs: 6 }, /worse pain 1 → 6/, { painNrs: 1 }],
  [
    'an undermined edge',
    PAIN,
    { undermining: [{ fromClock: 1, depthCm: 3 }] },
    /worse undermining null → 3/,
    { undermining: [{ fromClock: 1, depthCm: 0.4 }] },
  ],
  [
    'pus',
    { exudateType: 'serous' },
    { exudateType: 'purulent' },
    /worse exudate_purulent absent/,
    { exudateType: 'serous' },
  ],
  ['exudate', { exudate: 'light' }, { exudate: 'heavy' }, /worse exudate_amount light → heavy/, { exudate: 'light' }],
  ['an odour', { odour: 'none' }, { odour: 'strong' }, /worse odour none → strong/, { odour: 'none' }],
  ['warm skin', { periwound: ['dry'] }, { periwound: ['warm'] }, /worse warmth absent/, { periwound: ['dry'] }],
  [
    'an edge that stands off',
    { edges: ['attached'] },
    { edges: ['undermined'] },
    /worse edge_undermined/,
    { edges: ['attached'] },
  ],
  ['a stage', stage('2'), stage('4'), /worse stage pressure_2 → pressure_4/, stage('2')],
  ['fever', PAIN, coded('fever'), /worse signs_spreading 0 → 1/, coded('fever', 'absent')],
  ['lymphangitis', PAIN, coded('lymphangitis'), /worse signs_spreading 0 → 1/, words('none')],
  ['words', PAIN, words('foul and hot'), /worse clinician_words 0 → 1/, words('none')],
];

describe.each(WORSE)('%s that became worse at nine', (_, before, atNine, told, better) => {
  it('is told at nine', () => {
    const line = tell([0, before], [7, atNine]);
    expect(line).toMatch(/^(?:mixed|worsening): /);
    expect(line).toMatch(told);
  });

  it.each<[string, Given]>([
    ['says the same', atNine],
    ['says that it is better', better],
    ['is about something else', { lengthCm: 2 }],
  ])('is worse at half past nine, where a second form %s', (_second, given) => {
    const line = tell([0, before], [7, atNine], [7.02, given]);
    expect(line).toMatch(/^(?:mixed|worsening): /);
    expect(line).toMatch(told);
  });

  it('is worse at half past nine, where a second photo has no form', () => {
    expect(tell([0, before], [7, atNine], [7.02, null])).toMatch(told);
  });

  it.each<[string, readonly Visit[]]>([
    ['after that form alone', []],
    ['after a second one that says the same', [[7.02, atNine]]],
    ['after a second one that says that it is better', [[7.02, better]]],
    ['after two more', [[7.02, better], [7.5, better]]], // prettier-ignore
  ])('counts a week later for a photo without a form, %s', (_second, forms) => {
    expect(tell([0, before], [7, atNine], ...forms, [14, null])).toMatch(/^unchanged: persists/);
  });
});

describe('what had become worse since a visit a month before counts for four weeks from then on:', () => {
  it.each<[string, Given, Given, RegExp]>([
    ['exudate', { exudate: 'light' }, { exudate: 'heavy' }, /persists exudate_amount light → (?:null|heavy)/],
    ['an odour', { odour: 'none' }, { odour: 'moderate' }, /persists odour none → (?:null|moderate)/],
    ['warm skin', { periwound: ['dry'] }, { periwound: ['warm'] }, /persists warmth absent → (?:null|present)/],
    ['an edge', { edges: ['attached'] }, { edges: ['undermined'] }, /persists edge_undermined absent/],
    ['a stage', stage('2'), stage('3'), /persists stage pressure_2 → (?:null|pressure_3)/],
  ])('%s', (_, before, after, told) => {
    expect(tell([0, before], [30, after])).toMatch(/^mixed: /);
    for (const given of [null, after]) {
      expect(tell([0, before], [30, after], [44, given])).toMatch(told);
      expect(tell([0, before], [30, after], [51, given], [58, given])).toMatch(told);
      expect(tell([0, before], [30, after], [44, given], [58.1, given])).toBe('improving');
    }
    // From the last statement on, where it had not become usual by then.
    expect(tell([0, before], [30, after], [44, after], [72, null])).toMatch(/^unchanged: persists/);
    expect(tell([0, before], [30, after], [44, after], [72.1, null])).toBe('improving');
  });
});

describe('what is stated in small steps within one day is one rise:', () => {
  it.each<[string, readonly Visit[], RegExp]>([
    ['of slough', [[0, { slough: 10 }], [7, { slough: 25 }], [7.02, { slough: 35 }]], /worse slough 10 → 35/], // prettier-ignore
    ['of a depth', [[0, { depthCm: 1 }], [7, { depthCm: 1.4 }], [7.02, { depthCm: 1.7 }]], /worse depth 1 → 1.7/], // prettier-ignore
    ['of a first day', [[0, { slough: 10 }], [0.1, { slough: 25 }], [0.2, { slough: 35 }]], /worse slough 10 → 35/], // prettier-ignore
  ])('%s', (_, visits, told) => expect(tell(...visits)).toMatch(told));

  it.each([
    ['in one step', [25, 10]],
    ['in one step, with a photo more', [25, 25, 10]],
    ['in two', [13, 16]],
  ])('of necrosis by a little, %s: no photo of that visit is improving', (_, shares) => {
    const visits = shares.map((necrosis, at): Visit => [7 + 0.02 * at, { necrosis }]);
    expect(tell([0, { necrosis: 10 }], ...visits)).toBe('unchanged');
    expect(tell([0, { necrosis: 10 }], ...visits, [7.5, null])).toBe('unchanged');
    expect(tell([0, { necrosis: 10 }], ...visits, [14, null])).toBe('improving');
  });
});

describe('the flag of rising necrosis', () => {
  const flagged = (last: Partial<AssessmentInSeries>, ...shares: readonly (number | null)[]) => {
    const all = shares.map((necrosis, visit) =>
      photo([0, 7, 7.02][visit]!, necrosis === null ? null : { necrosis }, visit === shares.length - 1 ? last : {}),
    );
    return followSeries(all)
      .flags.get(all.at(-1)!.reportId)!
      .filter(({ code }) => code === 'necrosis_rising');
  };

  it('stands on the photo whose clinician stated more than the one of the photo before', () => {
    expect(flagged({}, 10, 25)).toMatchObject([{ value: 15, days: 7, comparedWithReportId: 'r000000' }]);
  });

  it.each([
    ['states less', 10],
    ['says nothing of it', null],
  ])('says nothing of a photo of that visit whose form %s: nobody stated a rise since the photo before', (_, third) => {
    expect(flagged({}, 10, 25, third)).toEqual([]);
  });

  it('says nothing of a photo that may show another wound', () => {
    const stated = {
      ...photo(7.02, null).stated,
      bodySite: { system: 'http://snomed.info/sct', code: '22335008', display: 'Left heel' },
    };
    expect(flagged({ stated }, 10, 25, 10)).toEqual([]);
  });
});

/** Two people who differ at each visit. */
const DIFFERING: readonly (readonly [string, Form, Form])[] = [
  ['pus', { exudateType: 'purulent' }, { exudateType: 'serous' }],
  ['exudate', { exudate: 'moderate' }, { exudate: 'light' }],
  ['odour', { odour: 'strong' }, { odour: 'none' }],
  ['a stage', stage('3'), stage('2')],
  ['a stage by infection and blood flow', { stage: { system: 'texas', value: '1B' } }, { stage: { system: 'texas', value: '1C' } }],
  ['necrosis', { necrosis: 60 }, { necrosis: 5 }],
  ['slough', { slough: 60 }, { slough: 5 }],
  ['pain', { painNrs: 9 }, { painNrs: 2 }],
  ['a depth', { depthCm: 4.5 }, { depthCm: 1 }],
  ['a tunnel', tunnels(7), tunnels(1)],
  ['a further tunnel', tunnels(7, 3), tunnels(7)],
  ['a tunnel beside pain alone', tunnels(7), PAIN],
  ['undermining', { undermining: [{ fromClock: 1, depthCm: 3 }] }, { undermining: [{ fromClock: 1, depthCm: 0.5 }] }],
  ['warm skin', { ...coded('warmth') }, { periwound: ['dry'] }],
  ['an edge', { edges: ['undermined'] }, { edges: ['attached'] }],
  ['fever', coded('fever'), coded('fever', 'absent')],
  ['fever beside pain alone', coded('fever'), PAIN],
  ['fever beside a denial', coded('fever'), words('none')],
  ['pain as a sign', coded('increased_pain'), coded('increased_pain', 'absent')],
  ['words beside pain alone', words('red and hot'), PAIN],
  ['words beside a denial', words('red and hot'), words('none')],
]; // prettier-ignore

describe.each(DIFFERING)('%s on which two people differ at each visit', (name, bad, good) => {
  it.each<[string, Form, Form]>([
    ['the worse first', bad, good],
    ['the better first', good, bad],
  ])('is not worse from week to week, %s', (_order, first, second) => {
    const weeks = (count: number) => Array.from({ length: count }, (__, week): Visit[] => [[7 * week, first], [7 * week + 0.02, second]]).flat(); // prettier-ignore
    for (const count of [2, 3, 4, 5]) {
      const before = weeks(count);
      expect(tell(...before, [7 * count, first])).not.toMatch(/worse/);
      const whole = tell(...before, [7 * count, first], [7 * count + 0.02, second]);
      expect(whole).not.toMatch(/worse/);
      // A tunnel that one of them states each week is there, and no worse than it was.
      if (!name.includes('tunnel')) expect(whole).not.toMatch(/improving/);
    }
  });

  it('is worse where both had said that it is not there, or less, and one finds it', () => {
    const week = (day: number): Visit[] => [
      [day, good],
      [day + 0.02, good],
    ];
    expect(tell(...week(0), ...week(7), [14, bad], [14.02, good])).toMatch(/worse/);
    expect(tell(...week(0), ...week(7), [14, good], [14.02, bad])).toMatch(/worse/);
  });
});

describe('what two people differ on, and grows', () => {
  it('is never improving, also where one of two forms a week says little of it', () => {
    const weeks = [0, 1, 2, 3, 4, 5].flatMap((week): Visit[] => [
      [7 * week, { slough: 5 + 10 * week }],
      [7 * week + 0.02, { slough: 40 + 10 * week }],
    ]);
    for (let count = 4; count <= weeks.length; count += 2)
      expect(tell(...weeks.slice(0, count))).not.toMatch(/improving/);
    for (const share of [60, 45])
      expect(tell([0, { slough: 60 }], [0.02, { slough: 5 }], [7, { slough: share }])).toMatch(/persists slough/);
    expect(tell([0, { necrosis: 10 }], [0.02, { necrosis: 0 }], [7, { necrosis: 5 }])).toMatch(/persists necrosis/);
  });

  it('is less only than the least of the last visit', () => {
    expect(tell([0, { slough: 5 }], [0.02, { slough: 60 }], [7, { slough: 5 }])).not.toMatch(/better slough/);
    expect(tell([0, { slough: 60 }], [0.02, { slough: 40 }], [7, { slough: 5 }])).toMatch(/better slough 40 → 5/);
  });
});

describe('what was stated more than four weeks ago', () => {
  it.each<[string, Form, Form]>([
    ['fever', coded('fever'), coded('fever', 'absent')],
    ['pus', { exudateType: 'purulent' }, { exudateType: 'serous' }],
    ['exudate', { exudate: 'heavy' }, { exudate: 'light' }],
    ['a stage', stage('4'), stage('2')],
    ['slough', { slough: 60 }, { slough: 5 }],
  ])('is compared as it was left: %s', (_, bad, good) => {
    expect(tell([0, bad], [0.02, good], [60, bad])).toMatch(/worse/);
  });

  it.each<[string, Form]>([
    ['fever', coded('fever')],
    ['words', words('red and hot')],
  ])('and denied at nine is new at half past: %s', (_, bad) => {
    expect(tell([0, bad], [60, words('none')], [60.02, bad])).toMatch(/worse/);
    expect(tell([0, bad], [60, bad])).toMatch(/persists/);
  });
});

describe('one figure that was mistyped', () => {
  it('makes none of those after it worse', () => {
    const deep: Form = { depthCm: 4.5 };
    const visits: readonly Visit[] = [[0, deep], [7, deep], [14, deep], [21, { depthCm: 1 }], [21.02, deep]]; // prettier-ignore
    expect(tell(...visits)).toMatch(/worse depth/);
    expect(tell(...visits, [28, deep])).not.toMatch(/worse/);
    expect(tell(...visits, [28, deep], [35, deep])).not.toMatch(/worse/);
  });
});

describe('a denial that another form of the visit contradicts', () => {
  const contradicted = (day: number): Visit[] => [
    [day, words('none')],
    [day + 0.02, coded('friable_granulation')],
  ];

  it('ends no four weeks: fever that comes again within them persists', () => {
    expect(tell([0, coded('fever')], ...contradicted(14), [21, coded('fever')])).toMatch(/persists signs_spreading/);
  });

  it('makes no sign of two months ago one that stays', () => {
    expect(tell([0, coded('fever')], ...contradicted(60), [67, coded('fever')])).toMatch(/worse signs_spreading/);
    expect(tell([0, words('hot')], ...contradicted(60), [67, words('hot')])).toMatch(/worse clinician_words/);
  });
});

describe('what is only remembered', () => {
  it('is not carried to the next form of the day, which takes it back', () => {
    const line = tell([0, { exudateType: 'purulent' }], [14, null], [14.02, { exudateType: 'serous' }]);
    expect(line).toBe('improving: better exudate_purulent present → absent');
  });
});

describe('a debridement between two photos of one day', () => {
  const followed = (...visits: readonly Visit[]) => {
    const all = visits.map(([day, given]) => photo(day, given));
    const event = { type: 'debridement', occurredAt: photo(7.01, null).capturedAt } as const;
    const { comparisons, flags } = followSeries(all, [], [event]);
    const { reportId } = all.at(-1)!;
    return {
      verdict: comparisons.get(reportId)!.course!.verdict,
      codes: flags.get(reportId)!.map(({ code }) => code),
    };
  };
  const rising: readonly Visit[] = [[0, { necrosis: 10 }], [7, { necrosis: 40 }]]; // prettier-ignore

  it.each<[string, Given]>([
    ['without a form', null],
    ['that states less', { necrosis: 5 }],
    ['that states as much', { necrosis: 40 }],
  ])('leaves the photo after it, %s, neither worse nor flagged', (_, given) => {
    expect(followed(...rising).verdict).toMatch(/worsening|mixed/);
    const { verdict, codes } = followed(...rising, [7.02, given]);
    expect(verdict).not.toMatch(/worsening|mixed|improving/);
    expect(codes).not.toContain('necrosis_rising');
  });
});

describe('a sign that comes up within the first day', () => {
  it('is worse where a form of the morning looked at the wound', () => {
    expect(tell([7, PAIN], [7.46, { exudateType: 'purulent' }])).toMatch(/worse exudate_purulent null → present/);
  });

  it('is not worse because a second form says what the first said', () => {
    const pus: Form = { exudateType: 'purulent' };
    expect(tell([7, pus], [7.02, pus])).toMatch(/persists exudate_purulent null → present/);
  });
});

describe('a gain that the coded sign beside it contradicts is none:', () => {
  it.each<[string, Form, Form, RegExp]>([
    ['an odour', { odour: 'strong' }, { odour: 'faint', ...coded('odour') }, /persists odour_strong/],
    ['exudate', { exudate: 'moderate' }, { exudate: 'light', ...coded('increased_exudate') }, /worse signs_other/],
    ['pain', { painNrs: 8 }, { painNrs: 2, ...coded('increased_pain') }, /worse signs_other/],
  ])('%s', (_, before, now, told) => {
    const line = tell([0, before], [7, now]);
    expect(line).toMatch(told);
    expect(line).not.toMatch(/better|improving/);
  });

  it('a sign that is newly coded is told, though the grade is as it was', () => {
    const faint: Form = { odour: 'faint' };
    const line = tell(
      [0, { odour: 'none', ...coded('odour', 'absent') }],
      [7, faint],
      [14, { ...faint, ...coded('odour') }],
    );
    expect(line).toMatch(/worse odour_strong absent → present/);
  });
});

describe('a stage in another system', () => {
  it('takes nothing back of the one that had risen', () => {
    const wagner: Form = { stage: { system: 'wagner', value: '1' } };
    expect(tell([0, stage('2')], [7, stage('3')], [14, wagner])).toBe('unchanged: persists stage pressure_2 → null');
  });
});

describe('a wound that a person has closed as healed, and whose photo shows none,', () => {
  const CLOSED: readonly Closure[] = [
    { closedAt: photo(10, null).capturedAt.toISOString(), reopenedAt: null, reason: 'healed' },
  ];
  const verdictOf = (...visits: readonly Visit[]) => {
    const since = visits.map(([day, given]) =>
      photo(day, given, { findings: { ...photo(day, given).findings, woundDetected: false, figures: null } }),
    );
    const all = [photo(0, null), photo(7, null), ...since];
    return followSeries(all, CLOSED).comparisons.get(all.at(-1)!.reportId)!.course!.verdict;
  };

  it.each<[string, Form]>([
    ['a length and width', { lengthCm: 3, widthCm: 2 }],
    ['an edge that is undermined', { edges: ['undermined'] }],
    ['an edge that does not hold', { edges: ['not_attached'] }],
    ['a depth', { depthCm: 1 }],
    ['an ulcer’s grade', { stage: { system: 'wagner', value: '2' } }],
    ['slough', { slough: 30 }],
    ['necrosis', { necrosis: 10 }],
  ])('is not closed where somebody states %s: on that photo, the next of the day, and for four weeks', (_, given) => {
    expect(verdictOf([14, given])).toBe('unknown');
    expect(verdictOf([14, given], [14.02, null])).toBe('unknown');
    expect(verdictOf([14, given], [14.02, { lengthCm: 0 }])).toBe('unknown');
    expect(verdictOf([14, given], [14.02, { lengthCm: 0 }], [42, null])).toBe('unknown');
    expect(verdictOf([14, given], [43.1, null])).toBe('closed');
    expect(verdictOf([14, given], [21, { lengthCm: 0, widthCm: 0 }])).toBe('closed');
    expect(verdictOf([14, given], [21, { painNrs: 0, periwound: ['dry'] }])).toBe('unknown');
  });

  it.each<[string, Given]>([
    ['nothing', null],
    ['no length', { lengthCm: 0, widthCm: 0, depthCm: 0 }],
    ['edges that meet', { edges: ['approximated', 'attached'] }],
    ['the stage that the injury had', stage('4')],
    ['a foot without an ulcer', { stage: { system: 'wagner', value: '0' } }],
    ['no dead tissue', { necrosis: 0 }],
  ])('stays closed where somebody states %s', (_, given) => expect(verdictOf([14, given])).toBe('closed'));
});
