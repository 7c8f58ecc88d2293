import { SuturaError } from '../../../core/errors/sutura-error.js';
import { badAnswer, NoEhrAnswerError } from '../../../ehrs/index.js';

/** `launch.unreachable` where the EHR gave no whole answer; what else was thrown is as it was. */
export function orUnreachable(fault: unknown): never {
  if (!(fault instanceof NoEhrAnswerError)) throw fault;
  throw unreachable(fault);
}

/** In the words of the fault's code, which names no address. */
export function unreachable({ fault }: NoEhrAnswerError): SuturaError {
  // An address outside of the registration was never asked: the registration, or the EHR's own answer, is wrong.
  if (fault === 'address_refused')
    return badAnswer('An address of the EHR is none that may be called for this registration.');
  if (fault === 'too_large') return badAnswer('An answer of the EHR is larger than such an answer can be.');
  return new SuturaError('launch.unreachable', {
    detail: `The EHR gave no answer (${fault}). Try again from the chart; if it stays so, tell your IT.`,
  });
}
