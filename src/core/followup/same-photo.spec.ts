import { usesBeside, type PhotoFiling } from './same-photo.js';

const FIRST: PhotoFiling = {
  reportId: '001',
  imageId: 'photo-1',
  capturedAt: new Date('2026-05-01T08:00:00Z'),
  patientId: 'patient-a',
  rootId: 'wound-1',
  isNumbered: true,
  site: null,
  laterality: null,
  isPlaced: false,
  outline: 'large',
};
const again = (changes: Partial<PhotoFiling>): PhotoFiling => ({
  ...FIRST,
  reportId: '002',
  imageId: 'photo-2',
  ...changes,
});
/** What the first and the second filing are told of each other. */
const told = (changes: Partial<PhotoFiling>, first: PhotoFiling = FIRST) => {
  const second = again(changes);
  return [usesBeside(first, [first, second]), usesBeside(second, [first, second])].map((uses) =>
    uses.map(({ use }) => use),
  );
};
const NEXT_WEEK = { capturedAt: new Date('2026-05-08T08:00:00Z') };

describe('the same photo filed again', () => {
  it('for another patient contradicts both: either may be the wrong person', () => {
    expect(told({ patientId: 'patient-b', rootId: 'wound-9' })).toEqual([['other_patient'], ['other_patient']]);
  });

  it('for another time of the wound contradicts what was filed later, and leaves the first visit alone', () => {
    expect(told(NEXT_WEEK)).toEqual([[], ['other_time']]);
  });

  it('for another time of another wound contradicts both', () => {
    expect(told({ ...NEXT_WEEK, rootId: 'wound-2' })).toEqual([['other_time'], ['other_time']]);
  });

  it('as a copy that was saved anew, of the same wound and moment, contradicts what was filed later', () => {
    expect(told({})).toEqual([[], ['other_time']]);
  });

  it('as another analysis of the photo itself contradicts nothing', () => {
    expect(told({ imageId: 'photo-1' })).toEqual([[], []]);
  });

  it('for two wounds of one moment contradicts both, unless each is said where it lies', () => {
    const both = { rootId: 'wound-2' };
    expect(told(both)).toEqual([['other_wound'], ['other_wound']]);
    const placed = { ...FIRST, isPlaced: true };
    expect(told({ ...both, isPlaced: true, outline: 'small' }, placed)).toEqual([[], []]);
    expect(told({ ...both, isPlaced: true, outline: 'small' })).toEqual([['other_wound'], []]);
    expect(told({ ...both, isPlaced: true }, placed)).toEqual([['other_wound'], ['other_wound']]);
  });

  it('without a patient or a number of the wound contradicts nothing that it does not name', () => {
    expect(told({ patientId: null, rootId: 'wound-2' })).toEqual([[], []]);
    expect(told({ imageId: 'photo-1', rootId: 'wound-2', isNumbered: false })).toEqual([[], []]);
    expect(
      told({ rootId: 'wound-2', isNumbered: false, laterality: 'left' }, { ...FIRST, laterality: 'right' }),
    ).toEqual([['other_wound'], ['other_wound']]);
  });

  it('a thousand times is told by the first of each kind', () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      again({ ...NEXT_WEEK, reportId: String(at + 3).padStart(3, '0') }),
    );
    expect(usesBeside(again({ ...NEXT_WEEK, reportId: '999' }), [FIRST, ...many])).toEqual([
      { use: 'other_time', reportId: '001' },
    ]);
  });
});
