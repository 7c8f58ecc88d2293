import { z } from 'zod';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { badAnswer } from '../../../ehrs/index.js';

/** FHIR's id, without those that an address reads as the folder above. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9.-]{1,64}$/;
const LONGEST_APP_CONTEXT = 256;
const ANSWER = z.looseObject({
  access_token: z.string().min(1).max(65_536),
  patient: z.string().optional(),
  encounter: z.string().optional(),
  need_patient_banner: z.boolean().optional(),
  appContext: z.string().optional(),
});

/** What the token endpoint says of the launch, beside the id_token. */
export interface TokenAnswer {
  /** Used for what follows at once, and kept nowhere. */
  readonly accessToken: string;
  /** Ids at the EHR. */
  readonly patientId: string;
  readonly encounterId: string | null;
  readonly needsBanner: boolean;
  /** null: none, or nothing that could be an id. */
  readonly appContext: string | null;
}

/** `launch.answer`; `launch.patient_unknown` where no chart is open. Fewer scopes than were asked for are no fault: what may not be read is left out. */
export function readTokenAnswer(answer: unknown): TokenAnswer {
  const read = ANSWER.safeParse(answer);
  if (!read.success) throw badAnswer('The answer of the token endpoint is none of a launch.');
  const {
    access_token: accessToken,
    patient,
    encounter,
    need_patient_banner: needsBanner = true,
    appContext,
  } = read.data;
  if (patient === undefined)
    throw new SuturaError('launch.patient_unknown', {
      detail: 'The EHR names no patient: open Sutura from within a chart.',
    });
  if (!ID.test(patient) || (encounter !== undefined && !ID.test(encounter)))
    throw badAnswer('patient or encounter of the token answer is no id of FHIR.');
  const isShort = appContext !== undefined && appContext !== '' && appContext.length <= LONGEST_APP_CONTEXT;
  return {
    accessToken,
    patientId: patient,
    encounterId: encounter ?? null,
    needsBanner,
    appContext: isShort ? appContext : null,
  };
}
