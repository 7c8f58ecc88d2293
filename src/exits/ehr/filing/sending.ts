import { NoEhrAnswerError } from '../../../ehrs/index.js';
import type { EhrServer, FhirRequest } from '../calls/ehr-server.js';
import type { FhirAnswer } from '../calls/fhir-answer.js';
import type { FilingTurn } from './filing-turn.js';

/** Epic's number of a row that is there, and FHIR's own code. */
const DUPLICATE: ReadonlySet<string> = new Set(['59141', 'duplicate']);

/** Whether the EHR says that it has this already. */
export function isDuplicate({ codes }: Pick<FhirAnswer, 'codes'>): boolean {
  return codes.some((code) => DUPLICATE.has(code));
}

/** Sends a write into the chart of a patient, which may stand there from now on unless the EHR says that it does not. */
export async function sendWrite(
  server: EhrServer,
  request: Omit<FhirRequest, 'signal'>,
  patient: string,
  turn: FilingTurn,
): Promise<FhirAnswer> {
  await turn.begin(patient);
  try {
    const answer = await server.ask(turn.ehr, { ...request, signal: turn.signal });
    if (isRefused(answer)) await turn.settle();
    return answer;
  } catch (fault) {
    if (fault instanceof NoEhrAnswerError && !fault.mayHaveArrived) await turn.settle();
    throw fault;
  }
}

/** Nothing of it was done. Where the EHR was late (408), has it (409, 412) or is broken, that is not known. */
function isRefused(answer: FhirAnswer): boolean {
  const { status } = answer;
  const isUncertain = status === 408 || status === 409 || status === 412 || isDuplicate(answer);
  return status >= 400 && status < 500 && !isUncertain;
}
