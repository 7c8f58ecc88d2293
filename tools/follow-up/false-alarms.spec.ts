import { roundsOf } from '../../test/support/rounds.js';
import { INFECTION_SIGNS, type StatedSign } from '../../src/core/analysis/infection-sign-codes.js';
import { followSeries } from '../../src/core/followup/verdict.js';
import { WORSE_VERDICTS } from '../../src/core/followup/course.js';
import { followWounds } from './how-often-wrong.js';

/** As the shipped model's manifest and docs/calibration-card.md have it. */
const SHIPPED = { areaRepeatabilityPct: 9.8, scaleUncertaintyPct: 1.2 };
const WOUNDS = roundsOf(60);
/** So few wounds, whose visits hang together, may be so far from the share of very many. */
const FEW = 0.02;
const ABSENT: readonly StatedSign[] = INFECTION_SIGNS.map((sign) => ({ sign, status: 'absent' }));
const FOOT = { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.621' };

describe('wounds whose forms state every sign of infection, depth and pain', () => {
  it.each([7, 14])(
    'are called worse at no more than five of a hundred visits of a stable wound, seen every %i days',
    (daysApart) => {
      const wounds = followWounds(
        WOUNDS,
        { kind: 'steady', pctPerWeek: 0, visits: 16, daysApart, isStated: true },
        SHIPPED,
      );
      for (const woundType of [null, FOOT]) {
        const verdicts = wounds.flatMap(({ wound }) => {
          const photos = wound.photos.map((photo) => ({
            ...photo,
            woundType,
            observations: { ...photo.observations, infectionSignCodes: ABSENT },
          }));
          const { comparisons } = followSeries(photos);
          return photos.slice(1).map(({ reportId }) => comparisons.get(reportId)!.course!.verdict);
        });
        const worse = verdicts.filter((verdict) => WORSE_VERDICTS.includes(verdict)).length;
        expect(worse / verdicts.length).toBeLessThan(0.05 + FEW);
      }
    },
  );
});
