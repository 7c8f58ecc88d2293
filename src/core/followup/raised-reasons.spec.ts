import { photoWithForm, type Form } from '../../../test/support/drawn-forms.js';
import { photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { FormVisit } from '../../../test/support/told-course.js';
import { newlyRaised } from './raised-reasons.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';

const photosOf = (...visits: readonly FormVisit[]) => visits.map(([day, form]) => photoWithForm(day, form));

/** What each photo newly tells. */
function toldOf(all: readonly AssessmentInSeries[]): string[] {
  const { comparisons, flags } = followSeries(all);
  return all.map(({ reportId }) =>
    newlyRaised({ comparison: comparisons.get(reportId)!, flags: flags.get(reportId)! }).join(' '),
  );
}

/** What the version newly tells in which the last photo has the other form. */
function toldByVersion(before: FormVisit, last: Form, corrected: Form): readonly string[] {
  const [former, next] = [last, corrected].map((form) => {
    const all = photosOf(before, [7, form]);
    const { comparisons, flags } = followSeries(all);
    const { reportId, findings } = all[1]!;
    return { findings, comparison: comparisons.get(reportId)!, flags: flags.get(reportId)! };
  });
  return newlyRaised(next!, former!);
}

const serous: Form = { exudateType: 'serous' };
const pus: Form = { exudateType: 'purulent' };
const fever: Form = { infectionSignCodes: [{ sign: 'fever', status: 'present' }] };

describe('what a wound has to be looked at for', () => {
  it('is not told again by the other photos of the visit', () => {
    expect(toldOf(photosOf([0, serous], [7, pus], [7.02, null], [7.5, pus]))).toEqual([
      '',
      'worsening exudate_purulent',
      '',
      '',
    ]);
  });

  it('is not told again because nothing is better beside it any more', () => {
    const visits: readonly FormVisit[] = [[0, { ...serous, odour: 'strong' }], [7, { ...pus, odour: 'none' }], [7.02, null]]; // prettier-ignore
    expect(toldOf(photosOf(...visits))).toEqual(['', 'mixed exudate_purulent', '']);
  });

  it('is told by a later photo of the visit where that tells more', () => {
    expect(toldOf(photosOf([0, serous], [7, pus], [7.02, fever])).at(-1)).toContain('signs_spreading');
  });

  it('is told again within the visit where it is more, or has another sign', () => {
    expect(toldOf(photosOf([0, { depthCm: 1 }], [7, { depthCm: 2 }], [7.02, { depthCm: 6 }]))).toEqual([
      '',
      'worsening depth',
      'depth',
    ]);
    const bone: Form = { infectionSignCodes: [{ sign: 'fever', status: 'present' }, { sign: 'probes_to_bone', status: 'present' }] }; // prettier-ignore
    expect(toldOf(photosOf([0, serous], [7, fever], [7.02, bone])).at(-1)).not.toBe('');
  });

  it('is told again within the visit in other words', () => {
    const words = (...infectionSigns: string[]): Form => ({ infectionSigns });
    const all = photosOf([0, serous], [7, words('slightly red')], [7.02, words('red streaks, shivering')]);
    expect(toldOf(all).at(-1)).toContain('infection_signs_recorded');
    expect(toldOf([...all.slice(0, 2), photoWithForm(7.02, words('slightly red'))]).at(-1)).toBe('');
  });

  it('is told anew each day where every photo follows within a day of the one before', () => {
    const deeper = [1, 2, 3, 4, 5].map((depthCm, round): FormVisit => [0.99 * round, { depthCm }]);
    expect(
      toldOf(photosOf(...deeper))
        .slice(1)
        .every((told) => told !== ''),
    ).toBe(true);
  });

  it('is told by the right photo after one that waits', () => {
    const all = [photoWithForm(0, serous), photoWithForm(7, pus, { isReviewAsked: true }), photoWithForm(7.02, pus)];
    expect(toldOf(all).at(-1)).toBe('worsening exudate_purulent');
  });

  it('is told again at the next visit that finds it', () => {
    expect(toldOf(photosOf([0, serous], [7, pus], [14, serous], [21, pus])).at(-1)).toContain('exudate_purulent');
  });

  it('is told of each photo that waits, since a person has to decide about each', () => {
    const waiting = { isReviewAsked: true };
    const all = [photoWithForm(0, null), photoWithForm(7, null, waiting), photoWithForm(7.02, null, waiting)];
    expect(toldOf(all)).toEqual(['', 'sandbox', 'sandbox']);
  });
});

describe('a version that a person corrected', () => {
  it.each<[string, FormVisit, Form, Form, string]>([
    ['a greater depth', [0, { depthCm: 1 }], { depthCm: 2 }, { depthCm: 6 }, 'depth'],
    ['more exudate', [0, { exudate: 'none' }], { exudate: 'light' }, { exudate: 'heavy' }, 'exudate_amount'],
    ['a higher stage', [0, { stage: { system: 'texas', value: '1A' } }], { stage: { system: 'texas', value: '2A' } }, { stage: { system: 'texas', value: '1B' } }, 'stage'],
    ['another sign', [0, serous], fever, { infectionSignCodes: [{ sign: 'lymphangitis', status: 'present' }] }, 'signs_spreading'],
    ['other words', [0, serous], { infectionSigns: ['red'] }, { infectionSigns: ['red streaks'] }, 'infection_signs_recorded'],
    ['more necrosis', [0, { necrosis: 10 }], { necrosis: 40 }, { necrosis: 60 }, 'necrosis_rising necrosis'],
  ])('tells it again with %s', (_, before, last, corrected, told) => {
    expect(toldByVersion(before, last, corrected).join(' ')).toBe(told);
  }); // prettier-ignore

  it.each<[string, FormVisit, Form, Form]>([
    ['the same', [0, serous], pus, { ...pus, painNrs: 2 }],
    ['a lesser depth', [0, { depthCm: 1 }], { depthCm: 6 }, { depthCm: 2 }],
    ['less exudate, that is more than before', [0, { exudate: 'none' }], { exudate: 'heavy' }, { exudate: 'light' }],
    ['a lower stage, that is higher than before', [0, { stage: { system: 'pressure', value: '1' } }], { stage: { system: 'pressure', value: '4' } }, { stage: { system: 'pressure', value: '2' } }],
    ['the same words, written otherwise', [0, serous], { infectionSigns: ['Red, hot.'] }, { infectionSigns: ['red hot'] }],
  ])('tells nothing again with %s', (_, before, last, corrected) => {
    expect(toldByVersion(before, last, corrected)).toEqual([]);
  }); // prettier-ignore
});

describe('an area that is worse', () => {
  const versionsOf = (...areas: readonly number[]) =>
    areas.map((areaCm2) => {
      const last = photoWithForm(7, null);
      const findings = { ...drawFindings(squareOf(areaCm2)), areaRepeatabilityPct: 5 };
      const all = [photoOn(0, 6), { ...last, findings }];
      const { comparisons, flags } = followSeries(all);
      return { findings, comparison: comparisons.get(last.reportId)!, flags: flags.get(last.reportId)! };
    });

  it('is not told again where a person has drawn it a little larger, or smaller', () => {
    const [told, more, less] = versionsOf(12, 12.1, 9);
    expect(newlyRaised(told!)).toContain('area');
    expect(newlyRaised(more!, told)).toEqual([]);
    expect(newlyRaised(less!, told)).toEqual([]);
  });

  it('is told again where a person has drawn it larger by more than two photos differ by', () => {
    const [told, more] = versionsOf(12, 16);
    expect(newlyRaised(more!, told)).toEqual(['area']);
  });

  it('is told again by a photo of the visit that shows so much more', () => {
    const all = [photoOn(0, 6), photoOn(7, 9), photoOn(7.02, 9.2), photoOn(7.04, 13)];
    expect(toldOf(all).slice(1).map((line) => line.split(' ').includes('area'))).toEqual([true, false, true]);
  }); // prettier-ignore
});

describe('necrosis that rises', () => {
  it('is told by the share that it reached, and not again by a photo that is compared with a lower one', () => {
    const all = photosOf(
      [0, { necrosis: 0 }],
      [7, { necrosis: 30 }],
      [7.02, { necrosis: 5 }],
      [7.04, { necrosis: 28 }],
    );
    const { comparisons, flags } = followSeries(all);
    expect(flags.get(all[3]!.reportId)!.map(({ code }) => code)).toContain('necrosis_rising');
    expect(comparisons.get(all[3]!.reportId)!.raisedBefore).toContain('necrosis_rising');
  });
});

describe('necrosis that the software alone sees', () => {
  const bed = (day: number, share: number, by: 'rule' | 'stated' = 'rule') => {
    const photo = photoWithForm(day, { necrosis: 100 * share });
    const confirmedTissues = by === 'rule' ? [] : (['necrosis'] as const);
    return { ...photo, findings: { ...photo.findings, confirmedTissues } };
  };
  const isTold = (...all: readonly AssessmentInSeries[]) =>
    toldOf(all).map((told) => told.includes('unconfirmed_necrosis'));

  it('is told once, whatever little comes and goes, until a clinician has stated the share', () => {
    expect(isTold(bed(0, 0.3), bed(0.02, 0.3), bed(7, 0.25), bed(14, 0.4), bed(21, 0.44))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(isTold(bed(0, 0.3), bed(7, 0.1, 'stated'), bed(14, 0.4), bed(21, 0.4))).toEqual([true, false, true, false]);
  });

  it('is not told again because one photo of several shows a little less', () => {
    expect(isTold(bed(0, 0.4), bed(7, 0.3), bed(14, 0.5), bed(21, 0.31), bed(28, 0.52))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(isTold(bed(0, 0.4), bed(7, 0.3), bed(14, 0.28), bed(21, 0.51))).toEqual([true, false, false, true]);
  });

  it('is told again where it comes again after it went', () => {
    expect(isTold(bed(0, 0.3), bed(7, 0.05), bed(14, 0.3))).toEqual([true, false, true]);
    expect(isTold(bed(0, 0.3), bed(7, 0.11), bed(14, 0.49))).toEqual([true, false, true]);
    expect(isTold(bed(0, 0.8), bed(7, 0.3), bed(14, 0.3))).toEqual([true, false, false]);
  });

  it('is told again where it is 20 points more than was told, also within one visit', () => {
    expect(isTold(bed(0, 0.3), bed(0.02, 0.5), bed(7, 0.6), bed(14, 0.7))).toEqual([true, true, false, true]);
  });

  it('is not counted as told by a photo that may be of another wound', () => {
    expect(isTold({ ...bed(0, 0.3), isReviewAsked: true }, bed(7, 0.3))).toEqual([true, true]);
  });
});
