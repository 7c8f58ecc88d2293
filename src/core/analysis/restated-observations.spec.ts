import { restated } from './restated-observations.js';

const BEFORE = {
  depthCm: 1,
  painNrs: 3,
  tunnelling: [{ clock: 6, depthCm: 2 }],
  statedAt: { depthCm: '2026-01-02', tunnelling: '2026-01-03' },
};

describe('what is stated anew', () => {
  it('is of the day of the photo where it is another value', () => {
    expect(restated({ depthCm: 2 }, BEFORE)).toEqual({ depthCm: 2 });
  });

  it('has no day where it is no longer stated', () => {
    expect(restated({ painNrs: 3 }, BEFORE)).toEqual({ painNrs: 3 });
    expect(restated({}, BEFORE)).toEqual({});
  });

  it('keeps the day on which it was stated where it is repeated unchanged', () => {
    const given = { depthCm: 1, painNrs: 5, tunnelling: [{ depthCm: 2, clock: 6 }] };
    expect(restated(given, BEFORE)).toEqual({ ...given, statedAt: BEFORE.statedAt });
  });

  it('is what was given where nothing had been stated before', () => {
    expect(restated({ depthCm: 1 }, null)).toEqual({ depthCm: 1 });
  });
});
