import { photoOn } from '../../../test/support/series-photos.js';
import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { perTissue } from '../tissue/tissues.js';
import { followSeries } from './verdict.js';

type Stated = ClinicianObservations | null;

/** A wound that heals by a fifth a week. */
const HEALING = [10, 8, 6.4, 5.1, 4.1, 3.3, 2.6];

/** `unchanged: persists exudate_purulent present → null` of the last visit, without what is said of the area and its better findings. */
function tell(stated: readonly Stated[], daysBetween = 7): string {
  const all = stated.map((observations, visit) => {
    const findings = { ...drawFindings(squareOf(HEALING[visit]!)), areaRepeatabilityPct: 9.8 };
    return photoOn(daysBetween * visit, HEALING[visit]!, { findings, observations });
  });
  const { verdict, because } = followSeries(all).comparisons.get(all.at(-1)!.reportId)!.course!;
  const told = because.filter(({ domain }) => domain !== 'area');
  return [
    verdict,
    ...told.map(({ direction, what, from, to }) => [direction, what, String(from), '→', String(to)].join(' ')),
  ].join(': ');
}

const PUS: Stated = { exudateType: 'purulent' };

describe('a wound that becomes smaller is not improving because the next photo said nothing of', () => {
  it.each<[string, readonly Stated[], RegExp]>([
    ['pus', [null, null, PUS, null], /persists exudate_purulent present → null/],
    ['pus, while the form was about something else', [null, null, PUS, { painNrs: 2 }], /persists exudate_purulent/],
    ['a strong odour', [null, null, { odour: 'strong' }, null], /persists odour_strong present → null/],
    [
      'warm skin that came up',
      [{ periwound: ['dry'] }, { periwound: ['warm'] }, null],
      /persists warmth absent → null/,
    ],
    [
      'exudate that had become more',
      [{ exudate: 'light' }, { exudate: 'heavy' }, null],
      /persists exudate_amount light → null/,
    ],
    [
      'a stage that had risen',
      [{ stage: { system: 'pressure', value: '2' } }, { stage: { system: 'pressure', value: '3' } }, null],
      /persists stage pressure_2 → null/,
    ],
    ['a depth that had grown', [{ depthCm: 1 }, { depthCm: 4.5 }, null], /persists depth 1 → null/],
    [
      'pain that had become more, while the form was about something else',
      [{ painNrs: 2 }, { painNrs: 8 }, { odour: 'none' }],
      /persists pain 2 → null/,
    ],
    [
      'a tunnel that was found',
      [null, null, { tunnelling: [{ clock: 6, depthCm: 7 }] }, null],
      /persists tunnelling null → null/,
    ],
    [
      'a clinician’s own words',
      [null, null, { infectionSigns: ['no fever, but pus'] }, null],
      /persists clinician_words 1 → null/,
    ],
    [
      'words, where nobody looked for signs this time',
      [null, null, { infectionSigns: ['pus'] }, { infectionSigns: ['not assessed'] }],
      /persists clinician_words/,
    ],
  ])('%s', (_, stated, told) => {
    const line = tell(stated);
    expect(line).toMatch(/^unchanged: /);
    expect(line).toMatch(told);
  });

  it('pus for four weeks, and no longer', () => {
    expect(tell([PUS, null, null], 14)).toMatch(/^unchanged: persists exudate_purulent/);
    expect(tell([PUS, null, null], 15)).toBe('improving');
  });
});

describe('a wound that becomes smaller is not improving where for the first time, and not on its first photo,', () => {
  const skin: Stated = { periwound: ['erythema', 'warm', 'induration'] };
  const tunnel: Stated = { tunnelling: [{ clock: 6, depthCm: 7 }] };

  it.each<[string, readonly Stated[], RegExp]>([
    ['red and warm skin is stated', [null, null, skin], /persists erythema null → present: persists warmth null/],
    ['… for some weeks', [null, null, skin, skin, skin], /persists warmth present → present/],
    ['a tunnel is stated', [null, null, tunnel], /persists tunnelling null → 7/],
  ])('%s', (_, stated, told) => {
    expect(tell(stated)).toMatch(/^unchanged: /);
    expect(tell(stated)).toMatch(told);
  });

  it('nobody probed a cavity that had grown, until somebody does or four weeks are over', () => {
    const probed = (depthCm: number): Stated => ({ depthCm });
    expect(tell([probed(1), probed(4.5), null, null])).toBe('unchanged: persists depth 1 → null');
    expect(tell([probed(4.5), probed(4.5), null])).toBe('improving');
    expect(tell([probed(1), probed(4.5), null], 15)).toMatch(/^unchanged/);
    expect(tell([probed(1), probed(4.5), null, null], 15)).toBe('improving');
  });

  it('a further tunnel is stated: that is new', () => {
    const two: Stated = { tunnelling: [...tunnel.tunnelling!, { clock: 11, depthCm: 3 }] };
    expect(tell([tunnel, tunnel, two])).toBe('mixed: worse tunnelling null → 3');
  });

  it('and red skin that was there from the first photo on bars nothing', () =>
    expect(tell([skin, skin, skin])).toBe('improving'));

  it('nor skin that a form stated half an hour after the first photo', () => {
    const all = [0, 0.02, 7, 14].map((day, visit) => {
      const cm2 = [10, 10, 8, 6.4][visit]!;
      const findings = { ...drawFindings(squareOf(cm2)), areaRepeatabilityPct: 9.8 };
      return photoOn(day, cm2, { findings, observations: visit === 0 ? null : skin });
    });
    expect(followSeries(all).comparisons.get(all.at(-1)!.reportId)!.course!.verdict).toBe('improving');
  });
});

describe('what two people state on one day', () => {
  const day = (first: Stated, second: Stated) => {
    const all = [0, 7, 7.02].map((at, visit) =>
      photoOn(at, [10, 6, 5.9][visit]!, {
        findings: { ...drawFindings(squareOf([10, 6, 5.9][visit]!)), areaRepeatabilityPct: 9.8 },
        observations: [{ exudate: 'light', exudateType: 'serous' } as const, first, second][visit]!,
      }),
    );
    const { verdict, because } = followSeries(all).comparisons.get(all.at(-1)!.reportId)!.course!;
    return `${verdict}: ${because.map(({ direction, what }) => `${direction} ${what}`).join(', ')}`;
  };

  it('is of one visit, and the worse counts', () => {
    expect(day(PUS, { exudateType: 'serous' })).toBe('mixed: worse exudate_purulent, better area');
    expect(day({ exudate: 'heavy' }, { exudate: 'light' })).toBe('mixed: worse exudate_amount, better area');
  });
});

describe('a second form of the day makes no wound better: what the first one said counts,', () => {
  const FEVER: Stated = { infectionSignCodes: [{ sign: 'fever', status: 'present' }] };
  const NO_FEVER: Stated = { infectionSignCodes: [{ sign: 'fever', status: 'absent' }] };
  const stage = (value: '2' | '3'): Stated => ({ stage: { system: 'pressure', value } });
  /** Healing for two weeks, and on the third visit two forms with half an hour between them. */
  const twice = (before: Stated, first: Stated, second: Stated, tissue: readonly number[] = []) => {
    const all = [0, 7, 14, 14.02].map((day, visit) => {
      const findings = { ...drawFindings(squareOf(HEALING[visit]!)), areaRepeatabilityPct: 9.8 };
      const necrosis = tissue[visit];
      const shares = { ...perTissue(() => 0), necrosis: necrosis ?? 0, granulation: 1 - (necrosis ?? 0) };
      return photoOn(day, HEALING[visit]!, {
        observations: [before, before, first, second][visit]!,
        findings:
          necrosis === undefined
            ? findings
            : {
                ...findings,
                tissue: { ...shares, method: perTissue(() => 'clinician' as const) },
                confirmedTissues: ['necrosis'],
              },
      });
    });
    const { verdict, because } = followSeries(all).comparisons.get(all.at(-1)!.reportId)!.course!;
    const told = because.filter(({ domain }) => domain !== 'area');
    return `${verdict}: ${told.map(({ direction, what }) => `${direction} ${what}`).join(', ')}`;
  };

  it.each<[string, string]>([
    ['of fever', twice(null, FEVER, NO_FEVER)],
    ['in words', twice(null, { infectionSigns: ['pus'] }, { infectionSigns: ['none'] })],
    ['of pus, denied in words', twice(null, PUS, { infectionSigns: ['none'] })],
    ['of a depth', twice({ depthCm: 1 }, { depthCm: 4.5 }, { depthCm: 1 })],
    ['of pain', twice({ painNrs: 2 }, { painNrs: 9 }, { painNrs: 2 })],
    ['of a stage', twice(stage('2'), stage('3'), stage('2'))],
    ['of dead tissue', twice(null, null, null, [0, 0, 0.4, 0])],
  ])('%s', (_, told) => expect(told).toMatch(/^(?:mixed: worse|unchanged: persists) \w+/));

  it('and a shorter list of findings is no gain', () => {
    const list = (...periwound: ('dry' | 'macerated' | 'callus')[]): Stated => ({ periwound });
    expect(twice(list('dry', 'callus'), list('dry', 'callus'), list('dry'))).toBe('improving: ');
    expect(twice(list('dry', 'callus'), list('dry'), list())).toBe('improving: better periwound_findings');
  });

  it('a lower figure of the day is no gain either', () =>
    expect(twice({ depthCm: 3 }, { depthCm: 3 }, { depthCm: 0.5 })).toBe('improving: '));
});

describe('what came up since the statement before is worse, though less than a day lies between:', () => {
  const SEROUS: Stated = { exudateType: 'serous' };
  const at = (...visits: readonly (readonly [day: number, stated: Stated])[]) => {
    const all = visits.map(([day, observations]) => photoOn(day, 5, { observations }));
    const { because } = followSeries(all).comparisons.get(all.at(-1)!.reportId)!.course!;
    return because.map(({ direction, what, from, to }) => `${direction} ${what} ${from} → ${to}`).join(', ');
  };

  it('pus after 23 hours, that is there still the day after', () => {
    expect(at([0, SEROUS], [0.98, PUS])).toBe('worse exudate_purulent absent → present');
    expect(at([0, SEROUS], [0.98, PUS], [1.99, PUS])).toBe('persists exudate_purulent absent → present');
    expect(at([0, PUS], [7, SEROUS], [7.98, PUS])).toBe('worse exudate_purulent absent → present');
  });

  it('exudate that becomes more, of several forms the worst', () => {
    expect(at([0, { exudate: 'light' }], [0.5, { exudate: 'heavy' }])).toMatch(/worse exudate_amount light → heavy/);
    expect(at([0, { exudate: 'light' }], [0.2, { exudate: 'moderate' }], [0.3, { exudate: 'light' }])).toBe(
      'worse exudate_amount light → moderate',
    );
  });

  it('what became less waits for another day', () => {
    expect(at([0, PUS], [0.98, SEROUS])).toBe('persists exudate_purulent null → present');
    expect(at([0, PUS], [1, SEROUS])).toBe('better exudate_purulent present → absent');
  });
});

describe('a sign no longer counts', () => {
  it.each<[string, readonly Stated[]]>([
    ['once the exudate is stated to be of another kind', [PUS, null, { exudateType: 'serous' }, null]],
    ['once there is stated to be no exudate', [PUS, null, { exudate: 'none' }, null]],
    ['once "none" is written of the signs of infection', [PUS, null, { infectionSigns: ['none'] }, null]],
    ['once words are answered by none', [{ infectionSigns: ['pus'] }, null, { infectionSigns: ['keine'] }, null]],
    [
      'once a coded sign is answered by none',
      [{ infectionSignCodes: [{ sign: 'fever', status: 'present' }] }, { infectionSigns: ['aucun'] }, null],
    ],
  ])('%s', (_, stated) => {
    expect(tell(stated)).toBe('improving');
  });

  it('by an empty line, which says nothing: it counts on', () => {
    expect(tell([null, PUS, { infectionSigns: ['  '] }])).toMatch(/^unchanged: persists exudate_purulent/);
  });

  it('as a gain of its own, where "none" denies an infection and nobody spoke of the skin', () => {
    expect(tell([{ periwound: ['dry'] }, { periwound: ['warm'] }, { infectionSigns: ['none'] }])).toBe('improving');
  });
});

it('pus that is stated anew after a visit without a word worsens nothing again', () => {
  expect(tell([{ exudateType: 'serous' }, PUS, null, PUS])).toMatch(/^unchanged: persists exudate_purulent/);
});

it('pus that comes back after none is worse', () => {
  expect(tell([PUS, { infectionSigns: ['none'] }, { exudate: 'none' }, PUS])).toMatch(/^mixed: worse exudate_purulent/);
});
