import type { InfectionSign } from '../analysis/infection-sign-codes.js';
import { photoWithForm, type Form } from '../../../test/support/drawn-forms.js';
import { dayOf } from '../../../test/support/series-photos.js';
import type { FormVisit } from '../../../test/support/told-course.js';
import type { TimedEvent } from './clinical-event.js';
import { followSeries } from './verdict.js';

/** What is said of each photo of a wound that heals. */
function verdictsOf(visits: readonly FormVisit[], events: readonly TimedEvent[] = []): string[] {
  const all = visits.map(([day, form]) => photoWithForm(day, form));
  const { comparisons } = followSeries(all, [], events);
  return all.map(({ reportId }) => comparisons.get(reportId)!.course!.verdict);
}

const coded = (sign: InfectionSign, status: 'present' | 'absent' = 'present'): Form => ({
  infectionSignCodes: [{ sign, status }],
});
const words = (...infectionSigns: readonly string[]): Form => ({ infectionSigns });
const debrided = (...days: readonly number[]) =>
  days.map((day) => ({ type: 'debridement', occurredAt: dayOf(day) }) as const);

describe('what is said of each photo where', () => {
  it.each<[string, FormVisit[], string[]]>([
    [
      'two nurses see it heal, and differ by little',
      [[0, { slough: 60 }], [0.02, { slough: 50 }], [7, { slough: 40 }], [14, { slough: 20 }], [14.02, { slough: 10 }]],
      ['unknown', 'unchanged', 'improving', 'improving', 'improving'],
    ],
    [
      'fever is denied each week, and comes once',
      [[0, coded('fever', 'absent')], [7, coded('fever', 'absent')], [14, coded('fever')], [21, coded('fever', 'absent')]],
      ['unknown', 'unchanged', 'mixed', 'improving'],
    ],
    [
      'fever is denied by another form of the day, and comes again within days',
      [[0, words('none')], [7, coded('fever')], [7.5, words('none')], [14, words('none')], [14.5, coded('fever')]],
      ['unknown', 'worsening', 'mixed', 'improving', 'unchanged'],
    ],
    [
      'pus of the morning is dry in the evening, and on the next day',
      [[0, { exudateType: 'serous' }], [7, { exudateType: 'purulent' }], [7.4, { exudate: 'none' }], [9.5, { exudate: 'none' }]],
      ['unknown', 'worsening', 'mixed', 'improving'],
    ],
    [
      'other signs are denied, and nobody says that the fever has gone',
      [[0, coded('fever', 'absent')], [7, coded('fever')], [14, coded('warmth', 'absent')], [35, null], [36, null]],
      ['unknown', 'worsening', 'unchanged', 'unchanged', 'improving'],
    ],
    [
      'one nurse sees no necrosis, and the other more each week',
      [[0, { necrosis: 0 }], [0.02, { necrosis: 10 }], [7, { necrosis: 0 }], [7.02, { necrosis: 20 }], [14, { necrosis: 0 }], [14.02, { necrosis: 32 }]],
      ['unknown', 'worsening', 'improving', 'unchanged', 'improving', 'worsening'],
    ],
    [
      'pain is less, and within hours more than before',
      [[0, { painNrs: 8 }], [7, { painNrs: 2 }], [7.1, { painNrs: 9 }], [14, { painNrs: 9 }]],
      ['unknown', 'improving', 'mixed', 'unchanged'],
    ],
  ])('%s', (_, visits, verdicts) => expect(verdictsOf(visits)).toEqual(verdicts)); // prettier-ignore

  it('weekly debridement takes slough away that is back each week', () => {
    const shares = [50, 10, 50, 10, 50];
    const visits = shares.map((slough, at): FormVisit => [7 * Math.floor(at / 2) + 0.05 * (at % 2), { slough }]);
    expect(verdictsOf(visits, debrided(0.02, 7.02))).toEqual([
      'unknown',
      'unknown',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
  });

  it('pus comes up within the hour after a debridement', () => {
    const visits: FormVisit[] = [[0, { exudateType: 'serous' }], [7, { exudateType: 'serous' }], [7.1, { exudateType: 'purulent' }]]; // prettier-ignore
    expect(verdictsOf(visits, debrided(7.05))).toEqual(['unknown', 'unchanged', 'worsening']);
  });

  it('a debridement leaves a deeper wound: it excuses the area alone', () => {
    const visits: FormVisit[] = [
      [0, { depthCm: 1 }],
      [7, { depthCm: 1 }],
      [7.1, { depthCm: 2 }],
    ];
    expect(verdictsOf(visits, debrided(7.05))).toEqual(['unknown', 'unchanged', 'worsening']);
  });
});
