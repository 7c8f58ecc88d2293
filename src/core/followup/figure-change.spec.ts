import type { Form } from '../../../test/support/drawn-forms.js';
import { tellCourse, tellEachPhoto, type FormVisit } from '../../../test/support/told-course.js';

const seen =
  (daysApart: number) =>
  (field: 'depthCm' | 'painNrs', ...values: readonly number[]) =>
    values.map((value, visit): FormVisit => [daysApart * visit, { [field]: value }]);
const weekly = seen(7);
const monthly = seen(31);

describe('a figure that rises from month to month', () => {
  it('is worse, though no step of it is more than two people differ by', () => {
    expect(tellEachPhoto(monthly('painNrs', 1, 4, 7, 10)).slice(2)).toEqual([
      'mixed: worse pain 1 → 7',
      'mixed: worse pain 1 → 10',
    ]);
    const depths = tellEachPhoto(monthly('depthCm', 1, 1.5, 2, 2.5, 3, 3.5)).slice(2);
    expect(depths[0]).toBe('mixed: worse depth 1 → 2');
    for (const line of depths) expect(line).toMatch(/^mixed: worse depth/);
  });

  it('is worse also where undermining does', () => {
    const visits = [1, 1.5, 2].map((depthCm, month): FormVisit => [
      31 * month,
      { undermining: [{ fromClock: 1, toClock: 3, depthCm }] },
    ]);
    expect(tellCourse(visits)).toMatch('worse undermining 1 → 2');
  });

  it('is worse against the visit before, too, whatever it was before that', () => {
    expect(tellCourse(monthly('depthCm', 3, 1, 1, 1.7))).toMatch('worse depth 1 → 1.7');
  });
});

describe('a figure that had become worse, and', () => {
  it.each<[string, FormVisit[], string]>([
    ['went back by a little', weekly('depthCm', 1, 1, 5, 4.7), 'unchanged: persists depth 1 → 4.7'],
    ['is less, by half of it', weekly('painNrs', 2, 2, 9, 6), 'unchanged: persists pain 2 → 6'],
    ['stays', weekly('depthCm', 1, 1, 5, 5), 'unchanged: persists depth 1 → 5'],
    ['is a little more', weekly('depthCm', 1, 1, 5, 5.1), 'unchanged: persists depth 1 → 5.1'],
    ['rises again', weekly('depthCm', 1, 1, 5, 5.4), 'mixed: worse depth 1 → 5.4'],
    ['comes again', weekly('depthCm', 1, 1, 5, 1, 1, 1, 5), 'mixed: worse depth 1 → 5'],
  ])('%s', (_, visits, told) => expect(tellCourse(visits)).toBe(told));

  it('stays is told once, persists for four weeks, and bars nothing after them', () => {
    expect(tellEachPhoto(weekly('depthCm', 1, 1, 5, 5, 5, 5, 5, 5, 5, 5)).slice(2)).toEqual([
      'mixed: worse depth 1 → 5',
      ...Array<string>(4).fill('unchanged: persists depth 1 → 5'),
      ...Array<string>(3).fill('improving'),
    ]);
  });
});

describe('a figure that rises a second time', () => {
  const undermined = (...values: readonly number[]) =>
    values.map((depthCm, visit): FormVisit => [7 * visit, { undermining: [{ fromClock: 1, toClock: 3, depthCm }] }]);
  const again = [1, 1, 1.7, ...Array<number>(5).fill(1.2), 1.8];

  it.each<[string, FormVisit[], number, string]>([
    ['pain', weekly('painNrs', 2, 2, 8, 5, 5, 5, 5, 5, 5, 9, 9, 9), 9, 'worse pain 5 → 9'],
    ['depth', weekly('depthCm', ...again), 8, 'worse depth 1.2 → 1.8'],
    ['undermining', undermined(...again), 8, 'worse undermining 1.2 → 1.8'],
  ])('is worse again, from where two statements in turn had left it: %s', (_, visits, at, told) => {
    const lines = tellEachPhoto(visits);
    expect(lines.flatMap((line, visit) => (line.includes('worse') ? [visit] : []))).toEqual([2, at]);
    expect(lines[at]).toMatch(told);
  });

  it('is told again by no more or less than two people differ by', () => {
    const lines = tellEachPhoto(weekly('depthCm', 1, 1, 5, 4.9, 4.9, 5.1, 4.8, 4.8, 5.1));
    for (const line of lines.slice(3)) expect(line).not.toMatch(/worse/);
  });
});

describe('a depth that rises by half a millimetre a week', () => {
  const told = tellEachPhoto(weekly('depthCm', ...Array.from({ length: 21 }, (_, week) => 1 + 0.05 * week)));

  it('is worse once the ends of half a year show it, and again after as much more', () => {
    const worse = told.flatMap((line, week) => (line.includes('worse depth') ? [week] : []));
    expect(worse).toEqual([10, 19]);
    for (const line of told.slice(10)) expect(line).not.toMatch(/^improving/);
  });

  it('bars nothing any more where it has stopped', () => {
    const stopped = [...Array.from({ length: 11 }, (_, week) => 1 + 0.05 * week), ...Array<number>(8).fill(1.5)];
    const lines = tellEachPhoto(weekly('depthCm', ...stopped));
    expect(lines[10]).toMatch('worse depth 1 → 1.5');
    for (const line of lines.slice(15)) expect(line).toBe('improving');
  });
});

describe('no gain is told', () => {
  it('of what one of two nurses stated all along', () => {
    const week = (day: number): FormVisit[] => [
      [day, { depthCm: 4 }],
      [day + 0.02, { depthCm: 1 }],
    ];
    const weeks = [0, 7, 14, 21].flatMap(week);
    for (const visits of [[28], [28, 35], [28, 35, 42]])
      expect(tellCourse([...weeks, ...visits.map((day): FormVisit => [day, { depthCm: 1 }])])).not.toMatch(/better/);
    expect(tellCourse([...weeks, [28, { depthCm: 0.9 }]])).not.toMatch(/better/);
    expect(tellCourse([...weeks, [28, { depthCm: 1 }], [35, { depthCm: 0.9 }]])).not.toMatch(/better/);
  });

  it.each<[string, FormVisit[]]>([
    ['depth', weekly('depthCm', 4, 4, 4, 4, 2, 2.15, 2.3, 2.45)],
    ['pain', weekly('painNrs', 8, 8, 8, 8, 4, 5)],
  ])('of %s while it rises from visit to visit', (_, visits) => {
    const told = tellEachPhoto(visits);
    expect(told[4]).toMatch(/better/);
    for (const line of told.slice(5)) expect(line).not.toMatch(/better/);
  });

  it('of two figures that were mistyped', () => {
    const told = tellEachPhoto(weekly('depthCm', 1, 10, 1, 10, 1.2, 1.4, 1.6, 1.8, 2));
    for (const line of told.slice(4)) expect(line).not.toMatch(/better/);
    expect(told.at(-1)).toMatch('worse depth 1 → 2');
  });
});

describe('two nurses who differ, each a week', () => {
  it.each<[string, Form, Form]>([
    ['a depth', { depthCm: 1 }, { depthCm: 1.6 }],
    ['pain', { painNrs: 3 }, { painNrs: 7 }],
  ])('are no rise that is told for ever: %s', (_, good, bad) => {
    const told = tellEachPhoto(Array.from({ length: 20 }, (__, week) => [7 * week, week % 2 === 0 ? good : bad]));
    for (const line of told.slice(4)) expect(line).not.toMatch(/worse/);
    for (const line of told.slice(8)) expect(line).toBe('improving');
  });
});

describe('of several tunnels', () => {
  const tunnels = (...depths: readonly number[]): Form => ({
    tunnelling: depths.map((depthCm, index) => ({ clock: 3 * (index + 1), depthCm })),
  });
  const visits: FormVisit[] = [[0, tunnels(4, 1)], [7, tunnels(4, 1)], [14, tunnels(4, 4)]]; // prettier-ignore

  it('one that deepens beside one as deep is worse, and persists', () => {
    expect(tellCourse(visits)).toBe('mixed: worse tunnelling 1 → 4');
    expect(tellCourse([...visits, [21, tunnels(4, 4)]])).toBe('unchanged: persists tunnelling 1 → 4');
    expect(tellCourse([...visits, [21, null]])).toBe('unchanged: persists tunnelling 1 → null');
  });

  it('one that one of two nurses alone finds is not new again, nor gone', () => {
    const weeks = Array.from({ length: 12 }, (_, week): FormVisit => [7 * week, week % 2 === 0 ? tunnels(4, 1.5) : tunnels(4)]);
    for (const line of tellEachPhoto(weeks)) expect(line).not.toMatch(/tunnelling/);
  }); // prettier-ignore

  it('one that had deepened persists where a form does not name it, for four weeks', () => {
    for (const day of [21, 42]) expect(tellCourse([...visits, [day, tunnels(4)]])).toBe('unchanged: persists tunnelling 1 → null');
    expect(tellCourse([...visits, [43, tunnels(4)]])).not.toMatch('tunnelling');
  }); // prettier-ignore

  it('another one that is less deep is no gain of the deepest, which nobody named', () => {
    const named = (clock: number, depthCm: number): Form => ({ tunnelling: [{ clock, depthCm }] });
    const nurses = Array.from({ length: 8 }, (_, week): FormVisit => [7 * week, week % 2 === 0 ? named(12, 4) : named(6, 2)]);
    for (const line of tellEachPhoto(nurses)) expect(line).not.toMatch('better');
    expect(tellCourse([[0, named(12, 4)], [7, named(12, 4)], [14, named(1, 2)]])).toMatch('better tunnelling 4 → 2');
  }); // prettier-ignore

  it('of two nurses who each name another the one is no rise for ever, and each is worse that deepens', () => {
    const named = (week: number, other: number): Form =>
      week % 2 === 0 ? { tunnelling: [{ clock: 12, depthCm: 4 }] } : { tunnelling: [{ clock: 6, depthCm: other }] };
    const told = tellEachPhoto(Array.from({ length: 10 }, (_, week): FormVisit => [7 * week, named(week, 2)]));
    expect(told[1]).toBe('unchanged: persists tunnelling null → 2');
    for (const line of told.slice(5)) expect(line).toBe('improving');
    const deeper = [0, 1, 2, 3].map((week): FormVisit => [7 * week, named(week, week === 3 ? 3.2 : 2.4)]);
    expect(tellCourse(deeper)).toBe('mixed: worse tunnelling 2.4 → 3.2');
  }); // prettier-ignore

  it('a new one beside another is worse', () => {
    expect(tellCourse([[0, tunnels(4)], [7, tunnels(4)], [14, tunnels(4, 1.5)]])).toMatch('worse tunnelling null → 1.5'); // prettier-ignore
  });

  it('a second one that becomes less hides no gain of the deepest', () => {
    expect(tellCourse([[0, tunnels(4, 2)], [7, tunnels(4, 1.9)], [14, tunnels(3, 1)]])).toMatch(/better tunnelling 4 → 3/); // prettier-ignore
  });

  it('are no gain while a place that was deeper than the one named goes unnamed', () => {
    expect(tellCourse([[0, tunnels(3, 0, 2.8)], [7, tunnels(0.8)]])).not.toMatch('better'); // prettier-ignore
    expect(tellCourse([[0, tunnels(3, 0, 2.8)], [7, tunnels(0.8, 0, 0.7)]])).toMatch('better tunnelling 3 → 0.8'); // prettier-ignore
  });

  it('tell one that comes back after weeks in which nobody named it', () => {
    const named = (clock: number, depthCm: number): Form => ({ tunnelling: [{ clock, depthCm }] });
    const shallow = [14, 21, 28, 35].map((day): FormVisit => [day, named(9, 1)]);
    expect(tellCourse([[0, named(3, 3)], [7, named(3, 3)], ...shallow, [42, named(3, 3)]])).toMatch('worse tunnelling 1 → 3'); // prettier-ignore
  });
});
