import type { ChartPatient } from '../ehrs/chart-identity.js';
import type { ChartPatients } from '../ehrs/chart-patients.js';
import type { Ehr } from '../ehrs/ehr.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

/** Which patient here the patient of an open chart is: exactly one, or nobody. */
export class LaunchedPatients {
  constructor(private readonly patients: Pick<ChartPatients, 'identify'>) {}

  /**
   * The id of the patient. `launch.patient_unknown` where the EHR states no number of the registered system, or the number is nobody's here;
   * `launch.patient_unclear` where it is several people's, or the birth date says that it is somebody else.
   */
  async find(transaction: TenantTransaction, ehr: Ehr, stated: ChartPatient): Promise<string> {
    const found = await this.patients.identify(transaction, ehr, stated);
    switch (found.kind) {
      case 'unstated':
        throw unknown(UNSTATED);
      case 'nobody':
        throw unknown(NOBODY);
      case 'several':
        throw unclear(SEVERAL);
      case 'differs':
        throw unclear(OTHER_BIRTH_DATE);
      case 'doubtful':
        throw unclear(UNREAD_BIRTH_DATE);
      case 'one':
        return found.patientId;
    }
  }
}

const UNSTATED =
  'The EHR states no number of the registered patientSystem for this patient that is in force, or several. Look at Patient.identifier there, and at patientSystem here ("ehr list").';
const NOBODY = 'No patient here has the number that the EHR states.';
const SEVERAL =
  'The number that the EHR states is of several patients here. Have their records looked at before anybody is shown.';
const OTHER_BIRTH_DATE =
  'The patient here with this number has another birth date than the EHR states. Have both records looked at before anybody is shown.';
const UNREAD_BIRTH_DATE =
  'The EHR states a birth date that cannot be read (Patient.birthDate: 1951-07-14, 1951-07 or 1951). Have it corrected there; until then nobody is shown.';

function unknown(detail: string): SuturaError {
  return new SuturaError('launch.patient_unknown', { detail });
}

function unclear(detail: string): SuturaError {
  return new SuturaError('launch.patient_unclear', { detail });
}
