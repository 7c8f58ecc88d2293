import type { InfectionSign } from '../analysis/infection-sign-codes.js';
import { signsStatedBy } from './infection-signs.js';
import type { AssessmentInSeries } from './series-order.js';
import type { Stated } from './stated-at-visit.js';

/** What forms state of each sign, read once for all signs. */
export class SignStatements {
  private readonly bySign = new Map<InfectionSign, Stated<boolean>[]>();

  /** @param forms oldest first */
  constructor(forms: readonly AssessmentInSeries[]) {
    for (const at of forms) {
      for (const [sign, value] of signsStatedBy(at.observations)) {
        const known = this.bySign.get(sign);
        if (known === undefined) this.bySign.set(sign, [{ at, value }]);
        else known.push({ at, value });
      }
    }
  }

  /** Oldest first, without the forms that say nothing of it. */
  of(sign: InfectionSign): readonly Stated<boolean>[] {
    return this.bySign.get(sign) ?? [];
  }
}
