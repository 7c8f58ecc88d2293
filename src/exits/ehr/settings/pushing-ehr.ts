import type { Ehr, EhrPush } from '../../../core/ehrs/ehr.js';

/** An EHR that results are filed in. */
export interface PushingEhr extends Ehr {
  readonly push: EhrPush;
  readonly patientSystem: string;
}

/** null: nothing is filed there. */
export function toPushing(ehr: Ehr): PushingEhr | null {
  const { push, patientSystem } = ehr;
  return push?.enabled === true && patientSystem !== null ? { ...ehr, push, patientSystem } : null;
}
