import { formKey, namespaceSystem, spelledSystem } from './authority-forms.js';
import { AuthorityTable } from './authority-table.js';
import { systemsOf, type Authority } from './authority.js';

const HOSP = namespaceSystem('HOSP');

describe('spellings of one system', () => {
  it.each([
    ['1.2.3.4.5.6', 'urn:oid:1.2.3.4.5.6'],
    ['URN:OID:1.2.3', 'urn:oid:1.2.3'],
    [namespaceSystem('1.2.3.4'), 'urn:oid:1.2.3.4'],
    ['urn:uuid:C3E1A1D0-0000-4000-8000-0000000000AB', 'urn:uuid:c3e1a1d0-0000-4000-8000-0000000000ab'],
    ['HTTPS://Hospital.Example/MRN/', 'https://hospital.example/MRN'],
  ])('%s is %s', (system, spelled) => expect(spelledSystem(system)).toBe(spelled));

  it.each([
    '',
    'urn:oid:1.02.3',
    '1.02.3.4',
    '1.2',
    namespaceSystem('1.2'),
    namespaceSystem('1.02.3'),
    'urn:other:X',
    HOSP,
  ])('%j is nothing else', (system) => expect(spelledSystem(system)).toBe(system));

  it('a path counts character by character, a namespace in any case', () => {
    expect(formKey('https://a.example/MRN')).not.toBe(formKey('https://a.example/mrn'));
    expect(formKey(namespaceSystem('Hosp'))).toBe(formKey(HOSP));
    expect(formKey(namespaceSystem('1.02.3'))).not.toBe(formKey('urn:oid:1.2.3'));
  });
});

describe('a table', () => {
  const authority = (changes: Partial<Authority>): Authority => ({
    id: 'a',
    organizationId: 'o',
    environment: null,
    name: null,
    namespace: 'HOSP',
    oid: '1.2.3',
    uri: 'https://h.example/mrn',
    further: [],
    facilities: [],
    isDefaultFor: [],
    system: 'urn:oid:1.2.3',
    origin: 'operator',
    createdAt: new Date(0),
    ...changes,
  });
  const tableOf = (...authorities: Authority[]) =>
    new AuthorityTable({
      authorities,
      forms: authorities.flatMap((one) => systemsOf(one).map((form) => [formKey(form), one.system] as const)),
      proposals: [{ one: HOSP, other: 'urn:oid:1.2.9', isOpen: true }],
      numberings: [{ sourceId: 'l', facility: 'NORTH', state: 'first' }],
    });
  const forms = ['1.2.3', 'urn:oid:1.2.3', 'URN:OID:1.2.3', HOSP, namespaceSystem('hosp'), 'https://H.example/mrn/'];

  it.each(forms)('has %s as the one authority, and finds it by all of its names', (form) => {
    const table = tableOf(authority({}));
    for (const other of forms) expect(table.isSame(form, other)).toBe(true);
    expect(table.spellings(form)).toEqual(expect.arrayContaining(['urn:oid:1.2.3', HOSP, 'https://h.example/mrn']));
  });

  it('leaves everything else as it is', () => {
    const table = tableOf(authority({}));
    for (const other of ['', 'urn:oid:1.2.30', namespaceSystem('HOSP2'), 'https://h.example/MRN'])
      expect([table.preferred(other), table.isSame(other, HOSP)]).toEqual([other, false]);
    expect(table.standing('urn:oid:1.2.9', namespaceSystem('Hosp'))).toBe('proposed');
  });

  it('names the default of a facility before that of its listener, and that before the door’s', () => {
    const table = tableOf(
      authority({ isDefaultFor: ['door:hl7v2'] }),
      authority({ system: 'urn:oid:1.2.4', isDefaultFor: ['listener:l'] }),
      authority({ system: 'urn:oid:1.2.5', facilities: ['NORTH'] }),
    );
    const of = (listenerId: string, facility: string) => table.defaultFor({ listenerId, facility, door: 'hl7v2' });
    expect([of('l', 'NORTH'), of('l', 'SOUTH'), of('m', 'SOUTH'), table.defaultFor({ door: 'rest' })]).toEqual([
      'urn:oid:1.2.5',
      'urn:oid:1.2.4',
      'urn:oid:1.2.3',
      undefined,
    ]);
  });
});
