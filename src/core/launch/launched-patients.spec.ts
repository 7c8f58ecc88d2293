import type { IdentifiedPatient } from '../ehrs/chart-patients.js';
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

function outcomeOf(found: IdentifiedPatient): Promise<string> {
  const patients = new LaunchedPatients({ identify: () => Promise.resolve(found) });
  return patients.find(new Transaction(), EHR, { numbers: [], birthDate: null }).catch((fault: unknown) => {
    if (isSuturaError(fault)) return fault.code;
    throw fault;
  });
}

describe('the patient of a launch', () => {
  it('is nobody unless the EHR’s number is of exactly one patient', async () => {
    expect(await outcomeOf({ kind: 'unstated' })).toBe('launch.patient_unknown');
    expect(await outcomeOf({ kind: 'nobody' })).toBe('launch.patient_unknown');
    expect(await outcomeOf({ kind: 'several' })).toBe('launch.patient_unclear');
    expect(await outcomeOf({ kind: 'differs' })).toBe('launch.patient_unclear');
    expect(await outcomeOf({ kind: 'doubtful' })).toBe('launch.patient_unclear');
    expect(await outcomeOf({ kind: 'one', patientId: 'p1' })).toBe('p1');
  });
});
