import type { EhrPatient } from '../ehrs/ehr-patients.js';
import type { Ehr } from '../ehrs/ehr.js';
import { isSuturaError } from '../errors/sutura-error.js';
import { TenantTransaction } from '../ports/unit-of-work.js';
import { LaunchedPatients } from './launched-patients.js';

const EHR: Ehr = {
  id: 'e1',
  organizationId: 'o1',
  environment: 'live',
  name: 'EHR',
  fhirBaseUrl: 'https://ehr.example.org/fhir',
  origins: [],
  patientSystem: 'urn:oid:2.999.1',
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

function outcomeOf(found: EhrPatient, born: string | null = null, birthDate: string | null = null): Promise<string> {
  const patients = new LaunchedPatients({ find: () => Promise.resolve(found) }, { of: () => Promise.resolve(born) });
  return patients.find(new Transaction(), EHR, { numbers: [], birthDate }).catch((fault: unknown) => {
    if (isSuturaError(fault)) return fault.code;
    throw fault;
  });
}

describe('the patient of a launch', () => {
  it('is nobody unless the EHR’s number is of exactly one patient', async () => {
    expect(await outcomeOf({ kind: 'unstated' })).toBe('launch.patient_unknown');
    expect(await outcomeOf({ kind: 'nobody' })).toBe('launch.patient_unknown');
    expect(await outcomeOf({ kind: 'several' })).toBe('launch.patient_unclear');
    expect(await outcomeOf({ kind: 'one', patientId: 'p1' })).toBe('p1');
  });

  it('is nobody where the birth date says that it is somebody else, as far as both are precise', async () => {
    const at = (born: string, stated: string) => outcomeOf({ kind: 'one', patientId: 'p1' }, born, stated);
    for (const stated of ['1951-07-15', '1952', '1951-08'])
      expect(await at('1951-07-14', stated)).toBe('launch.patient_unclear');
    for (const stated of ['1951-07-14', '1951-07', '1951', '1900-01-01'])
      expect(await at('1951-07-14', stated)).toBe('p1');
    expect(await at('1900-01-01', '1951-07-14')).toBe('p1');
  });
});
