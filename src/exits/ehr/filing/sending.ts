import { NoEhrAnswerError } from '../../../ehrs/index.js';
import type { EhrServer, FhirRequest } from '../calls/ehr-server.js';
import type { FhirAnswer } from '../calls/fhir-answer.js';
import type { BegunWrite } from '../queue/open-writes.js';
import type { FilingTurn } from './filing-turn.js';
import { saysTaken, TransientError } from './refusals.js';

/** Epic's number of a row that is there, and FHIR's own code. */
const DUPLICATE: ReadonlySet<string> = new Set(['59141', 'duplicate']);

/** Whether the EHR says that it has this already. */
export function isDuplicate({ codes }: Pick<FhirAnswer, 'codes'>): boolean {
  return codes.some((code) => DUPLICATE.has(code));
}

/** Sends a write into a chart, where it may stand from now on unless the EHR says that it does not. */
export async function sendWrite(
  server: EhrServer,
  request: Omit<FhirRequest, 'signal'>,
  write: BegunWrite,
  turn: FilingTurn,
): Promise<FhirAnswer> {
  await turn.marks.begin(write);
  try {
    const answer = await server.ask(turn.ehr, { ...request, signal: turn.signal });
    if (isRefused(answer)) await turn.marks.refused();
    return answer;
  } catch (fault) {
    if (fault instanceof NoEhrAnswerError) await (fault.mayHaveArrived ? turn.marks.unheard() : turn.marks.refused());
    throw fault;
  }
}

/** An answer of success that names nothing: it may have been done, and the next attempt looks for it. */
export async function unnamed(answer: FhirAnswer, turn: FilingTurn, fault = 'no_resource'): Promise<never> {
  if (!saysTaken(answer.status)) throw new NoEhrAnswerError(fault, true);
  // Made, or taken and made later: it is looked for, and not sent again.
  await turn.marks.taken();
  throw new TransientError(answer);
}

/** Nothing of it was done. Where the EHR was late (408), has it (409, 412) or is broken, that is not known. */
function isRefused(answer: FhirAnswer): boolean {
  const { status } = answer;
  const isUncertain = status === 408 || status === 409 || status === 412 || isDuplicate(answer);
  return status >= 400 && status < 500 && !isUncertain;
}
