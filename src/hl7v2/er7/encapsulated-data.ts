import type { Delimiters, Er7Repetition } from './er7-message.js';

/** One ED repetition. What kind of file it really is, is judged by those who open it, from its first bytes. */
export interface EncapsulatedData {
  readonly sourceApplication: string;
  /** As stated by ED.2 and ED.3, `image/jpeg`; null: not stated, or nothing that is known. */
  readonly contentType: string | null;
  /** ED.4 said `A` for what is Base64: worth a warning. */
  readonly wasStatedAsText: boolean;
  readonly bytes: Buffer;
}

/** `empty` is answered with 101, the others with 102 (`encoding`: ED.4 is neither Base64, Hex nor A). */
export type EncapsulationFault = 'empty' | 'base64' | 'hex' | 'encoding';

export function readEncapsulatedData(_repetition: Er7Repetition, _delimiters: Delimiters): EncapsulatedData | EncapsulationFault {
  throw new Error('being written');
}

/** One RP repetition. */
export interface ReferencePointer {
  readonly pointer: string;
  readonly application: string;
  /** As stated by RP.3 and RP.4; null: not stated, or nothing that is known. */
  readonly contentType: string | null;
}

export function readReferencePointer(_repetition: Er7Repetition): ReferencePointer {
  throw new Error('being written');
}
