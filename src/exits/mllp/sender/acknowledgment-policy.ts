import type { Outcome } from '../../kit/index.js';
import type { Acknowledgment } from '../../../standards/hl7v2/mllp/acknowledgment.js';

/** Application record locked, application internal error: the receiver may take the same message later. */
const TRANSIENT_CONDITIONS: readonly string[] = ['206', '207'];

/** Meaning of MSA-1 and ERR-3 for the message that they acknowledge. */
export function meaningOf({
  code,
  conditions,
}: Pick<Acknowledgment, 'code' | 'conditions'>): (Outcome<never> & { readonly kind: 'answered' })['meaning'] {
  switch (code) {
    case 'AA':
    case 'CA':
      return 'accepted';
    case 'AE':
    case 'CE':
      return 'refused';
    case 'AR':
    case 'CR':
      return conditions.some((condition) => TRANSIENT_CONDITIONS.includes(condition)) ? 'transient' : 'rejected';
  }
}
