import { ClinicalTimeline, REAL_TIME } from './clinical-timeline.js';

const DAY_MS = 86_400_000;
const day = (number: number): Date => new Date(Date.UTC(2026, 0, 1) + number * DAY_MS);

/** Set ahead by 28 days on day 10, and by 10 more on day 20. */
const MOVED = new ClinicalTimeline([
  { at: day(10), aheadMs: 28 * DAY_MS },
  { at: day(20), aheadMs: 38 * DAY_MS },
]);

describe('clinical time', () => {
  it('is real time where the clock was never moved', () => {
    expect(REAL_TIME.aheadMs).toBe(0);
    expect(REAL_TIME.at(day(3))).toEqual(day(3));
    expect(REAL_TIME.realOf(day(3))).toEqual(day(3));
  });

  it.each([
    ['before the first move', 9, 9],
    ['at the moment of a move', 10, 38],
    ['between two moves', 15, 43],
    ['after the last', 30, 68],
  ])('goes at the pace of real time, %s', (_, real, clinical) => {
    expect(MOVED.at(day(real))).toEqual(day(clinical));
    expect(MOVED.realOf(day(clinical))).toEqual(day(real));
  });

  it.each([
    ['just before the first move', 10 - 1 / 24, 10 - 1 / 24],
    ['passed over by the first move', 25, 10],
    ['passed over by the second', 50, 20],
  ])('was at a real moment: one that was %s', (_, clinical, real) => {
    expect(MOVED.realOf(day(clinical))).toEqual(day(real));
  });

  it('leaves what happened since a clinical moment, and nothing older, behind its real one', () => {
    const wrong: (readonly [clinical: number, real: number])[] = [];
    for (let clinical = 0; clinical < 80; clinical += 0.25)
      for (let real = 0; real < 40; real += 0.5)
        if (day(real) < MOVED.realOf(day(clinical)) !== MOVED.at(day(real)) < day(clinical))
          wrong.push([clinical, real]);
    expect(wrong).toEqual([]);
  });
});
