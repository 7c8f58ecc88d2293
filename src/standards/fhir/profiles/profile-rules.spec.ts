import type { ElementDefinition, StructureDefinition } from '@medplum/fhirtypes';
import { compileProfile } from './profile-rules.js';

const profile = (...element: ElementDefinition[]) =>
  ({
    resourceType: 'StructureDefinition',
    url: 'urn:x',
    type: 'Media',
    differential: { element },
  }) as unknown as StructureDefinition;
const sliced = (type: 'value' | 'exists', path: string, rules: 'open' | 'closed' = 'open'): ElementDefinition => ({
  id: 'Media.note',
  path: 'Media.note',
  slicing: { discriminator: [{ type, path }], rules },
});

describe('rules of a profile', () => {
  it.each([
    [
      'a demand that the check does not know',
      { id: 'Media.height', path: 'Media.height', maxValueInteger: 5 },
      '"maxValueInteger" at Media.height would not be enforced',
    ],
    ['slices told apart by what is there', sliced('exists', 'text'), 'the slicing of Media.note would not be enforced'],
    [
      'slices told apart further down',
      sliced('value', 'author.display'),
      'the slicing of Media.note would not be enforced',
    ],
    ['closed slices', sliced('value', 'text', 'closed'), 'the slicing of Media.note would not be enforced'],
  ])('are not made of %s', (_, element, text) => {
    expect(() => compileProfile(profile(element))).toThrow(text);
  });

  it('stand at their elements, by slices and children', () => {
    const rules = compileProfile(
      profile(
        sliced('value', 'text'),
        { id: 'Media.note:first', path: 'Media.note', sliceName: 'first', min: 1, max: '1' },
        { id: 'Media.note:first.text', path: 'Media.note.text', fixedMarkdown: 'x' },
      ),
    );
    const first = rules.children.get('note')!.slices.get('first')!;
    expect(first).toMatchObject({ name: 'note', min: 1, max: 1 });
    expect(first.children.get('text')!.fixed).toBe('x');
  });
});
