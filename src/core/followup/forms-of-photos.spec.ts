import { photoWithForm, type Form } from '../../../test/support/drawn-forms.js';
import { tellCourse, tellEachPhoto, type FormVisit } from '../../../test/support/told-course.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries } from './verdict.js';
import type { Closure } from './wound-closure.js';

const PUS: Form = { exudateType: 'purulent' };
const SEROUS: Form = { exudateType: 'serous' };
const waits = (use: 'other_patient' | 'other_time' | 'other_wound'): Partial<AssessmentInSeries> => ({
  otherUses: [{ use, reportId: 'r-other' }],
});

describe.each(['other_patient', 'other_time', 'other_wound'] as const)('a form on a photo that waits (%s)', (use) => {
  const visits: FormVisit[] = [[0, SEROUS], [7, PUS], [14, SEROUS, waits(use)], [21, null]]; // prettier-ignore

  it('takes no pus back, on its own photo nor on the next', () => {
    expect(tellEachPhoto(visits).slice(2)).toEqual([
      'unknown: persists exudate_purulent absent → null',
      'unchanged: persists exudate_purulent absent → null',
    ]);
  });

  it('is no gain', () => {
    const depths: FormVisit[] = [[0, { depthCm: 4 }], [7, { depthCm: 4 }], [14, { depthCm: 1 }, waits(use)]]; // prettier-ignore
    expect(tellCourse(depths)).not.toMatch(/better depth/);
  });

  it.each<[string, Form, Form]>([
    ['depth', { depthCm: 4 }, { depthCm: 1 }],
    ['slough', { slough: 60 }, { slough: 10 }],
    ['exudate', { exudate: 'moderate' }, { exudate: 'light' }],
  ])('leaves no gain to another form of its visit: %s', (_, bad, good) => {
    const before: FormVisit[] = [[0, bad], [7, bad]]; // prettier-ignore
    const told = tellCourse([...before, [14, bad, waits(use)], [14.02, good]]);
    const [, ...reasons] = tellCourse([...before, [14, bad], [14.02, good]]).split(': ');
    expect(told.split(': ').slice(1)).toEqual(reasons);
    expect(told).not.toMatch('better');
    expect(tellCourse([...before, [14, bad, waits(use)], [15.02, good]])).toMatch('better');
  });

  it('counts against the wound where it says that there is pus', () => {
    const found: FormVisit[] = [[0, SEROUS], [7, SEROUS], [14, PUS, waits(use)], [21, null]]; // prettier-ignore
    expect(tellEachPhoto(found).slice(2)).toEqual([
      'worsening: worse exudate_purulent absent → present',
      'unchanged: persists exudate_purulent absent → null',
    ]);
  });

  it('counts like any other once a person has decided', () => {
    const decided = visits.map(([day, form, change]): FormVisit => [day, form, { ...change, reviewed: day === 14 }]);
    expect(tellEachPhoto(decided).slice(2)).toEqual([
      'improving: better exudate_purulent present → absent',
      'improving',
    ]);
  });

  it('closes no wound again', () => {
    const CLOSED: readonly Closure[] = [
      { closedAt: photoWithForm(10, null).capturedAt.toISOString(), reopenedAt: null, reason: 'healed' },
    ];
    const healed = ([day, form, change]: FormVisit): AssessmentInSeries => {
      const photo = photoWithForm(day, form, change);
      return { ...photo, findings: { ...photo.findings, woundDetected: false, figures: null } };
    };
    const all = [
      photoWithForm(0, null),
      ...([[14, { depthCm: 2 }], [21, { lengthCm: 0 }, waits(use)], [28, null]] as FormVisit[]).map(healed), // prettier-ignore
    ];
    expect(followSeries(all, CLOSED).comparisons.get(all.at(-1)!.reportId)!.course!.verdict).toBe('unknown');
  });
});

describe('a photo that is analysed again', () => {
  const again = (form: Form | null, change: Partial<AssessmentInSeries> = {}): FormVisit => [
    7,
    form,
    { reportId: 'r000701', imageId: 'i000700', ...change },
  ];
  const told = (...visits: FormVisit[]) => {
    const lines = tellEachPhoto(visits);
    return [lines[2]!, lines[3]!];
  };

  it('without its form keeps what was stated of it', () => {
    expect(told([0, SEROUS], [7, PUS], again(null), [14, null])).toEqual([
      'worsening: worse exudate_purulent absent → present',
      'unchanged: persists exudate_purulent absent → null',
    ]);
    expect(told([0, { slough: 10 }], [7, { slough: 60 }], again(null), [14, null])).toEqual([
      'worsening: worse slough 10 → 60',
      'unchanged: persists slough 10 → null',
    ]);
  });

  it('counts what the new form says of a field, and what the former says of the others', () => {
    const [line] = told([0, SEROUS], [7, { ...PUS, depthCm: 9 }], again(SEROUS), [14, { depthCm: 1 }]);
    expect(line).not.toMatch(/purulent/);
    const [, next] = told([0, SEROUS], [7, { ...PUS, painNrs: 3 }], again({ painNrs: 3 }), [14, null]);
    expect(next).toMatch(/persists exudate_purulent/);
  });

  it.each<[string, Form | null]>([
    ['a form', { painNrs: 3 }],
    ['no form', null],
  ])('counts %s alone that a person has put in place of it', (_, form) => {
    const corrected = again(form, { reviewed: true, isFormReplaced: true });
    expect(told([0, SEROUS], [7, PUS], corrected, [14, null])[1]).toBe('improving');
    expect(told([0, { slough: 10 }], [7, { slough: 60 }], corrected, [14, null])[1]).toBe('improving');
  });

  it('once more after that, and not yet looked at, counts against the wound', () => {
    const corrected = again({ painNrs: 3 }, { reviewed: true, isFormReplaced: true });
    const after: FormVisit = [7, PUS, { reportId: 'r000702', imageId: 'i000700' }];
    const lines = tellEachPhoto([[0, SEROUS], [7, SEROUS], corrected, after, [14, null]]);
    expect(lines.at(-1)).toMatch('persists exudate_purulent');
  });

  it('once more after a form was put in place, and accepted without one, brings back nothing older', () => {
    const corrected = again({ painNrs: 3 }, { isFormReplaced: true });
    const accepted: FormVisit = [7, null, { reportId: 'r000702', imageId: 'i000700', reviewed: true }];
    expect(tellEachPhoto([[0, SEROUS], [7, PUS], corrected, accepted, [14, null]]).at(-1)).toBe('improving');
  });

  it('and then drawn anew keeps its form, and no share of the bed of the former outline', () => {
    const { findings } = photoWithForm(7, null);
    const drawn = again(null, { reviewed: true, findings: { ...findings, outlineSource: 'reviewer_contour' } });
    expect(told([0, SEROUS], [7, PUS], drawn, [14, null])[1]).toMatch('persists exudate_purulent');
    expect(told([0, { slough: 10 }], [7, { slough: 60 }], drawn, [14, null])[1]).toBe('improving');
  });
});

describe('what was stated at another time than the photo that it came with', () => {
  const dated = (form: Form, field: string, time: string): Form => ({ ...form, statedAt: { [field]: time } });

  it('counts against the wound where another form of the day came between', () => {
    const found = dated(PUS, 'exudateType', photoWithForm(6.98, null).capturedAt.toISOString());
    expect(tellCourse([[0, SEROUS], [6.99, SEROUS], [7, found]])).toMatch('worse exudate_purulent'); // prettier-ignore
  });

  it.each<[string, Form, string, Form]>([
    ['pus', SEROUS, 'exudateType', PUS],
    ['fever', { infectionSigns: ['none'] }, 'infectionSigns', { infectionSignCodes: [{ sign: 'fever', status: 'present' }] }],
    ['a depth', { depthCm: 1 }, 'depthCm', { depthCm: 4 }],
  ])('takes back nothing that was found later, and is no gain: %s', (_, old, field, newer) => {
    const found = dated(old, field, photoWithForm(0, null).capturedAt.toISOString());
    const told = tellEachPhoto([[0, old], [7, newer], [14, found], [21, null]]);
    for (const line of told.slice(2)) expect(line).toMatch(/: persists/);
    for (const line of told.slice(2)) expect(line).not.toMatch('better');
  }); // prettier-ignore

  it('counts against the wound, however old', () => {
    const found = dated(PUS, 'exudateType', photoWithForm(3, null).capturedAt.toISOString());
    expect(
      tellCourse([
        [0, SEROUS],
        [7, SEROUS],
        [14, found],
      ]),
    ).toMatch('worse exudate_purulent');
  });

  it('is a gain where nobody found anything later', () => {
    const found = dated(SEROUS, 'exudateType', photoWithForm(8, null).capturedAt.toISOString());
    expect(
      tellCourse([
        [0, SEROUS],
        [7, PUS],
        [14, found],
      ]),
    ).toMatch(/better exudate_purulent/);
  });

  it('is a gain in what the form found that day', () => {
    const found = dated({ ...SEROUS, depthCm: 1 }, 'exudateType', photoWithForm(0, null).capturedAt.toISOString());
    const told = tellCourse([
      [0, SEROUS],
      [7, { ...PUS, depthCm: 4 }],
      [14, found],
    ]);
    expect(told).toBe('unchanged: persists exudate_purulent absent → null: better depth 4 → 1');
  });
});

describe('many photos without a form', () => {
  it('end no four weeks, however many a day', () => {
    const photos = Array.from({ length: 83 }, (_, at): FormVisit => [2 + at / 3, null]);
    const told = tellEachPhoto([[0, SEROUS], [1, PUS], ...photos]);
    for (const line of told.slice(2, 80)) expect(line).toMatch(/^unchanged: persists exudate_purulent/);
    expect(told.at(-1)).toBe('improving');
  });
});
