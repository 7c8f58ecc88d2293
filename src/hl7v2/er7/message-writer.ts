/** A coded value with up to two codings; the systems are names of table 0396 (`LN`, `SCT`, `99SUT`). */
export interface CodedValue {
  readonly code: string;
  readonly display?: string;
  readonly system?: string;
  readonly alternate?: { readonly code: string; readonly display?: string; readonly system?: string };
  /** CWE.9; CE has no place for it. */
  readonly originalText?: string;
}

/**
 * Writes ER7 with the delimiters `|^~\&`. Every method takes plain text and gives back a field or part of one that is escaped;
 * `components`, `repetitions` and `segment` take such parts, or raw ones of a message that is echoed.
 */
export class MessageWriter {
  constructor(readonly versionId: string) {}

  /** ST and other one-line types: line ends become spaces. */
  text(_plain: string): string {
    throw new Error('being written');
  }

  /** FT and TX: line ends become `\.br\`. */
  formattedText(_plain: string): string {
    throw new Error('being written');
  }

  /** `CE` up to 2.4, `CWE` from 2.5: OBX-2 of coded values. */
  get codedType(): 'CE' | 'CWE' {
    throw new Error('being written');
  }

  coded(_value: CodedValue): string {
    throw new Error('being written');
  }

  components(..._parts: readonly string[]): string {
    throw new Error('being written');
  }

  subcomponents(..._parts: readonly string[]): string {
    throw new Error('being written');
  }

  repetitions(..._parts: readonly string[]): string {
    throw new Error('being written');
  }

  /** Fields by position. For MSH, positions 1 and 2 are written by themselves. Without the segment's end. */
  segment(_name: string, _fields: Readonly<Record<number, string>>): string {
    throw new Error('being written');
  }

  /** Segments in order, each with CR behind it, the last one, too. */
  message(_segments: readonly string[]): string {
    throw new Error('being written');
  }
}

/** `2.5.1` is at least `2.5`; 2.9 counts as 2.8.2; nonsense counts as older than all. */
export function isAtLeastVersion(_versionId: string, _wanted: string): boolean {
  throw new Error('being written');
}
