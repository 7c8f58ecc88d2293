import type { Resource } from '@medplum/fhirtypes';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { withPatch } from './sent-patch.js';
import { processorMs } from '../../../../test/support/processor-time.js';

const PATIENT = {
  resourceType: 'Patient',
  id: 'p1',
  active: true,
  name: [{ given: ['A', 'B'] }, { family: 'C' }],
  photo: [{ title: 'a/b~c' }],
} as Resource;
const patched = (resource: Resource, content: unknown): Resource =>
  withPatch(resource, { mediaType: 'application/json-patch+json', content });
const codeOf = (patch: unknown): string => {
  try {
    patched(PATIENT, patch);
    return 'none';
  } catch (error) {
    return isSuturaError(error) ? error.code : 'fault';
  }
};

describe('a JSON Patch is refused', () => {
  it.each<[string, unknown]>([
    ['that is no list', { op: 'remove', path: '/active' }],
    ['that is empty', []],
    ['with what is no operation', [null]],
    ['with an unknown operation', [{ op: 'increment', path: '/active' }]],
    ['without a path', [{ op: 'remove' }]],
    ['with a path that is no pointer', [{ op: 'remove', path: 'active' }]],
    ['with a bad escape', [{ op: 'remove', path: '/name~2' }]],
    ['on the whole resource', [{ op: 'replace', path: '', value: {} }]],
    ['without a value', [{ op: 'add', path: '/gender' }]],
    ['that moves from nowhere', [{ op: 'move', path: '/gender' }]],
    ['that moves from what is not there', [{ op: 'move', from: '/gender', path: '/x' }]],
    ['that removes what is not there', [{ op: 'remove', path: '/gender' }]],
    ['that replaces what is not there', [{ op: 'replace', path: '/gender', value: 'other' }]],
    ['into a parent that is not there', [{ op: 'add', path: '/contact/0/gender', value: 'other' }]],
    ['beyond the end of a list', [{ op: 'add', path: '/name/5', value: {} }]],
    ['at a place that is no index', [{ op: 'add', path: '/name/first', value: {} }]],
    ['that reaches into prototypes', [{ op: 'add', path: '/name/0/__proto__/x', value: 1 }]],
    ['that reaches into prototypes by constructor', [{ op: 'add', path: '/constructor/prototype/x', value: 1 }]],
    ['that copies from a prototype', [{ op: 'copy', from: '/__proto__', path: '/x' }]],
    ['of the type', [{ op: 'replace', path: '/resourceType', value: 'Person' }]],
    ['of the id', [{ op: 'remove', path: '/id' }]],
    ['of too many operations', Array.from({ length: 1001 }, () => ({ op: 'test', path: '/active', value: true }))],
  ])('%s', (_, patch) => {
    expect(codeOf(patch)).toBe('fhir.patch');
  });

  it.each<[string, unknown[]]>([
    [
      'that copies what it has copied',
      [
        { op: 'add', path: '/extension', value: [{ url: 'urn:x', valueString: 'x'.repeat(1000) }] },
        ...Array.from({ length: 26 }, () => ({ op: 'copy', from: '/extension', path: '/extension/-' })),
      ],
    ],
    [
      'that copies a member into itself',
      Array.from({ length: 40 }, () => ({ op: 'copy', from: '/name', path: '/name/-' })),
    ],
    [
      'that goes ever deeper',
      [...Array.from({ length: 300 }, (_, depth) => ({ op: 'add', path: `/x${'/a'.repeat(depth)}`, value: {} }))],
    ],
    [
      'that copies much text',
      [
        { op: 'add', path: '/x', value: ['x'.repeat(1_000_000)] },
        ...Array.from({ length: 900 }, () => ({ op: 'copy', from: '/x/0', path: '/x/-' })),
      ],
    ],
    [
      'that makes and takes away again',
      Array.from({ length: 1000 }, (_, index) =>
        index % 2 === 0
          ? { op: 'add', path: '/x', value: Array.from({ length: 9000 }, () => 0) }
          : { op: 'remove', path: '/x' },
      ),
    ],
    [
      'that compares much, often',
      Array.from({ length: 1000 }, () => ({
        op: 'test',
        path: '/active',
        value: Array.from({ length: 9000 }, () => 0),
      })),
    ],
  ])('%s, before it is made', (_, patch) => {
    expect(['request.too_large', 'fhir.patch_test']).toContain(codeOf(patch));
    expect(processorMs(() => codeOf(patch))).toBeLessThan(1000);
  });

  it('for a long list that is compared with another, as quickly as any', () => {
    const given = Array.from({ length: 4000 }, (_, index) => `A${index}`);
    const patch = [
      { op: 'add', path: '/name/0/given', value: given },
      { op: 'test', path: '/name/0/given', value: given.map((name) => `${name}x`) },
    ];
    expect(codeOf(patch)).toBe('fhir.patch_test');
    expect(processorMs(() => codeOf(patch))).toBeLessThan(1000);
  });

  it('where a test does not hold', () => {
    expect(codeOf([{ op: 'test', path: '/active', value: false }])).toBe('fhir.patch_test');
    expect(codeOf([{ op: 'test', path: '/gender', value: 'female' }])).toBe('fhir.patch_test');
  });

  it('and leaves the resource as it was', () => {
    const before = structuredClone(PATIENT);
    codeOf([
      { op: 'remove', path: '/name/0' },
      { op: 'test', path: '/active', value: false },
    ]);
    expect(PATIENT).toEqual(before);
  });
});

describe('a JSON Patch', () => {
  it.each<[string, unknown, unknown]>([
    ['adds a member', [{ op: 'add', path: '/gender', value: 'other' }], { gender: 'other' }],
    [
      'adds into a list',
      [{ op: 'add', path: '/name/1', value: { family: 'B' } }],
      { name: [{ given: ['A', 'B'] }, { family: 'B' }, { family: 'C' }] },
    ],
    [
      'adds at the end',
      [{ op: 'add', path: '/name/0/given/-', value: 'Z' }],
      { name: [{ given: ['A', 'B', 'Z'] }, { family: 'C' }] },
    ],
    ['replaces', [{ op: 'replace', path: '/active', value: false }], { active: false }],
    ['removes', [{ op: 'remove', path: '/name/0' }], { name: [{ family: 'C' }] }],
    ['moves', [{ op: 'move', from: '/name/0', path: '/name/1' }], { name: [{ family: 'C' }, { given: ['A', 'B'] }] }],
    [
      'copies',
      [{ op: 'copy', from: '/name/1', path: '/name/-' }],
      { name: [{ given: ['A', 'B'] }, { family: 'C' }, { family: 'C' }] },
    ],
    ['tests', [{ op: 'test', path: '/name/0', value: { given: ['A', 'B'] } }], {}],
  ])('%s', (_, patch, change) => {
    expect(patched(PATIENT, patch)).toEqual({ ...PATIENT, ...(change as object) });
  });

  it('decodes the pointer', () => {
    const resource = { resourceType: 'Basic', id: 'b', 'a/b~c': 1 } as unknown as Resource;
    expect(patched(resource, [{ op: 'replace', path: '/a~1b~0c', value: 2 }])).toMatchObject({ 'a/b~c': 2 });
  });
});
