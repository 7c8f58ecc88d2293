import { dayOf } from '../../../test/support/series-photos.js';
import { tellCourse, tellEachPhoto, type FormVisit } from '../../../test/support/told-course.js';

/** One share a week. */
const weekly = (tissue: 'necrosis' | 'slough', shares: readonly number[]) =>
  shares.map((pct, week): FormVisit => [7 * week, { [tissue]: pct }]);
const deep = (...depths: readonly number[]) => depths.map((depthCm, week): FormVisit => [7 * week, { depthCm }]);
const treated = (...days: readonly number[]) =>
  days.map((day) => ({ type: 'debridement', occurredAt: dayOf(day) }) as const);

describe.each(['slough', 'necrosis'] as const)('%s that rises by less than 20 points a week', (tissue) => {
  it('is worse once it has risen by 20 within four weeks, and again by 20 more', () => {
    expect(tellCourse(weekly(tissue, [10, 25]))).not.toMatch(/worse|better/);
    expect(tellCourse(weekly(tissue, [10, 25, 40]))).toMatch(`worse ${tissue} 10 → 40`);
    expect(tellCourse(weekly(tissue, [10, 25, 40, 55]))).toMatch(`unchanged: persists ${tissue} 10 → 55`);
    expect(tellCourse(weekly(tissue, [10, 25, 40, 55, 70]))).toMatch(`worse ${tissue} 40 → 70`);
  });

  it('is worse also where visits lie a month apart', () => {
    const monthly = (...shares: number[]) => shares.map((pct, month): FormVisit => [31 * month, { [tissue]: pct }]);
    expect(tellCourse(monthly(10, 29, 48))).toMatch(`worse ${tissue} 10 → 48`);
    expect(tellCourse(monthly(10, 29, 48, 67))).toMatch(`persists ${tissue}`);
    expect(tellCourse(monthly(10, 29, 48, 67, 86))).toMatch(`worse ${tissue} 48 → 86`);
    expect(tellCourse(monthly(5, 40, 40, 40))).toBe('improving');
  });

  it('persists for four weeks where it stays, and no wound is improving meanwhile', () => {
    for (const weeks of [1, 2, 4])
      expect(tellCourse(weekly(tissue, [5, 40, ...Array<number>(weeks).fill(40)]))).toBe(
        `unchanged: persists ${tissue} 5 → 40`,
      );
    expect(tellCourse(weekly(tissue, [5, 40, 40, 40, 40, 40, 40]))).toBe('improving');
    expect(tellCourse(weekly(tissue, [5, 40, 10]))).toBe(`improving: better ${tissue} 40 → 10`);
    expect(tellCourse(weekly(tissue, [5, 70, 40]))).toBe(`unchanged: persists ${tissue} 5 → 40`);
  });

  it('is worse also where a second person states less of it at each visit', () => {
    const visits = [10, 15, 25, 28, 40].flatMap((pct, week): FormVisit[] => [
      [7 * week, { [tissue]: 1 }],
      [7 * week + 0.02, { [tissue]: pct }],
    ]);
    expect(tellCourse(visits)).toMatch(`worse ${tissue} 10 → 40`);
  });

  it('is no gain where a treatment took it away', () => {
    const events = treated(0.01, 7.01);
    const shares: FormVisit[] = [[0, { [tissue]: 50 }], [0.02, { [tissue]: 10 }], [7, { [tissue]: 50 }]]; // prettier-ignore
    expect(tellCourse(shares, events)).toMatch(`persists ${tissue} 10 → 50`);
    expect(tellCourse([...shares, [7.02, { [tissue]: 10 }]], events)).not.toMatch(/better|improving/);
    expect(tellCourse([...shares, [7.02, { [tissue]: 40 }], [14, { [tissue]: 15 }]], events)).toMatch(
      `better ${tissue} 40 → 15`,
    );
  });
});

describe('slough over half a year', () => {
  const every = (days: number, ...shares: number[]) => shares.map((slough, at): FormVisit => [days * at, { slough }]);

  it.each<[string, FormVisit[], number, string, string]>([
    ['by 4 points a week', every(7, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58), 7, '14 → 38', '34 → 58'],
    ['by 9.5 a fortnight', every(14, 10, 19.5, 29, 38.5, 48, 57.5, 67), 3, '10 → 38.5', '38.5 → 67'],
    ['by 9 a month', every(31, 10, 19, 28, 37, 46, 55, 64), 3, '10 → 37', '37 → 64'],
  ])('that rises %s is worse, persists while it rises on, and is worse again', (_, visits, at, first, again) => {
    const told = tellEachPhoto(visits).slice(at);
    expect(told[0]).toBe(`mixed: worse slough ${first}`);
    for (const line of told.slice(1, -1)) expect(line).toMatch(/^(?:unchanged|unknown): persists slough/);
    expect(told.at(-1)).toMatch(`worse slough ${again}`);
  });

  it('that goes up and down by what two people differ by is neither worse nor in the way', () => {
    for (const line of tellEachPhoto(every(7, 10, 25, 12, 26, 10, 27, 11, 25, 12, 26, 10, 27)).slice(2))
      expect(line).toBe('improving');
  });

  it('that rises at two visits in turn by less than 20 points in all is not worse yet', () => {
    expect(tellCourse(every(31, 10, 19, 28))).not.toMatch('worse');
    expect(tellCourse(every(31, 10, 19, 17, 37))).not.toMatch('worse slough 10');
  });

  it('is not compared with years ago, and bars nothing four weeks after it was told', () => {
    expect(tellCourse(every(365, 10, 29, 31))).not.toMatch(/slough/);
    expect(tellCourse(every(91, 5, 40))).toMatch('worse slough 5 → 40');
    expect(tellCourse(every(91, 5, 40, 40))).not.toMatch(/slough/);
  });
});

describe('slough that is debrided each week', () => {
  const each = (before: readonly number[]) =>
    before.flatMap((slough, week): FormVisit[] => [
      [7 * week, { slough }],
      [7 * week + 0.02, { slough: 10 }],
    ]);
  const events = treated(0.01, 7.01, 14.01, 21.01, 28.01, 35.01);
  const told = (...before: readonly number[]) => tellCourse(each(before).slice(0, -1), events);

  it('and is back each time persists, and is worse once it is more than before the last', () => {
    expect(told(50, 50)).toMatch(/: persists slough 10 → 50/);
    expect(told(50, 50, 50, 52, 51)).toMatch(/: persists slough 10 → 51/);
    expect(told(50, 50, 50, 72)).toMatch(/: worse slough 10 → 72/);
  });

  it('is worse also where it comes back by a little more each time', () => {
    expect(told(30, 40)).toMatch(/persists slough/);
    expect(told(30, 40, 50)).toMatch(/worse slough/);
    expect(told(30, 40, 50, 60)).toMatch(/persists slough/);
    expect(told(30, 40, 50, 60, 70)).toMatch(/worse slough/);
  });
});

describe('a debridement that the next photo follows a week later', () => {
  it('makes no gain of what it took away, and what comes back of it persists', () => {
    const visits: FormVisit[] = [[0, { slough: 60 }], [14, { slough: 10 }], [21, { slough: 10 }], [28, { slough: 35 }], [35, { slough: 35 }]]; // prettier-ignore
    const told = tellEachPhoto(visits, treated(3));
    expect(told[1]).not.toMatch(/better/);
    for (const line of told.slice(3)) expect(line).toMatch(/: persists slough 10 → 35/);
    expect(tellCourse([visits[0]!, [14, { slough: 82 }]], treated(3))).toMatch('worse slough 60 → 82');
  });
});

describe('slough that a surgeon takes away each week', () => {
  const visits = (...shares: readonly number[]) =>
    shares.flatMap((slough, week): FormVisit[] => [
      [7 * week, { slough }],
      [7 * week + 0.02, { slough: 5 }],
    ]);
  const events = [0, 1, 2, 3, 4].map((week) => ({ type: 'surgery', occurredAt: dayOf(7 * week + 0.01) }) as const);
  const before = (...shares: readonly number[]) =>
    tellEachPhoto(visits(...shares), events).filter((_, at) => at % 2 === 0);

  it('is worse when it first comes back, persists each week, and is worse where it is more', () => {
    const told = before(50, 50, 50, 55, 76);
    expect(told[1]).toMatch('worse slough 5 → 50');
    for (const line of told.slice(2, 4)) expect(line).toMatch(/^un(?:changed|known): persists slough/);
    expect(told[4]).toMatch('worse slough 5 → 76');
  });

  it('is worse after each operation where they lie more than four weeks apart', () => {
    const rare = [0, 60].map((day) => ({ type: 'surgery', occurredAt: dayOf(day + 0.01) }) as const);
    const shares: FormVisit[] = [[0, { slough: 50 }], [0.02, { slough: 5 }], [60, { slough: 50 }], [60.02, { slough: 5 }], [67, { slough: 50 }]]; // prettier-ignore
    expect(tellCourse(shares, rare)).toMatch('worse slough 5 → 50');
  });
});

describe('slough that comes on a graft', () => {
  const visits: FormVisit[] = [[0, { slough: 60 }], [4, { slough: 0 }], [11, { slough: 20 }], [18, { slough: 40 }], [25, { slough: 60 }]]; // prettier-ignore

  it.each(['graft', 'surgery'] as const)('is worse each time, whatever lay there before it: %s', (type) => {
    const told = tellEachPhoto(visits, [{ type, occurredAt: dayOf(3) }, ...treated(3.1)]);
    expect(told.slice(2).map((line) => line.split(': ')[1])).toEqual([
      'worse slough 0 → 20',
      'worse slough 20 → 40',
      'worse slough 40 → 60',
    ]);
  });

  it('persists where a debridement alone took it away', () => {
    for (const line of tellEachPhoto(visits, treated(3)).slice(2)) expect(line).toMatch('persists slough');
  });
});

describe('what one of two people stated to be less at the last visit as well', () => {
  it.each<[string, FormVisit[]]>([
    ['a depth', [[0, { depthCm: 1 }], [0.02, { depthCm: 4.5 }], [7, { depthCm: 1 }]]],
    ['pain', [[0, { painNrs: 2 }], [0.02, { painNrs: 9 }], [7, { painNrs: 2 }]]],
    ['pus', [[0, { exudateType: 'serous' }], [0.02, { exudateType: 'purulent' }], [7, { exudateType: 'serous' }]]],
    ['skin', [[0, { periwound: ['dry'] }], [0.02, { periwound: ['dry', 'macerated'] }], [7, { periwound: ['dry'] }]]],
  ])('is no gain: %s', (_, visits) => {
    expect(tellCourse(visits)).not.toMatch(/better/);
    expect(tellCourse([visits[1]!, [0.04, visits[0]![1]], visits[2]!])).not.toMatch(/better/);
  }); // prettier-ignore
});

describe('one depth that was mistyped', () => {
  it.each<[string, FormVisit[]]>([
    ['far above those before and after it', deep(1, 10, 1, 1.2, 1.4, 1.6, 1.8)],
    ['at the first visit', deep(10, 1, 1, 1.2, 1.4, 1.6, 1.8)],
    ['and put right in a second form', [...deep(1, 10), [7.02, { depthCm: 1 }], ...deep(1, 1, 1, 1.2, 1.4, 1.6, 1.8).slice(2)]],
  ])('hides no growth by two millimetres a week, %s', (_, visits) => {
    expect(tellCourse(visits)).toMatch(/worse depth 1 → 1.8/);
  }); // prettier-ignore

  it('is itself no fall of the next', () => {
    expect(tellCourse(deep(1, 10))).toMatch(/worse depth 1 → 10/);
    expect(tellCourse(deep(1, 10, 1))).not.toMatch(/better depth/);
    expect(tellCourse(deep(1, 3, 2.2, 1.4))).toMatch(/better depth 3 → 1.4/);
  });

  it('is none where it comes again: of two nurses who differ the higher is no growth each time', () => {
    const other = [2, 2.6, 2, 2.6, 2, 2.6, 2, 2.6];
    for (const weeks of [4, 6, 8]) expect(tellCourse(deep(...other.slice(0, weeks)))).not.toMatch(/worse depth/);
  });
});

describe('a gain that adds up', () => {
  it('is told, whatever little of it the last visit brought', () => {
    const pain = [8, 6, 4, 2].map((painNrs, week): FormVisit => [7 * week, { painNrs }]);
    expect(tellCourse(pain)).toMatch(/better pain 8 → 2/);
    expect(tellCourse(deep(3, 2.9, 2.8, 2.7, 2.6, 2.5, 2.4, 2.3, 2.2, 2.1))).toMatch(/better depth/);
  });
});

describe('a gain that two photos of one visit tell', () => {
  it('is told by both', () => {
    const visits: FormVisit[] = [[0, { depthCm: 3 }], [7, { depthCm: 3 }], [14, { depthCm: 3 }], [21, { depthCm: 1.4 }]]; // prettier-ignore
    expect(tellCourse(visits)).toMatch(/better depth 3 → 1.4/);
    expect(tellCourse([...visits, [21.02, { depthCm: 1.4 }]])).toMatch(/better depth 3 → 1.4/);
  });
});
