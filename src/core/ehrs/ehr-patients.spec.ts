import { AuthorityTable, NO_AUTHORITIES } from '../patients/authority-table.js';
import type { Authority } from '../patients/authority.js';
import type { PatientIdentifier } from '../patients/patient.js';
import type { GivenNumber } from '../patients/patient-numbers.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import { EhrPatients } from './ehr-patients.js';
import type { Ehr } from './ehr.js';

const SYSTEM = 'https://h.example/mrn';
const TENANT = { organizationId: 'o-1', environment: 'test' } as const;
const TRANSACTION = { tenant: TENANT } as TenantTransaction;
const EHR = { ...TENANT, patientSystem: SYSTEM };

const AUTHORITY: Authority = {
  id: 'a-1',
  organizationId: 'o-1',
  environment: null,
  name: null,
  namespace: null,
  oid: '2.999.1',
  uri: SYSTEM,
  facilities: [],
  isDefaultFor: [],
  further: [],
  system: 'urn:oid:2.999.1',
  origin: 'operator',
  createdAt: new Date(0),
};
const tableOf = (wish: Partial<Authority> = {}) =>
  new AuthorityTable({
    authorities: [{ ...AUTHORITY, ...wish }],
    forms: [
      [SYSTEM, AUTHORITY.system],
      ['urn:oid:2.999.1', AUTHORITY.system],
    ],
    proposals: [],
    numberings: [],
  });

/** Numbers here, by `system value`. */
function patientsWith(
  known: Readonly<Record<string, string>>,
  { table = NO_AUTHORITIES, others = [] as readonly (string | null)[] } = {},
): EhrPatients {
  return new EhrPatients({
    ehrs: {
      list: () => Promise.resolve([EHR, ...others.map((patientSystem) => ({ ...EHR, patientSystem }))] as Ehr[]),
    },
    patients: {
      carriers: (_: unknown, sought: readonly PatientIdentifier[]) =>
        Promise.resolve(sought.map(({ system, value }) => known[`${system} ${value}`] ?? null)),
    },
    authorities: { of: () => Promise.resolve(table) },
  });
}
const find = (patients: EhrPatients, ...numbers: readonly GivenNumber[]) => patients.find(TRANSACTION, EHR, numbers);
const mine = (value: string, wish: Partial<GivenNumber> = {}): GivenNumber => ({ system: SYSTEM, value, ...wish });

describe('the patient whom an EHR means', () => {
  it('is nobody’s where the registration names no system, or the EHR no number of it', async () => {
    const patients = patientsWith({ [`${SYSTEM} 1`]: 'p-1' });
    expect(await patients.find(TRANSACTION, { ...EHR, patientSystem: null }, [mine('1')])).toEqual({
      kind: 'unstated',
    });
    for (const numbers of [
      [],
      [{ value: '1' }],
      [{ system: 'https://else.example', value: '1' }],
      [mine('')],
      [mine('1', { use: 'old' })],
    ])
      expect([numbers, await find(patients, ...numbers)]).toEqual([numbers, { kind: 'unstated' }]);
  });

  it('is not known by a number beside the one that identifies them, where the time of that one is over', async () => {
    const patients = patientsWith({ [`${SYSTEM} 1`]: 'p-1', [`${SYSTEM} 2`]: 'p-2' });
    const [ended, beside] = [mine('1'), mine('2', { use: 'secondary' })];
    const inForce = (numbers: readonly GivenNumber[]) =>
      patients.find(TRANSACTION, EHR, numbers, ({ value }) => value !== '1');
    expect(await inForce([ended, beside])).toEqual({ kind: 'unstated' });
    expect(await inForce([beside])).toEqual({ kind: 'one', patientId: 'p-2' });
    expect(await inForce([ended, mine('2')])).toEqual({ kind: 'one', patientId: 'p-2' });
  });

  it('is not guessed of two numbers of the system, nor of one that two records have', async () => {
    expect(await find(patientsWith({ [`${SYSTEM} 1`]: 'p-1' }), mine('1'), mine('2'))).toEqual({ kind: 'unstated' });
    const two = patientsWith({ [`${SYSTEM} 1`]: 'p-1', ' 1': 'p-2' });
    expect(await find(two, mine('1'))).toEqual({ kind: 'several' });
  });

  it('is one, by the same number said twice, beside numbers of others', async () => {
    const patients = patientsWith({ [`${SYSTEM} 1`]: 'p-1', 'https://else.example 1': 'p-2' });
    const others = [mine('1'), mine('1', { use: 'official' }), { system: 'https://else.example', value: '1' }];
    expect(await find(patients, ...others)).toEqual({ kind: 'one', patientId: 'p-1' });
    expect(await find(patients, mine('9'))).toEqual({ kind: 'nobody' });
  });

  it('is found by every form of the authority', async () => {
    const patients = patientsWith({ 'urn:oid:2.999.1 1': 'p-1' }, { table: tableOf() });
    expect(await find(patients, mine('1'))).toEqual({ kind: 'one', patientId: 'p-1' });
    expect(await find(patients, { system: 'urn:oid:2.999.1', value: '1' })).toEqual({ kind: 'one', patientId: 'p-1' });
  });

  it('is found by a number that names nobody only where nobody else’s it can be', async () => {
    const bare = { ' 1': 'p-1' };
    expect(await find(patientsWith(bare), mine('1'))).toEqual({ kind: 'one', patientId: 'p-1' });
    expect(await find(patientsWith(bare, { others: [null, SYSTEM] }), mine('1'))).toMatchObject({ kind: 'one' });
    expect(await find(patientsWith(bare, { others: ['https://second.example'] }), mine('1'))).toEqual({
      kind: 'nobody',
    });
    const table = tableOf({ isDefaultFor: ['door:rest'] });
    expect(await find(patientsWith(bare, { table }), mine('1'))).toEqual({ kind: 'nobody' });
  });
});
