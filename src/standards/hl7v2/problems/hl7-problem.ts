/** HL7 table 0357. */
export type ErrorConditionCode =
  | '100'
  | '101'
  | '102'
  | '103'
  | '104'
  | '200'
  | '201'
  | '202'
  | '203'
  | '204'
  | '205'
  | '206'
  | '207';

/** A place in the message, as in ERR-2; positions count from 1. */
export interface ProblemPlace {
  readonly segment: string;
  readonly sequence?: number;
  readonly field?: number;
  readonly repetition?: number;
  readonly component?: number;
  readonly subcomponent?: number;
}

/**
 * An error or a warning about a message. Carries no value of the message, since it goes into logs and acknowledgments.
 */
export interface Hl7Problem {
  /** `error` refuses the message; `warning` accompanies its acceptance. */
  readonly severity: 'error' | 'warning';
  readonly condition: ErrorConditionCode;
  readonly place: ProblemPlace | null;
  /** Our own code, coding system 99SUT: `order.unknown`. */
  readonly code: string;
  /** For the operator of the interface: the record's own code and kind of refusal. */
  readonly diagnosis?: string;
  /** For a person: what is wrong and what to do. */
  readonly text: string;
}
