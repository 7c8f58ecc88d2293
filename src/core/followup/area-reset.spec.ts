import { dayOf, DIABETIC_FOOT, photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import type { ClinicalEventType, TimedEvent } from './clinical-event.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';
import type { Closure } from './wound-closure.js';

type Visit = readonly [day: number, areaCm2: number, stated?: ClinicianObservations | null];

const HOUR = 1 / 24;
const measured = (areaCm2: number) => ({ ...drawFindings(squareOf(areaCm2)), areaRepeatabilityPct: 9.8 });
const on = (day: number, type: ClinicalEventType = 'debridement'): TimedEvent => ({
  type,
  occurredAt: new Date(dayOf(0).getTime() + day * 86_400_000),
});
const photosOf = (visits: readonly Visit[]): AssessmentInSeries[] =>
  visits.map(([day, areaCm2, stated = null]) =>
    photoOn(day, areaCm2, { findings: measured(areaCm2), observations: stated, woundType: DIABETIC_FOOT }),
  );
const follow = (visits: readonly Visit[], events: readonly TimedEvent[], closures: readonly Closure[] = []) => {
  const photos = photosOf(visits);
  const { comparisons, flags } = followSeries(photos, closures, events);
  return photos.map(({ reportId }) => ({
    ...comparisons.get(reportId)!,
    verdict: comparisons.get(reportId)!.course!.verdict,
    because: comparisons.get(reportId)!.course!.because.map(({ direction, what }) => `${direction} ${what}`),
    flags: flags.get(reportId)!.map(({ code }) => code),
  }));
};
const verdicts = (visits: readonly Visit[], events: readonly TimedEvent[]) =>
  follow(visits, events).map(({ verdict }) => verdict);
const weekly = (areas: readonly number[], after = 0): Visit[] => areas.map((cm2, week) => [7 * week + after, cm2]);

describe('a treatment that changes the area', () => {
  it('excuses no growth of a wound that nobody treated, nor one that began more than a week after', () => {
    expect(verdicts([[0, 8], [7, 14]], [])).toEqual(['unknown', 'worsening']); // prettier-ignore
    expect(verdicts([[0, 8], [10, 14]], [on(1)]).at(-1)).toBe('worsening'); // prettier-ignore
    expect(verdicts([[0, 8], [7, 14]], [on(1, 'compression'), on(2, 'dressing_change')]).at(-1)).toBe('worsening'); // prettier-ignore
    expect(verdicts([[0, 8], [7, 14]], [on(8)]).at(-1)).toBe('worsening'); // prettier-ignore
  });

  it.each(['debridement', 'graft', 'surgery'] as const)(
    'after a %s is stated as that, and is no deterioration',
    (type) => {
      const [, after] = follow([[0, 8], [7, 12]], [on(6, type)]); // prettier-ignore
      expect(after).toMatchObject({
        verdict: 'unknown',
        because: [`reset area_after_${type}`],
        flags: [],
        trend: null,
        baseline: null,
        sincePrevious: { areaPct: 50, warnings: ['treated_between'] },
        reset: { type, occurredAt: on(6).occurredAt.toISOString(), change: { areaPct: 50 } },
      });
    },
  );

  it('does not excuse what is no area: pus and depth still count', () => {
    const stated = (depthCm: number, exudateType: 'serous' | 'purulent') => ({ depthCm, exudateType });
    const [, after] = follow([[0, 8, stated(0.5, 'serous')], [7, 12, stated(1.6, 'purulent')]], [on(6)]); // prettier-ignore
    expect(after).toMatchObject({
      verdict: 'worsening',
      because: ['worse depth', 'worse exudate_purulent', 'reset area_after_debridement'],
    });
  });

  it('excuses one growth: what grows from the new baseline on is worse', () => {
    const told = follow([[0, 8], [7, 12], [14, 13], [21, 17]], [on(6)]); // prettier-ignore
    expect(told.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown', 'unchanged', 'worsening']);
    expect(told[3]).toMatchObject({ baseline: { areaCm2: { value: 12 } }, reset: { change: null } });
  });

  it('hides no growth when it is done every week', () => {
    const debridements = Array.from({ length: 9 }, (_, week) => on(7 * week));
    const areas = Array.from({ length: 9 }, (_, week) => 8 * 1.1 ** week);
    const told = follow(weekly(areas, HOUR), debridements);
    expect(told[0]).toMatchObject({ verdict: 'unknown', because: [], reset: { change: null } });
    expect(told.slice(1, 3).map(({ verdict }) => verdict)).not.toContain('improving');
    expect(told.at(-1)).toMatchObject({ verdict: 'worsening', trend: 'larger' });
    expect(told.at(-1)!.because).toContain('reset area_after_debridement');
  });

  it('hides no growth where a photo is taken before and after each', () => {
    const visits = Array.from({ length: 8 }, (_, week): Visit[] => {
      const left = 8 * 1.12 ** week;
      return [[7 * week, left * 0.9], [7 * week + 2 * HOUR, left]]; // prettier-ignore
    }).flat();
    const told = follow(
      visits,
      Array.from({ length: 8 }, (_, week) => on(7 * week + HOUR)),
    );
    expect(told.at(-1)!.verdict).toBe('worsening');
    expect(told.some(({ verdict }) => verdict === 'improving')).toBe(false);
  });

  it('hides no growth behind grafts and operations in turn', () => {
    const types = ['debridement', 'surgery', 'graft'] as const;
    const events = Array.from({ length: 24 }, (_, week) => on(7 * week, types[week % 3]));
    const told = follow(weekly(Array.from({ length: 24 }, (_, week) => 5 * 1.05 ** week), HOUR), events); // prettier-ignore
    expect(told.slice(-6).map(({ verdict }) => verdict)).toContain('worsening');
  });

  it('lets a wound that heals under weekly debridement be called improving', () => {
    const debridements = Array.from({ length: 9 }, (_, week) => on(7 * week));
    const areas = Array.from({ length: 9 }, (_, week) => 10 * 0.85 ** week);
    expect(follow(weekly(areas, HOUR), debridements).at(-1)).toMatchObject({ verdict: 'improving', trend: 'smaller' });
  });

  it('does not compare what an operation left with what debridements before it left', () => {
    const told = follow([[0.1, 8], [7.1, 20], [14.1, 21]], [on(0), on(7, 'surgery'), on(14)]); // prettier-ignore
    expect(told.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('keeps both photos of a day between which it lies, and takes a repeat of the later one for the same visit', () => {
    const [, after, repeat] = follow([[7, 8], [7.1, 12], [7.2, 14.5]], [on(7.05)]); // prettier-ignore
    expect(after).toMatchObject({ previous: { areaCm2: { value: 8 } }, verdict: 'unknown' });
    expect(repeat).toMatchObject({ verdict: 'unchanged', trend: 'within_detectable_change', flags: [] });
  });

  it('counts a photo of the very moment as taken before', () => {
    const [, same, later] = follow([[0, 8], [7, 9], [8, 12]], [on(7)]); // prettier-ignore
    expect(same!.reset).toBeUndefined();
    expect(later).toMatchObject({ verdict: 'unknown', reset: { baselineReportId: expect.any(String) as string } });
  });

  it('has the milestones of a diabetic foot count from the new baseline', () => {
    const visits: Visit[] = [[0, 8], [14, 12], [28, 11], [42, 10]]; // prettier-ignore
    const missed = 'area_reduction_below_50_at_4_weeks';
    expect(follow(visits, [])[2]!.flags).toContain(missed);
    const treated = follow(visits, [on(13)]);
    expect(treated[2]!.flags).not.toContain(missed);
    expect(treated[3]!.flags).toContain(missed);
  });

  it('ends with the episode: a wound that was closed and comes back begins anew', () => {
    const closures = [{ closedAt: on(20).occurredAt.toISOString(), reopenedAt: null, reason: 'healed' as const }];
    const [, , back] = follow([[0, 8], [7, 12], [30, 3]], [on(6)], closures); // prettier-ignore
    expect(back).toMatchObject({ verdict: 'reopened' });
    expect(back!.reset).toBeUndefined();
  });
});

describe('repeats of one visit', () => {
  it('never grow within the day, however small one of them is', () => {
    const told = follow([[0, 10], [7, 9], [7.01, 6], [7.02, 9.5]], []); // prettier-ignore
    expect(told.at(-1)).toMatchObject({ trend: 'within_detectable_change', verdict: 'unchanged', flags: [] });
  });
});
