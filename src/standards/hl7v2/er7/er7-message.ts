/** The delimiters of a message, as its MSH-1 and MSH-2 state them; never assumed. */
export interface Delimiters {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
  /** The fifth character of MSH-2, which exists from 2.7 on. */
  readonly truncation: string | null;
}

/** One repetition of a field. Positions count from 1, as in the standard. */
export interface Er7Repetition {
  /** As received, with its escape sequences. */
  readonly raw: string;
  /**
   * Unescaped text of a component, or of one of its subcomponents; "" where there is none. Without `subcomponent` the
   * text keeps the separators of subcomponents, so that text types lose nothing. Types such as HD, FN and CX.4 are read
   * with a subcomponent.
   */
  text(component: number, subcomponent?: number): string;
  /** Number of components, without empty ones at the end. */
  readonly componentCount: number;
}

/** `null`: the sender wrote `""`, delete what is known; `absent`: it says nothing. */
export type FieldState = 'absent' | 'null' | 'valued';

export interface Er7Field {
  readonly state: FieldState;
  /** As received. */
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
  /** As received, without its end. */
  readonly raw: string;
  /** MSH-1 is the field separator itself, MSH-2 the encoding characters. */
  field(position: number): Er7Field;
}

/** A message read by position, without a strict grammar: unknown segments stay in place like any other. */
export interface Er7Message {
  readonly delimiters: Delimiters;
  /** Plain text of a field or a part of one, by the delimiters and the character set of this message. */
  unescape(raw: string): string;
  readonly segments: readonly Er7Segment[];
  /** The first of this name. */
  segment(name: string): Er7Segment | null;
  all(name: string): readonly Er7Segment[];
}

/** The fields of MSH that the door uses. Texts are unescaped; "" where a field is absent. */
export interface MessageHeader {
  readonly sendingApplication: string;
  readonly sendingFacility: string;
  readonly receivingApplication: string;
  readonly receivingFacility: string;
  readonly sentAt: string;
  /** MSH-9.1 and 9.2; 9.3 is derived where the sender leaves it out. */
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
