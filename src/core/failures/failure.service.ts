import type { ErrorCode } from '../errors/catalogue.js';
import { isSuturaError } from '../errors/sutura-error.js';
import type { Tenant } from '../tenancy/tenant.js';
import type {
  ChosenFailure,
  FailureFilter,
  FailureGroup,
  FailureKind,
  FailureRecords,
  FailureSelection,
} from './failure-group.js';

/** So many of one cause are done again in one call. */
export const MOST_AT_ONCE = 100;

/**
 * Does one of them again, as long as it is still failed and was not tried since it was chosen; `by`: who asks, as the history of a delivery names them.
 * Answers null, or the code for which it is left as it is: what a person has to look at for this one alone, what it is refused for, or what became of it
 * meanwhile. Throws what it is refused with.
 */
export type DoAgain = (tenant: Tenant, failure: ChosenFailure, by: string) => Promise<string | null>;

/** What a call chose, before any of it is done. */
export interface ChosenFailures {
  readonly failures: readonly ChosenFailure[];
  /** Where the next call goes on; null: this is all. */
  readonly after: string | null;
}

export interface FailureRetries {
  readonly retried: number;
  /** What was not done again, and why: as `DoAgain`, or by the first word of the cause for which it is failed by now. */
  readonly skipped: readonly { readonly id: string; readonly code: string }[];
  /** Where the next call goes on; null: this is all. */
  readonly after: string | null;
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
    const found = await this.records.chosen(selection, MOST_AT_ONCE + 1);
    const failures = found.slice(0, MOST_AT_ONCE);
    return { failures, after: found.length > MOST_AT_ONCE ? failures.at(-1)!.id : null };
  }

  /**
   * One after the other, as they were chosen. One that the database cannot do at the moment ends the call, and the next goes on behind it: where it is
   * not there, nothing is chosen then (`service.unavailable`); where this one always takes too long, it holds up none.
   */
  async retry(of: RetriedCause, { failures, after }: ChosenFailures, by: string): Promise<FailureRetries> {
    const skipped: { id: string; code: string }[] = [];
    for (const [index, failure] of failures.entries()) {
      const code = await this.retryOne(of, failure, by);
      if (code !== null) skipped.push({ id: failure.id, code });
      if (code !== UNAVAILABLE) continue;
      const isLast = index === failures.length - 1;
      return { retried: index + 1 - skipped.length, skipped, after: isLast ? after : failure.id };
    }
    return { retried: failures.length - skipped.length, skipped, after };
  }

  private async retryOne(
    { kind, tenant, cause }: RetriedCause,
    failure: ChosenFailure,
    by: string,
  ): Promise<string | null> {
    try {
      const now = await this.records.causeOf(kind, tenant, failure.id);
      if (now !== null && now !== cause) return now.split(' ', 1)[0]!;
      return await this.again[kind](tenant, failure, by);
    } catch (fault) {
      if (!isSuturaError(fault)) throw fault;
      return fault.code;
    }
  }
}

type RetriedCause = Pick<FailureSelection, 'tenant' | 'kind' | 'cause'>;
const UNAVAILABLE: ErrorCode = 'service.unavailable';
