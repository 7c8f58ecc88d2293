import { photoWithForm as photo, type Form } from '../../../test/support/drawn-forms.js';
import type { FormVisit } from '../../../test/support/told-course.js';
import { followSeries } from './verdict.js';
import type { Closure } from './wound-closure.js';

const CLOSED: readonly Closure[] = [
  { closedAt: photo(10, null).capturedAt.toISOString(), reopenedAt: null, reason: 'healed' },
];

/** After a person closed the wound as healed; no photo shows one. */
function verdictAfterClosing(...visits: readonly FormVisit[]): string {
  const since = visits.map(([day, form]) => {
    const shown = photo(day, form);
    return { ...shown, findings: { ...shown.findings, woundDetected: false, figures: null } };
  });
  const all = [photo(0, null), photo(7, null), ...since];
  return followSeries(all, CLOSED).comparisons.get(all.at(-1)!.reportId)!.course!.verdict;
}

const absent: Form = { infectionSignCodes: [{ sign: 'fever', status: 'absent' }] };

/** A form that states an open wound, and one that takes that field back. */
const OPEN: readonly (readonly [name: string, open: Form, back: Form])[] = [
  ['a depth', { depthCm: 2 }, { depthCm: 0 }],
  ['a length', { lengthCm: 3 }, { lengthCm: 0 }],
  ['exudate', { exudate: 'light' }, { exudate: 'none' }],
  ['slough', { slough: 30 }, { slough: 0 }],
  ['an edge', { edges: ['undermined'] }, { edges: ['attached'] }],
  ['an ulcer’s grade', { stage: { system: 'wagner', value: '2' } }, { stage: { system: 'wagner', value: '0' } }],
];

describe.each(OPEN)('%s that is stated of a wound that a person closed', (_, open, back) => {
  it.each<[string, Form]>([
    ['a fever that is absent', absent],
    ['no sign of infection, in words', { infectionSigns: ['none'] }],
    ['the stage of a pressure injury', { stage: { system: 'pressure', value: '3' } }],
    ['no odour', { odour: 'none' }],
    ['no pain', { painNrs: 0 }],
  ])('is not answered by %s: the wound is not closed again', (_other, form) => {
    expect(verdictAfterClosing([14, open], [21, form])).toBe('unknown');
    expect(verdictAfterClosing([14, open], [21, form], [28, null])).toBe('unknown');
  });

  it.each<[string, Form]>([
    ['the same field', back],
    ['a length of 0', { lengthCm: 0, widthCm: 0 }],
    ['edges that meet', { edges: ['approximated'] }],
    ['a foot without an ulcer', { stage: { system: 'texas', value: '0A' } }],
  ])('is answered by %s', (_other, form) => {
    expect(verdictAfterClosing([14, open], [21, form])).toBe('closed');
    expect(verdictAfterClosing([14, open], [21, form], [28, null])).toBe('closed');
  });
});

describe.each<[string, Form]>([
  ['a tunnel', { tunnelling: [{ clock: 6, depthCm: 4 }] }],
  ['undermining', { undermining: [{ fromClock: 12, toClock: 3, depthCm: 2 }] }],
])('%s that is stated of a wound that a person closed', (_, open) => {
  it('is not answered by edges that meet over it, but by four weeks', () => {
    const meet: Form = { edges: ['approximated'] };
    expect(verdictAfterClosing([14, open], [21, meet])).toBe('unknown');
    expect(verdictAfterClosing([14, open], [21, meet], [42, null])).toBe('unknown');
    expect(verdictAfterClosing([14, open], [21, meet], [42.1, null])).toBe('closed');
  });

  it.each<[string, Form]>([
    ['a length of 0', { lengthCm: 0, widthCm: 0 }],
    ['a foot without an ulcer', { stage: { system: 'wagner', value: '0' } }],
  ])('is answered by %s', (_other, form) => expect(verdictAfterClosing([14, open], [21, form])).toBe('closed'));
});

describe('pus that is stated of a wound that a person closed', () => {
  it('stays worse on that photo, though a person reopens the wound later', () => {
    const pus = photo(14, { exudateType: 'purulent' });
    const all = [photo(0, null), { ...pus, findings: { ...pus.findings, woundDetected: false, figures: null } }];
    const verdictOf = (reopenedAt: string | null) =>
      followSeries(all, [{ ...CLOSED[0]!, reopenedAt }]).comparisons.get(pus.reportId)!.course!.verdict;
    expect(verdictOf(null)).toBe('worsening');
    expect(verdictOf(photo(25, null).capturedAt.toISOString())).toBe('worsening');
  });
});

describe('what speaks of one field of a wound that a person closed', () => {
  it('answers no other', () => {
    expect(verdictAfterClosing([14, { depthCm: 2 }], [21, { exudate: 'none' }])).toBe('unknown');
    expect(verdictAfterClosing([14, { lengthCm: 3 }], [21, { depthCm: 0 }])).toBe('unknown');
    expect(verdictAfterClosing([14, { tunnelling: [{ clock: 3, depthCm: 2 }] }], [21, { depthCm: 0 }])).toBe('unknown');
    expect(verdictAfterClosing([14, { necrosis: 10 }], [21, { slough: 0 }])).toBe('unknown');
  });

  it('is not answered by a grade 0 with an infection', () => {
    const infected: Form = { stage: { system: 'texas', value: '0B' } };
    expect(verdictAfterClosing([14, { depthCm: 2 }], [21, infected])).toBe('unknown');
    expect(verdictAfterClosing([14, infected])).toBe('unknown');
    expect(verdictAfterClosing([14, { stage: { system: 'texas', value: '2B' } }], [21, infected])).toBe('unknown');
  });

  it('takes nothing back that the same form states', () => {
    expect(verdictAfterClosing([14, { lengthCm: 0, depthCm: 2 }])).toBe('unknown');
    expect(verdictAfterClosing([14, { depthCm: 2 }], [21, { lengthCm: 0, exudate: 'light' }])).toBe('unknown');
  });

  it('answers the sign that it denies, and a fever that is only not named again stays', () => {
    const fever: Form = { infectionSignCodes: [{ sign: 'fever', status: 'present' }] };
    expect(verdictAfterClosing([14, fever], [21, absent])).toBe('closed');
    expect(verdictAfterClosing([14, fever], [21, { infectionSigns: ['none'] }])).toBe('closed');
    expect(verdictAfterClosing([14, fever], [21, { lengthCm: 0 }])).toBe('unknown');
  });
});
