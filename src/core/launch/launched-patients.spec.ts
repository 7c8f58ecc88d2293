import type { Ehr } from '../ehrs/ehr.js';
import { isSuturaError } from '../errors/sutura-error.js';
import { AuthorityTable } from '../patients/authority-table.js';
import type { PatientIdentifier } from '../patients/patient.js';
import { TenantTransaction } from '../ports/unit-of-work.js';
import { LaunchedPatients } from './launched-patients.js';

const SYSTEM = 'urn:oid:2.999.1';
const OTHER = 'urn:oid:2.999.2';
const EHR: Ehr = {
  id: 'e1',
  organizationId: 'o1',
  environment: 'live',
  name: 'EHR',
  fhirBaseUrl: 'https://ehr.example.org/fhir',
  origins: [],
  patientSystem: SYSTEM,
  launch: null,
  push: null,
  cds: null,
  frameAncestors: [],
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

class Transaction extends TenantTransaction {
  readonly tenant = EHR;
  afterCommit(): void {
    throw new Error('nothing is written');
  }
}

interface Ground {
  /** `system|value` → patient. */
  readonly known?: Readonly<Record<string, string>>;
  readonly born?: Readonly<Record<string, string>>;
  readonly ehrs?: readonly Ehr[];
  /** Whose bare numbers are another authority's by the table. */
  readonly defaultSystem?: string;
}

function find(numbers: readonly string[], { known = {}, born = {}, ehrs = [EHR], defaultSystem }: Ground, ehr = EHR, birthDate: string | null = null) {
  const authorities =
    defaultSystem === undefined
      ? []
      : [
          {
            id: 'a1',
            organizationId: 'o1',
            environment: null,
            further: [],
            system: defaultSystem,
            origin: 'operator' as const,
            createdAt: new Date(0),
            name: null,
            namespace: null,
            oid: null,
            uri: null,
            facilities: [],
            isDefaultFor: ['door:rest'],
          },
        ];
  const patients = new LaunchedPatients({
    patients: {
      carriers: (_transaction, identifiers: readonly PatientIdentifier[]) =>
        Promise.resolve(identifiers.map(({ system, value }) => known[`${system}|${value}`] ?? null)),
    },
    birthDates: { of: (_transaction, id) => Promise.resolve(born[id] ?? null) },
    authorities: {
      of: () => Promise.resolve(new AuthorityTable({ authorities, forms: [], proposals: [], numberings: [] })),
    },
    ehrs: { list: () => Promise.resolve([...ehrs]) },
  });
  return patients.find(new Transaction(), ehr, { numbers, birthDate }).catch((fault: unknown) => {
    if (isSuturaError(fault)) return fault.code;
    throw fault;
  });
}

describe('the patient of a launch', () => {
  it('is nobody without a number, without a registered system, and for a number that nobody has', async () => {
    const known = { [`${SYSTEM}|1`]: 'p1' };
    expect(await find([], { known })).toBe('launch.patient_unknown');
    expect(await find(['1'], { known }, { ...EHR, patientSystem: null })).toBe('launch.patient_unknown');
    expect(await find(['2'], { known })).toBe('launch.patient_unknown');
  });

  it('is nobody where the numbers are several people’s, or too many', async () => {
    const known = { [`${SYSTEM}|1`]: 'p1', [`${SYSTEM}|2`]: 'p2', '|3': 'p3', [`${SYSTEM}|3`]: 'p4' };
    expect(await find(['1', '2'], { known })).toBe('launch.patient_unclear');
    // One number, as stated and without an authority: two people.
    expect(await find(['3'], { known })).toBe('launch.patient_unclear');
    expect(await find(Array.from({ length: 21 }, (_, n) => String(n)), { known: { [`${SYSTEM}|1`]: 'p1' } })).toBe('launch.patient_unclear');
  });

  it('is nobody where the birth date says that it is somebody else, as far as both are precise', async () => {
    const known = { [`${SYSTEM}|1`]: 'p1' };
    const at = (birthDate: string) => find(['1'], { known, born: { p1: '1951-07-14' } }, EHR, birthDate);
    expect(await Promise.all(['1951-07-15', '1952', '1951', '1951-07-14', '1900-01-01'].map(at))).toEqual([
      'launch.patient_unclear',
      'launch.patient_unclear',
      'p1',
      'p1',
      'p1',
    ]);
  });

  it('is one of a number without an authority, unless such numbers are somebody else’s', async () => {
    const known = { '|1': 'p1' };
    expect(await find(['1'], { known })).toBe('p1');
    expect(await find(['1'], { known, defaultSystem: OTHER })).toBe('launch.patient_unknown');
    expect(await find(['1'], { known, defaultSystem: SYSTEM })).toBe('p1');
    expect(await find(['1'], { known, ehrs: [EHR, { ...EHR, id: 'e2', patientSystem: OTHER }] })).toBe('launch.patient_unknown');
  });

  it('is one person by several of their numbers', async () => {
    expect(await find(['1', '2'], { known: { [`${SYSTEM}|1`]: 'p1', [`${SYSTEM}|2`]: 'p1' } })).toBe('p1');
  });
});
