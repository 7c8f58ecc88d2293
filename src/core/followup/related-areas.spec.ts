import { photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { perTissue } from '../tissue/tissues.js';
import { drawnOf, type RelatedWound, type SeriesRelation } from './related-areas.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';

/** Areas in cm² of weekly visits from this week on. */
const photos = (
  woundRef: string,
  fromWeek: number,
  areas: readonly number[],
  given: Partial<AssessmentInSeries> = {},
) =>
  areas.map((areaCm2, visit) => {
    const findings = { ...drawFindings(squareOf(areaCm2)), areaRepeatabilityPct: 9.8 };
    const photo = photoOn(7 * (fromWeek + visit), areaCm2, { findings, ...given });
    const id = `${woundRef}-${photo.reportId}`;
    return { ...photo, reportId: id, imageId: id, stated: { ...photo.stated, woundRef } };
  });
const weekOf = (week: number) => photoOn(7 * week, 1).capturedAt;
const OWN: RelatedWound = { woundRef: 'A', assessments: null, areas: [] };
const other = (woundRef: string, assessments: readonly AssessmentInSeries[]): RelatedWound => ({
  woundRef,
  assessments,
  areas: assessments,
});
const joined = (week: number, ...before: readonly RelatedWound[]): SeriesRelation => ({
  kind: 'joined',
  at: weekOf(week),
  before,
  beside: [],
});
const split = (week: number, before: RelatedWound, ...beside: readonly RelatedWound[]): SeriesRelation => ({
  kind: 'split',
  at: weekOf(week),
  before: [before],
  beside,
});
const lastOf = (own: readonly AssessmentInSeries[], relations: readonly SeriesRelation[]) => {
  const { comparisons, flags } = followSeries(own, [], [], relations);
  const { reportId } = own.at(-1)!;
  return { ...comparisons.get(reportId)!, flags: flags.get(reportId)!.map(({ code }) => code) };
};

/** 4, 4.2, 4.4 and beside it 3, 3.1, 3.2: then one wound. */
const A = photos('A', 0, [4, 4.2, 4.4]);
const B = photos('B', 0, [3, 3.1, 3.2]);

describe('two wounds that have grown together', () => {
  it('are not worsening because one of them is now as large as both', () => {
    const alone = lastOf([...A, ...photos('A', 3, [8.2])], []);
    expect(alone.course!.verdict).toBe('worsening');
    const { course, flags, baseline, previous, sinceBaseline, relation } = lastOf(
      [...A, ...photos('A', 3, [8.2])],
      [joined(3, OWN, other('B', B))],
    );
    expect([course!.verdict, flags]).toEqual(['unchanged', ['stalled_14_days']]);
    expect([baseline!.areaCm2.value, previous!.areaCm2.value, sinceBaseline!.areaPct]).toEqual([7, 7.6, 17.1]);
    expect(previous!.sumOf).toEqual([
      { woundRef: 'A', reportId: A[2]!.reportId, areaCm2: 4.4 },
      { woundRef: 'B', reportId: B[2]!.reportId, areaCm2: 3.2 },
    ]);
    expect(relation).toMatchObject({ kind: 'joined', wounds: ['A', 'B'], areaCm2: 8.2, change: { areaPct: 7.9 } });
    expect(relation!.before!.map(({ areaCm2, sumOf }) => [areaCm2.value, sumOf!.length])).toEqual([
      [7, 2],
      [7.3, 2],
      [7.6, 2],
    ]);
    expect(course!.because.slice(1)).toMatchObject([
      { what: 'area_after_joining', direction: 'reset', from: 7.6, to: 8.2 },
    ]);
  });

  it('are worsening where they have grown by more than their sum', () => {
    const { course } = lastOf([...A, ...photos('A', 3, [12])], [joined(3, OWN, other('B', B))]);
    expect(course).toMatchObject({ verdict: 'worsening', because: [{ what: 'area', from: 7.6, to: 12 }, {}] });
  });

  it('are improving where the sum falls all along', () => {
    const [one, two] = [photos('A', 0, [5, 4, 3.2]), photos('B', 0, [4, 3.2, 2.6])];
    const { course } = lastOf([...one, ...photos('A', 3, [4.6])], [joined(3, OWN, other('B', two))]);
    expect(course!.verdict).toBe('improving');
  });

  it('are one new wound, compared with what both were, under a number of its own', () => {
    const { baseline, course, previousAssessment } = lastOf(photos('C', 3, [8.2]), [
      joined(3, other('A', A), other('B', B)),
    ]);
    expect([baseline!.areaCm2.value, course!.verdict, previousAssessment]).toEqual([7, 'unchanged', null]);
  });

  it('wait for nobody, though the one number is four times as large at once', () => {
    const small = photos('A', 0, [1, 1, 1]);
    const large = photos('B', 0, [6, 6, 6]);
    const now = [...small, ...photos('A', 3, [7.2])];
    expect(lastOf(now, []).attention).toEqual(['area_jump']);
    expect(lastOf(now, [joined(3, OWN, other('B', large))]).attention).toEqual([]);
  });

  it('are not judged where one has no area of about that time, or one that is not comparable', () => {
    const now = [...A, ...photos('A', 3, [8.2])];
    expect(lastOf(now, [joined(3, OWN, other('B', []))])).toMatchObject({
      previous: null,
      course: { verdict: 'unknown' },
      relation: { change: null },
    });
    const [poor] = photos('B', 2, [3]);
    const unsure = {
      ...poor!,
      findings: { ...poor!.findings, quality: { ...poor!.findings.quality, acceptable: false } },
    };
    expect(lastOf(now, [joined(3, OWN, other('B', [unsure]))]).course!.verdict).toBe('unknown');
  });

  it('keep the pus of the one that ended, until somebody says that it is gone', () => {
    const withPus = photos('B', 0, [4, 3.2, 2.6], { observations: { exudateType: 'purulent' } });
    const healing = photos('A', 0, [5, 4, 3.2]);
    const tell = (observations: ClinicianObservations | null) =>
      lastOf([...healing, ...photos('A', 3, [4.6], { observations })], [joined(3, OWN, other('B', withPus))]).course!;
    expect(tell(null).verdict).toBe('unchanged');
    expect(tell(null).because.map(({ what, direction }) => `${direction} ${what}`)).toContain(
      'persists exudate_purulent',
    );
    expect(tell({ exudateType: 'serous' }).verdict).toBe('improving');
  });

  it.each<[string, ClinicianObservations, ClinicianObservations]>([
    ['erythema', { periwound: ['intact'] }, { periwound: ['erythema'] }],
    ['pus', { exudateType: 'serous' }, { exudateType: 'purulent' }],
    ['more exudate', { exudate: 'light' }, { exudate: 'heavy' }],
    ['a strong odour', { odour: 'none' }, { odour: 'strong' }],
    ['a higher stage', { stage: { system: 'pressure', value: '2' } }, { stage: { system: 'pressure', value: '3' } }],
    ['words of infection', { infectionSigns: ['none'] }, { infectionSigns: ['pus'] }],
    ['a deeper bed', { depthCm: 0.4 }, { depthCm: 1.4 }],
    ['a tunnel', { exudate: 'light' }, { exudate: 'light', tunnelling: [{ clock: 3, depthCm: 2 }] }],
  ])('are not improving under a new number with %s that none of them had', (_, then, observations) => {
    const parts = [
      photos('A', 0, [5, 4, 3.2], { observations: then }),
      photos('B', 0, [4, 3.2, 2.6], { observations: then }),
    ] as const;
    const relation = joined(3, other('A', parts[0]), other('B', parts[1]));
    const without = lastOf(photos('C', 3, [4.6], { observations: then }), [relation]).course!;
    const { course } = lastOf(photos('C', 3, [4.6], { observations }), [relation]);
    expect([without.verdict, course!.verdict]).toEqual(['improving', 'mixed']);
  });

  it('are not improving with a sign that one of them did not have, nor is it called new', () => {
    const red = photos('A', 0, [5, 4, 3.2], { observations: { periwound: ['erythema'] } });
    const sound = photos('B', 0, [4, 3.2, 2.6], { observations: { periwound: ['intact'] } });
    const now = photos('C', 3, [4.6, 4], { observations: { periwound: ['erythema'] } });
    for (const seen of [now.slice(0, 1), now]) {
      const { course } = lastOf(seen, [joined(3, other('A', red), other('B', sound))]);
      expect(course!.verdict).toBe('unchanged');
      expect(course!.because).toContainEqual(expect.objectContaining({ what: 'erythema', direction: 'persists' }));
    }
  });

  it('are not improving while nobody has probed anew a part that had become deeper', () => {
    const probed = (depthCm: number) => ({ observations: { depthCm } });
    const b = [...photos('B', 0, [3], probed(0.5)), ...photos('B', 1, [2.9], probed(2)), ...photos('B', 2, [2.8])];
    const a = photos('A', 0, [4, 3.9, 3.8]);
    const told = (later: Partial<AssessmentInSeries>) => {
      const own = [...a, ...photos('A', 3, [5]), ...photos('A', 4, [3.2], later)];
      const { verdict, because } = lastOf(own, [joined(3, OWN, other('B', b))]).course!;
      return [verdict, because.find(({ domain }) => domain === 'depth')?.direction];
    };
    expect(told({})).toEqual(['unchanged', 'persists']);
    expect(told({ observations: { depthCm: 0.5 } })[0]).toBe('improving');
  });

  it('are no deeper than the deepest of them was', () => {
    const deep = photos('A', 0, [5, 4, 3.2], { observations: { depthCm: 2 } });
    const flat = photos('B', 0, [4, 3.2, 2.6], { observations: { depthCm: 0.3 } });
    const now = photos('C', 3, [4.6], { observations: { depthCm: 2 } });
    expect(lastOf(now, [joined(3, other('A', deep), other('B', flat))]).course!.verdict).toBe('improving');
  });

  it('keep the sign of one that ended, though they grew together with a third one since', () => {
    const red = [
      ...photos('B', 0, [4, 3.2], { observations: { periwound: ['intact'] } }),
      ...photos('B', 2, [2.6], { observations: { periwound: ['erythema'] } }),
    ];
    const own = photos('A', 0, [5, 4, 3.2, 5, 4, 4.2]);
    const third = other('D', photos('D', 0, [2, 1.8, 1.6, 1.4, 1.2]));
    const tell = (second: readonly AssessmentInSeries[]) =>
      lastOf(own, [joined(3, OWN, other('B', second)), joined(5, OWN, third)]).course!;
    expect(tell(photos('B', 0, [4, 3.2, 2.6])).verdict).toBe('improving');
    expect(tell(red).verdict).toBe('unchanged');
    expect(tell(red).because).toContainEqual(
      expect.objectContaining({ what: 'erythema', direction: 'persists', to: null }),
    );
  });

  it('do not get a sign back that was stated to be gone since', () => {
    const red = [
      ...photos('A', 0, [5, 4], { observations: { periwound: ['intact'] } }),
      ...photos('A', 2, [3.2], { observations: { periwound: ['erythema'] } }),
    ];
    const relation = joined(3, other('A', red), other('B', photos('B', 0, [4, 3.2, 2.6])));
    const gone = photos('C', 3, [4.6], { observations: { periwound: ['intact'] } });
    const tell = (before: readonly AssessmentInSeries[]) =>
      lastOf([...before, ...photos('C', 4, [4])], [relation]).course!;
    expect(tell(photos('C', 3, [4.6])).because.map(({ what }) => what)).toContain('erythema');
    expect(tell(gone).because.map(({ what }) => what)).not.toContain('erythema');
  });

  it('count the milestone of four weeks from their first sum', () => {
    const foot = { woundType: { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.621' } };
    const { flags } = lastOf(
      [...photos('A', 0, [4, 4, 4], foot), ...photos('A', 3, [7, 7], foot)],
      [joined(3, OWN, other('B', photos('B', 0, [4, 4, 4])))],
    );
    expect(flags).toContain('area_reduction_below_50_at_4_weeks');
  });

  it('are as they were before that, for every earlier photo', () => {
    const own = [...A, ...photos('A', 3, [8.2])];
    const [with_, without] = [followSeries(own, [], [], [joined(3, OWN, other('B', B))]), followSeries(own)];
    for (const { reportId } of A) expect(with_.comparisons.get(reportId)).toEqual(without.comparisons.get(reportId));
  });
});

describe('a wound that has fallen into two', () => {
  const W = photos('A', 0, [10, 9, 8]);
  const now = photos('A', 3, [4]);

  it('is not improving because one part is smaller than the whole was', () => {
    expect(lastOf([...W, ...now], []).course!.verdict).toBe('improving');
    const { course, trend, relation, baseline } = lastOf(
      [...W, ...now],
      [split(3, OWN, other('Q', photos('Q', 3, [3.6])))],
    );
    expect([course!.verdict, trend, baseline]).toEqual(['unknown', null, null]);
    expect(course!.because).toMatchObject([{ what: 'area_after_split', direction: 'reset', from: 8, to: 7.6 }]);
    expect(relation).toMatchObject({ kind: 'split', wounds: ['A'], areaCm2: 7.6, change: { areaPct: -5 } });
    expect([relation!.before, relation!.together!.areaCm2.value]).toEqual([undefined, 7.6]);
  });

  it('is worsening where its parts together have grown, which neither shows by itself', () => {
    const { course } = lastOf([...W, ...photos('A', 3, [7])], [split(3, OWN, other('Q', photos('Q', 3, [6])))]);
    expect(course).toMatchObject({
      verdict: 'worsening',
      because: [{ what: 'area_after_split', direction: 'worse', from: 8, to: 13 }],
    });
  });

  it('is not judged while the other part has not been seen', () => {
    const { course, relation } = lastOf([...W, ...now], [split(3, OWN, other('Q', []))]);
    expect([course!.verdict, course!.because, relation!.change]).toEqual(['unknown', [], null]);
  });

  it('has parts of which a tunnel or dead tissue may be new, where nobody had stated any of the whole', () => {
    const relations = [split(3, other('A', W), other('Q', photos('Q', 3, [3.6])))];
    const tunnel = photos('P', 3, [4], { observations: { tunnelling: [{ clock: 6, depthCm: 7 }] } });
    expect(lastOf(tunnel, relations).course!.because).toContainEqual(
      expect.objectContaining({ what: 'tunnelling', direction: 'persists', to: 7 }),
    );
    const findings = { ...drawFindings(squareOf(4)), areaRepeatabilityPct: 9.8 };
    const shares = {
      ...perTissue(() => 0),
      necrosis: 0.4,
      granulation: 0.6,
      method: perTissue(() => 'clinician' as const),
    };
    const dead = photos('P', 3, [4], { findings: { ...findings, tissue: shares, confirmedTissues: ['necrosis'] } });
    expect(lastOf(dead, relations).course!.because).toContainEqual(
      expect.objectContaining({ what: 'necrosis', direction: 'persists', to: 40 }),
    );
  });

  it('has its parts judged each by itself from then on', () => {
    const part = photos('P', 3, [4, 3.2, 2.5, 2]);
    const { course, relation, baseline } = lastOf(part, [split(3, other('A', W), other('Q', photos('Q', 3, [3.6])))]);
    expect([course!.verdict, baseline!.areaCm2.value, relation!.change]).toEqual(['improving', 4, null]);
  });
});

it('draws the newest areas of what was before, and the first of all, which is the baseline', () => {
  const drawn = (visits: number) =>
    drawnOf(
      photos(
        'A',
        0,
        Array.from({ length: visits }, (_, visit) => visit + 1),
      ),
    ).before!.map(({ capturedAt }) => capturedAt.slice(0, 10));
  expect([drawn(52).length, drawn(60).length]).toEqual([52, 52]);
  expect([drawn(60)[0], drawn(60)[1], drawn(60).at(-1)]).toEqual(
    [0, 9, 59].map((week) => weekOf(week).toISOString().slice(0, 10)),
  );
});
