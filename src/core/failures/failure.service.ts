import { isSuturaError } from '../errors/sutura-error.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { FailureFilter, FailureGroup, FailureKind, FailureRecords, FailureSelection } from './failure-group.js';

/** So many of one cause are done again in one call. */
export const MOST_AT_ONCE = 100;

/**
 * Does one of them again, as long as it is still failed; `by`: who asks, as the history of a delivery names them. Answers null, or the code for which it
 * is left as it is: what a person has to look at for this one alone, what it is refused for, or what became of it meanwhile. Throws what it is refused with.
 */
export type DoAgain = (tenant: Tenant, id: string, by: string) => Promise<string | null>;

/** What a call chose, before any of it is done. */
export interface ChosenFailures {
  readonly ids: readonly string[];
  /** Where the next call goes on; null: this is all. */
  readonly after: string | null;
}

export interface FailureRetries {
  readonly retried: number;
  /** What was not done again, and why: as `DoAgain`. */
  readonly skipped: readonly { readonly id: string; readonly code: string }[];
}

/** Failures by cause, and all of one cause done again. */
export class FailureService {
  constructor(
    private readonly records: FailureRecords,
    private readonly again: Readonly<Record<FailureKind, DoAgain>>,
  ) {}

  groups(filter: FailureFilter): Promise<readonly FailureGroup[]> {
    return this.records.groups(filter);
  }

  async choose(selection: FailureSelection): Promise<ChosenFailures> {
    const found = await this.records.ids(selection, MOST_AT_ONCE + 1);
    const ids = found.slice(0, MOST_AT_ONCE);
    return { ids, after: found.length > MOST_AT_ONCE ? ids.at(-1)! : null };
  }

  /** One after the other, as they were chosen. `service.unavailable` ends it. */
  async retry(kind: FailureKind, tenant: Tenant, ids: readonly string[], by: string): Promise<FailureRetries> {
    const skipped: { id: string; code: string }[] = [];
    for (const id of ids)
      try {
        const code = await this.again[kind](tenant, id, by);
        if (code !== null) skipped.push({ id, code });
      } catch (fault) {
        if (!isSuturaError(fault) || fault.code === 'service.unavailable') throw fault;
        skipped.push({ id, code: fault.code });
      }
    return { retried: ids.length - skipped.length, skipped };
  }
}
