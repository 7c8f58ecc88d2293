/** HL7 table 0357. */
export type ErrorConditionCode =
  '100' | '101' | '102' | '103' | '104' | '200' | '201' | '202' | '203' | '204' | '205' | '206' | '207';

/** Where in the message, as ERR-2 states it; positions from 1. */
export interface ProblemPlace {
  readonly segment: string;
  readonly sequence?: number;
  readonly field?: number;
  readonly repetition?: number;
  readonly component?: number;
  readonly subcomponent?: number;
}

/** One thing that is wrong with a message, or worth saying about it. Carries no value of the message: it goes into logs and acknowledgments. */
export interface Hl7Problem {
  /** `error` refuses the message; `warning` rides on its acceptance. */
  readonly severity: 'error' | 'warning';
  readonly condition: ErrorConditionCode;
  readonly place: ProblemPlace | null;
  /** Our own code, coding system 99SUT: `order.unknown`. */
  readonly code: string;
  /** For whoever looks after the interface: the record's own code and kind of refusal. */
  readonly diagnosis?: string;
  /** For the person who reads it: what is wrong and what to do. */
  readonly text: string;
}
