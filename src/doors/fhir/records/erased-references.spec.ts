import type { Condition, DocumentReference, Patient } from '@medplum/fhirtypes';
import { withoutWords } from './erased-references.js';

const TARGETS = new Set(['Patient/p1']);
const NUMBERS = [{ system: 'urn:oid:1', value: '4711' }];

describe('references to an erased patient in another’s resource', () => {
  it('are left where they name nobody, or somebody else', () => {
    const bare: Condition = {
      resourceType: 'Condition',
      subject: { reference: 'Patient/p2', display: 'Anna Beispiel' },
      asserter: { reference: 'Patient/p1' },
    };
    const other: Condition = {
      resourceType: 'Condition',
      subject: { identifier: { system: 'urn:oid:2', value: '4711' }, display: 'Anna' },
    };
    const patient: Patient = { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1', value: '4711' }] };
    for (const resource of [bare, other, patient]) expect(withoutWords(resource, TARGETS, NUMBERS)).toBe(resource);
  });

  it('keep the bare reference, in whatever element and version, and lose a number that stands alone', () => {
    const document: DocumentReference = {
      resourceType: 'DocumentReference',
      status: 'current',
      content: [{ attachment: {} }],
      subject: { reference: 'Patient/p2', display: 'Anna Beispiel' },
      author: [{ reference: 'Patient/p1/_history/3', display: 'Zdenka', identifier: { value: '4711' } }],
      context: { sourcePatientInfo: { identifier: { system: 'urn:oid:1', value: '4711' }, display: 'Zdenka' } },
    };
    expect(withoutWords(document, TARGETS, NUMBERS)).toEqual({
      ...document,
      author: [{ reference: 'Patient/p1/_history/3' }],
      context: { sourcePatientInfo: { display: 'erased' } },
    });
  });
});
