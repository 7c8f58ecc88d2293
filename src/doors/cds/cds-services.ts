import type { CareMoment } from '../../core/ehrs/wounds-to-tell.js';
import { DISCHARGE_CALL, PATIENT_VIEW_CALL } from './cds.schema.js';

/** Where CDS Hooks are, below the public address. */
export const CDS_PATH = '/cds-services';

/** One service: what asks it, and what it answers of. */
export interface CdsService {
  readonly id: string;
  readonly hook: string;
  readonly title: string;
  readonly description: string;
  readonly moment: CareMoment;
  readonly call: typeof PATIENT_VIEW_CALL | typeof DISCHARGE_CALL;
}

export const CDS_SERVICES: readonly CdsService[] = [
  {
    id: 'sutura-wound-patient-view',
    hook: 'patient-view',
    title: 'Wounds: what to look at',
    description:
      'Says of a patient’s wounds what is worse, waits for a clinician, or was not photographed lately. Figures and dates; no prediction. Nothing to say is no card.',
    moment: 'view',
    call: PATIENT_VIEW_CALL,
  },
  {
    id: 'sutura-wound-encounter-discharge',
    hook: 'encounter-discharge',
    title: 'Wounds: before discharge',
    description:
      'Says before a discharge which wounds are worse, wait for a clinician, or have no photo of these days. Figures and dates; no prediction. Nothing to say is no card.',
    moment: 'discharge',
    call: DISCHARGE_CALL,
  },
];

/** As discovery has them. The patient alone is asked for: the wounds are here. */
export function discoveryOf({ id, hook, title, description }: CdsService): Readonly<Record<string, unknown>> {
  return { id, hook, title, description, prefetch: { patient: 'Patient/{{context.patientId}}' } };
}
