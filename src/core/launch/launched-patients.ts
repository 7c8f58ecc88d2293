import type { EhrRegister } from '../ehrs/ehr.register.js';
import type { Ehr } from '../ehrs/ehr.js';
import { SuturaError } from '../errors/sutura-error.js';
import { AUTHORITY_DOORS } from '../patients/authority.js';
import type { AuthorityDirectory, AuthorityTable } from '../patients/authority-table.js';
import type { BirthDates } from '../patients/birth-dates.js';
import { knownBirthDate } from '../patients/identity-comparison.js';
import type { PatientRepository } from '../patients/patient.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { StatedPatient } from './launch-context.js';

export interface LaunchedPatientPorts {
  readonly patients: Pick<PatientRepository, 'carriers'>;
  readonly birthDates: BirthDates;
  readonly authorities: AuthorityDirectory;
  readonly ehrs: Pick<EhrRegister, 'list'>;
}

/** Numbers without an authority. */
const OWN = '';
/** More numbers of one system than any patient has: nobody can tell which is meant. */
const MOST_NUMBERS = 20;

/** Which patient here an EHR's patient is: exactly one, or nobody. */
export class LaunchedPatients {
  constructor(private readonly ports: LaunchedPatientPorts) {}

  /**
   * The id of the patient. `launch.patient_unknown` where the numbers are nobody's here; `launch.patient_unclear` where they are several people's,
   * or the birth date says that it is somebody else.
   */
  async find(transaction: TenantTransaction, ehr: Ehr, stated: StatedPatient): Promise<string> {
    const { patientSystem } = ehr;
    if (patientSystem === null) throw unknown(NO_SYSTEM);
    if (stated.numbers.length === 0) throw unknown(NO_NUMBER);
    if (stated.numbers.length > MOST_NUMBERS) throw unclear(SEVERAL);
    const systems = await this.systemsOf(ehr, patientSystem);
    const numbers = stated.numbers.flatMap((value) => systems.map((system) => ({ system, value })));
    const carriers = await this.ports.patients.carriers(transaction, numbers);
    const found = [...new Set(carriers.filter((id) => id !== null))];
    if (found.length > 1) throw unclear(SEVERAL);
    if (found[0] === undefined) throw unknown(NOBODY);
    if (isOther(await this.ports.birthDates.of(transaction, found[0]), stated.birthDate)) throw unclear(OTHER_BIRTH_DATE);
    return found[0];
  }

  /** Bare numbers are this EHR's too, unless somebody else's word stands: a default of the table, or another EHR with a numbering of its own. */
  private async systemsOf(ehr: Ehr, patientSystem: string): Promise<readonly string[]> {
    const table = await this.ports.authorities.of(ehr);
    const spellings = table.spellings(patientSystem);
    if (!isOwnByDefault(table, patientSystem)) return spellings;
    const others = await this.ports.ehrs.list(ehr.organizationId, ehr.environment);
    const isShared = others.some(
      (other) => other.patientSystem !== null && !table.isSame(other.patientSystem, patientSystem),
    );
    return isShared ? spellings : [...spellings, OWN];
  }
}

function isOwnByDefault(table: AuthorityTable, patientSystem: string): boolean {
  return AUTHORITY_DOORS.every((door) => {
    const system = table.defaultFor({ door });
    return system === undefined || table.isSame(system, patientSystem);
  });
}

/** Compared as far as both are precise. */
function isOther(known: string | null, stated: string | null): boolean {
  const [one, other] = [knownBirthDate(known), knownBirthDate(stated)];
  return one !== null && other !== null && !one.startsWith(other) && !other.startsWith(one);
}

const NO_SYSTEM =
  'The registration of this EHR names no patientSystem, so that its patients cannot be known here. Set it with "ehr set".';
const NO_NUMBER = 'The EHR states no number of the registered patientSystem for this patient.';
const NOBODY = 'No patient here has the number that the EHR states.';
const SEVERAL = 'The numbers that the EHR states are of several patients here. Have their records looked at before anybody is shown.';
const OTHER_BIRTH_DATE =
  'The patient here with this number has another birth date than the EHR states. Have both records looked at before anybody is shown.';

function unknown(detail: string): SuturaError {
  return new SuturaError('launch.patient_unknown', { detail });
}

function unclear(detail: string): SuturaError {
  return new SuturaError('launch.patient_unclear', { detail });
}
