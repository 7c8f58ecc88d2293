import type { Check } from '../check.js';
import type { IssueCode } from '../resource-issue.js';

/** What is demanded of the values of a type, or of an element, besides their structure. The check may throw for a value of a wrong structure. */
export interface Demand {
  readonly check: Check;
  readonly code: IssueCode;
  /** Repeats nothing of the value. */
  readonly details: string;
  /** The member that is at fault, where it is not the value as a whole. */
  readonly member?: string;
  /** What other validators refuse, and R4 has in its text alone: it is told and taken. */
  readonly isAdvice?: true;
}
