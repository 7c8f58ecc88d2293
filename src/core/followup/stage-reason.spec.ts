import type { Form } from '../../../test/support/drawn-forms.js';
import { tellCourse, tellEachPhoto, type FormVisit } from '../../../test/support/told-course.js';

const wagner = (value: '0' | '1' | '2' | '3' | '4' | '5'): Form => ({ stage: { system: 'wagner', value } });
const texas = (value: '1A' | '1B' | '3A' | '3B' | '3C' | '3D'): Form => ({ stage: { system: 'texas', value } });
const weekly = (...forms: readonly (Form | null)[]) => forms.map((form, week): FormVisit => [7 * week, form]);

describe('no wound is improving', () => {
  it.each<[string, Form]>([
    ['infected', texas('3B')],
    ['infected and ischaemic', texas('3D')],
    ['an abscess', wagner('3')],
    ['gangrene', wagner('4')],
  ])('whose grade says that it is %s, as long as it is stated, and for four weeks', (_, grade) => {
    const visits = weekly(grade, grade, grade, null, null, null, null);
    for (const line of tellEachPhoto(visits).slice(1)) expect(line).toMatch(/^unchanged: persists stage/);
    expect(tellCourse([...visits, [42.1, null]])).toBe('improving');
  });

  it('whose grade is one of another system than before, for four weeks: nobody knows whether it is higher', () => {
    expect(tellEachPhoto(weekly(wagner('1'), texas('3D'), texas('3D'))).slice(1)).toEqual([
      'unchanged: persists stage null → texas_3D',
      'unchanged: persists stage texas_3D → texas_3D',
    ]);
    const visits = weekly(wagner('1'), ...Array<Form>(5).fill(texas('1A')));
    for (const line of tellEachPhoto(visits).slice(1))
      expect(line).toBe('unchanged: persists stage wagner_1 → texas_1A');
    expect(tellCourse([...visits, [42, texas('1A')]])).toBe('improving');
  });
});

describe('a grade', () => {
  it.each<[string, readonly Form[]]>([
    ['of a clean ulcer bars nothing', [texas('3A'), texas('3A'), texas('3A')]],
    ['that is no longer of an infection bars nothing', [texas('3B'), texas('3B'), texas('3A')]],
    [
      'that two systems state at each visit bars nothing',
      Array<Form[]>(6)
        .fill([wagner('2'), texas('1A')])
        .flat(),
    ],
  ])('%s', (_, forms) => expect(tellCourse(weekly(...forms))).toBe('improving'));

  it('that becomes infected is worse', () => {
    expect(tellCourse(weekly(texas('1A'), texas('1B')))).toMatch('worse stage texas_1A → texas_1B');
  });
});
