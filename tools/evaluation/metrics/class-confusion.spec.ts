import { classConfusion, overlapOfClass, pooledConfusion } from './class-confusion.js';

describe('classConfusion', () => {
  const label = Uint8Array.from([0, 0, 1, 1, 2, 3]);
  const found = Uint8Array.from([0, 1, 1, 2, 2, 2]);

  it('counts labelled classes in rows and found ones in columns', () => {
    expect(classConfusion(label, found, 4).counts).toEqual([1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it('reads one class as if it alone had been labelled', () => {
    const confusion = classConfusion(label, found, 4);
    expect(overlapOfClass(confusion, 2)).toEqual({ labelledPx: 1, foundPx: 3, sharedPx: 1 });
    expect(overlapOfClass(confusion, 3)).toEqual({ labelledPx: 1, foundPx: 0, sharedPx: 0 });
  });

  it('adds pictures up, none to nothing', () => {
    const confusion = classConfusion(label, found, 4);
    expect(overlapOfClass(pooledConfusion([confusion, confusion], 4), 1)).toEqual({
      labelledPx: 4,
      foundPx: 4,
      sharedPx: 2,
    });
    expect(pooledConfusion([], 2).counts).toEqual([0, 0, 0, 0]);
  });
});
