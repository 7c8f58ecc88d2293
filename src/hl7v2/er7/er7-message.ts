/** The characters that a message separates with, as its MSH-1 and MSH-2 state them; never assumed. */
export interface Delimiters {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
  /** From 2.7 on a fifth character of MSH-2 may be stated. */
  readonly truncation: string | null;
}

/** One repetition of a field. Positions count from 1, as in the standard. */
export interface Er7Repetition {
  /** As it came in, escapes and all. */
  readonly raw: string;
  /**
   * Text of a component, unescaped: all of it, with the separators of subcomponents where it has any, so that text types lose nothing; or of one of
   * its subcomponents. Types such as HD, FN and CX.4 are read with a subcomponent. "" where there is none.
   */
  text(component: number, subcomponent?: number): string;
  /** Number of components, empty ones at the end not counted. */
  readonly componentCount: number;
}

/** `null`: the sender wrote `""`, delete what is known; `absent`: it says nothing. */
export type FieldState = 'absent' | 'null' | 'valued';

export interface Er7Field {
  readonly state: FieldState;
  /** As it came in. */
  readonly raw: string;
  /** Empty where the field is absent or null. */
  readonly repetitions: readonly Er7Repetition[];
  /** First component of the first repetition, unescaped; "" where there is none. */
  readonly text: string;
}

export interface Er7Segment {
  readonly name: string;
  /** 1 for the first segment of this name in the message, and so on: ERR-2.2. */
  readonly sequence: number;
  /** 0 for the first segment of the message. */
  readonly place: number;
  /** As it came in, without its end. */
  readonly raw: string;
  /** MSH-1 is the field separator itself, MSH-2 the encoding characters. */
  field(position: number): Er7Field;
}

/** A message read by position, never by a strict grammar: segments that nobody knows are there like any other. */
export interface Er7Message {
  readonly delimiters: Delimiters;
  /** Plain text of what a field or part of one says, by the delimiters and the character set of this message. */
  unescape(raw: string): string;
  readonly segments: readonly Er7Segment[];
  /** The first of this name. */
  segment(name: string): Er7Segment | null;
  all(name: string): readonly Er7Segment[];
}

/** What every part reads of MSH. Texts are unescaped; "" where a field is absent. */
export interface MessageHeader {
  readonly sendingApplication: string;
  readonly sendingFacility: string;
  readonly receivingApplication: string;
  readonly receivingFacility: string;
  readonly sentAt: string;
  /** MSH-9.1, 9.2; 9.3 derived where the sender leaves it out. */
  readonly messageCode: string;
  readonly triggerEvent: string;
  readonly structure: string;
  readonly controlId: string;
  readonly processingId: string;
  readonly versionId: string;
  /** MSH-15 and MSH-16. */
  readonly acceptAcknowledgment: string;
  readonly applicationAcknowledgment: string;
  /** MSH-18, first repetition. */
  readonly characterSet: string;
}
