import type { Form } from '../../../test/support/drawn-forms.js';
import { tellCourse, tellEachPhoto, type FormVisit } from '../../../test/support/told-course.js';
import { dayOf } from '../../../test/support/series-photos.js';

/** Found on another day than the photo's. */
const dated = (form: Form, field: string, day: number): Form => ({
  ...form,
  statedAt: { [field]: dayOf(day).toISOString() },
});

describe('a finding that is older than another form', () => {
  it('is worse once and persists then, though an EHR sends the same again each week', () => {
    const old = dated({ odour: 'strong' }, 'odour', 5);
    const visits: FormVisit[] = [[0, { odour: 'none' }], [10, { odour: 'none' }], ...[11, 18, 25, 32].map((day): FormVisit => [day, old])]; // prettier-ignore
    const told = tellEachPhoto(visits);
    expect(told[2]).toMatch('worse odour');
    for (const line of told.slice(3)) expect(line).toMatch(/persists odour/);
  });

  it('counts where no later form says anything of the same', () => {
    const light = dated({ exudate: 'light' }, 'exudate', 5);
    const visits: FormVisit[] = [[0, { exudate: 'heavy' }], [6, { painNrs: 3 }], [7, light], [14, { exudate: 'heavy' }]]; // prettier-ignore
    expect(tellCourse(visits)).toMatch('worse exudate');
    const depth = dated({ depthCm: 1 }, 'depthCm', 5);
    expect(tellCourse([[0, { depthCm: 3 }], [6, { painNrs: 3 }], [7, depth], [14, { depthCm: 3 }]])).toMatch('worse depth 1 → 3'); // prettier-ignore
  });

  it('is no gain and takes nothing back where a later form speaks of the same', () => {
    const light = dated({ exudate: 'light' }, 'exudate', 5);
    const visits: FormVisit[] = [[0, { exudate: 'heavy' }], [6.5, { exudate: 'heavy' }], [8, light]]; // prettier-ignore
    expect(tellCourse(visits)).not.toMatch('better');
  });
});
