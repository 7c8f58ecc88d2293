import type { AuthorityDirectory, AuthorityTable } from '../patients/authority-table.js';
import type { PatientIdentifier } from '../patients/patient.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import { identifyingNumbers, type GivenNumber } from '../patients/patient-numbers.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { EhrRegister } from './ehr.register.js';
import type { Ehr } from './ehr.js';

export interface EhrPatientPorts {
  readonly ehrs: Pick<EhrRegister, 'list'>;
  readonly patients: Pick<PatientRepository, 'carriers'>;
  readonly authorities: AuthorityDirectory;
}

/** Whom an EHR means. `unstated`: it gave no number of the registered system, or several. `several`: its number is of more than one record here. */
export type EhrPatient =
  | { readonly kind: 'one'; readonly patientId: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unstated' }
  | { readonly kind: 'several' };

/** Finds our record of the patient whom an EHR has before it, by the system of its registration alone. */
export class EhrPatients {
  constructor(private readonly ports: EhrPatientPorts) {}

  /**
   * `numbers`: Patient.identifier of the EHR. `isInForce`: asked of those that identify a patient alone, so that where theirs is over nobody is known by
   * another that stands beside it. Makes no record.
   */
  async find<Given extends GivenNumber>(
    transaction: TenantTransaction,
    ehr: Pick<Ehr, 'organizationId' | 'environment' | 'patientSystem'>,
    numbers: readonly Given[],
    isInForce: (number: Given) => boolean = () => true,
  ): Promise<EhrPatient> {
    const table = await this.ports.authorities.of(transaction.tenant);
    const { patientSystem } = ehr;
    if (patientSystem === null) return { kind: 'unstated' };
    const stated = identifyingNumbers(
      numbers.filter(({ system = '' }) => system !== '' && table.isSame(system, patientSystem)),
    ).filter(isInForce);
    const values = new Set(stated.map(({ value = '' }) => value));
    const [value] = values;
    if (value === undefined || values.size > 1) return { kind: 'unstated' };
    const isBare = await this.isOfBareNumbers(ehr, table);
    const sought = [...table.spellings(patientSystem), ...(isBare ? [''] : [])];
    const identifiers: PatientIdentifier[] = sought.map((system) => ({ system, value }));
    const found = new Set((await this.ports.patients.carriers(transaction, identifiers)).filter((id) => id !== null));
    const [patientId] = found;
    if (patientId === undefined) return { kind: 'nobody' };
    return found.size === 1 ? { kind: 'one', patientId } : { kind: 'several' };
  }

  /**
   * Whether numbers here that name no authority are this EHR's. They are not where the organization has said whose they are, and not where a second
   * EHR has another system: a guess would show one patient's wounds with another.
   */
  async isOfBareNumbers(
    { organizationId, environment, patientSystem }: Pick<Ehr, 'organizationId' | 'environment' | 'patientSystem'>,
    table: AuthorityTable,
  ): Promise<boolean> {
    if (patientSystem === null || table.defaultFor({ door: 'rest' }) !== undefined) return false;
    const ehrs = await this.ports.ehrs.list(organizationId, environment);
    return ehrs.every((ehr) => ehr.patientSystem === null || table.isSame(ehr.patientSystem, patientSystem));
  }
}
