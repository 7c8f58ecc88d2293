import { photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { AssessmentFindings } from './assessment.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';
import type { Closure } from './wound-closure.js';

/** Share of necrosis by the colour rule; 'stated': by a clinician. */
function bed(share: number, by: 'rule' | 'stated' = 'rule', wish: Partial<AssessmentFindings> = {}) {
  const method = by === 'rule' ? 'cielab_rule' : 'clinician';
  const findings = drawFindings(squareOf(9));
  return {
    ...findings,
    tissue: {
      granulation: 1 - share,
      slough: 0,
      necrosis: share,
      other: 0,
      method: { granulation: 'model', slough: 'model', necrosis: method, other: 'remainder' },
    },
    confirmedTissues: by === 'stated' ? ['necrosis'] : [],
    ...wish,
  } as AssessmentFindings;
}

const followed = (
  beds: readonly AssessmentFindings[],
  edit: (one: AssessmentInSeries, at: number) => object = () => ({}),
) =>
  beds.map((findings, at) => {
    const photo = photoOn(7 * at, 9, { findings });
    return { ...photo, ...edit(photo, at) };
  });

/** `from → to` of each visit, or null. */
function looks(all: readonly AssessmentInSeries[], closures: readonly Closure[] = []) {
  const { comparisons } = followSeries(all, closures);
  return all.map(({ reportId }) => {
    const look = comparisons.get(reportId)!.unconfirmedNecrosis;
    return look === undefined ? null : `${look.fromPct ?? 'none'} → ${look.toPct}`;
  });
}

const poor = { quality: { ...drawFindings(squareOf(9)).quality, acceptable: false } };
const dark = { quality: { ...drawFindings(squareOf(9)).quality, warnings: ['under_exposed'] } } as const;

describe('necrosis that the software alone sees', () => {
  it('is no point to look at where it is little, hardly more, in a photo whose colours nobody can trust, or stated by a clinician', () => {
    expect(looks(followed([bed(0.1), bed(0.24), bed(0.05)]))).toEqual([null, null, null]);
    expect(looks(followed([bed(0.6, 'rule', poor), bed(0.6, 'rule', dark)]))).toEqual([null, null]);
    expect(looks(followed([bed(0.6, 'stated'), bed(0.62)]))).toEqual([null, null]);
  });

  it('is one where it rises by 20 points since the last photo whose tissue can be trusted, whoever stated that', () => {
    expect(looks(followed([bed(0), bed(0.488)]))).toEqual([null, '0 → 48.8']);
    expect(looks(followed([bed(0), bed(0.9, 'rule', poor), bed(0.2)]))).toEqual([null, null, '0 → 20']);
    expect(looks(followed([bed(0.1, 'stated'), bed(0.4)]))).toEqual([null, '10 → 40']);
  });

  it('is one where it creeps, by less than that each week, over what was stated or least', () => {
    const weeks = followed([bed(0.05, 'stated'), bed(0.2), bed(0.35), bed(0.5)]);
    expect(looks(weeks)).toEqual([null, null, '5 → 35', '5 → 50']);
    expect(looks(followed([bed(0.02), bed(0.12), bed(0.23)]))).toEqual([null, null, '2 → 23']);
  });

  it('is one in an outline that the model doubts once a person has reviewed it', () => {
    const familiarity = { score: 0.3, expectedDice: { value: 0.4, lower: 0, upper: 0.8 }, outlineReliable: false };
    const doubted = [bed(0.7, 'rule', { familiarity })];
    expect(looks(followed(doubted))).toEqual([null]);
    expect(looks(followed(doubted, () => ({ reviewed: true })))).toEqual(['none → 70']);
  });

  it('is one at the first photo where it is a quarter of the bed, and again until a clinician has stated the share', () => {
    const all = followed([bed(0.5), bed(0.5), bed(0.5, 'stated'), bed(0.5)]);
    expect(looks(all)).toEqual(['none → 50', 'none → 50', null, null]);
  });

  it('is not compared across a closing, nor with a photo that may be of another wound', () => {
    const closed = { closedAt: '2020-01-01T00:00:00.000Z', reopenedAt: null, reason: 'healed' } as const;
    const all = followed([bed(0.3, 'stated'), bed(0.3)]);
    const between = new Date((all[0]!.capturedAt.getTime() + all[1]!.capturedAt.getTime()) / 2).toISOString();
    expect(looks(all, [{ ...closed, closedAt: between }])).toEqual([null, 'none → 30']);
    const asked = followed([bed(0), bed(0.6), bed(0.1)], (_, at) => (at === 1 ? { isReviewAsked: true } : {}));
    expect(looks(asked)).toEqual([null, 'none → 60', null]);
  });

  it('changes no verdict and raises no flag', () => {
    const told = (share: number) => {
      const all = followed([bed(0), bed(share)]);
      const { comparisons, flags } = followSeries(all);
      const last = all[1]!.reportId;
      return [comparisons.get(last)!.course, flags.get(last)];
    };
    expect(told(0.9)).toEqual(told(0));
  });
});
