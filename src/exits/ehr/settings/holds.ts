import type { Hold } from '../../../core/ehrs/filing-holds.js';

export { HOLDS, type Hold } from '../../../core/ehrs/filing-holds.js';

/** A result that waits for a person. */
export class HeldError extends Error {
  constructor(
    readonly hold: Hold,
    /** Codes of the EHR's answer, never its words. */
    readonly codes: readonly string[] = [],
  ) {
    super(hold);
  }
}
