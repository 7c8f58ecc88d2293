/** One field of a segment, with the name that HL7 gives it (version 2.5.1). */
export interface NamedField {
  /** `PID-3`. */
  readonly place: string;
  /** null: not one of those that this service reads or writes. */
  readonly name: string | null;
  readonly text: string;
}

export interface Segment {
  readonly name: string;
  readonly title: string;
  readonly raw: string;
  readonly fields: readonly NamedField[];
}

/** Titles and field names of the segments that the service reads or writes (HL7 2.5.1, chapters 2, 3, 4 and 7). */
const SEGMENTS: Readonly<Record<string, readonly [title: string, fields: Readonly<Record<number, string>>]>> = {
  MSH: [
    'Message header',
    {
      1: 'Field separator',
      2: 'Encoding characters',
      3: 'Sending application',
      4: 'Sending facility',
      5: 'Receiving application',
      6: 'Receiving facility',
      7: 'Date/time of message',
      9: 'Message type',
      10: 'Message control id',
      11: 'Processing id',
      12: 'Version',
      15: 'Accept acknowledgment type',
      16: 'Application acknowledgment type',
      18: 'Character set',
      21: 'Message profile',
    },
  ],
  MSA: ['Acknowledgment', { 1: 'Acknowledgment code', 2: 'Message control id', 3: 'Text message' }],
  ERR: [
    'Error',
    {
      2: 'Error location',
      3: 'HL7 error code',
      4: 'Severity',
      5: 'Application error code',
      7: 'Diagnostic information',
      8: 'User message',
    },
  ],
  PID: [
    'Patient',
    {
      1: 'Set id',
      2: 'Patient id',
      3: 'Patient identifiers',
      4: 'Alternate patient id',
      5: 'Patient name',
      7: 'Date of birth',
      8: 'Sex',
      11: 'Address',
      13: 'Phone, home',
      18: 'Account number',
      29: 'Date of death',
      30: 'Death indicator',
    },
  ],
  PD1: ['Patient, additional', { 4: 'Primary care provider' }],
  PV1: [
    'Visit',
    {
      2: 'Patient class',
      3: 'Location',
      7: 'Attending doctor',
      8: 'Referring doctor',
      19: 'Visit number',
      44: 'Admitted',
      45: 'Discharged',
    },
  ],
  MRG: ['Merge', { 1: 'Prior patient identifiers' }],
  EVN: ['Event', { 1: 'Event type', 2: 'Recorded', 5: 'Operator', 6: 'Occurred' }],
  ORC: [
    'Common order',
    {
      1: 'Order control',
      2: 'Placer order number',
      3: 'Filler order number',
      4: 'Placer group number',
      5: 'Order status',
      9: 'Date/time of transaction',
      12: 'Ordering provider',
      17: 'Entering organization',
    },
  ],
  OBR: [
    'Observation request',
    {
      1: 'Set id',
      2: 'Placer order number',
      3: 'Filler order number',
      4: 'Universal service identifier',
      7: 'Observation date/time',
      13: 'Relevant clinical information',
      16: 'Ordering provider',
      18: 'Placer field 1 (accession number)',
      20: 'Filler field 1',
      22: 'Results reported',
      24: 'Diagnostic service section',
      25: 'Result status',
      32: 'Principal result interpreter',
    },
  ],
  OBX: [
    'Observation',
    {
      1: 'Set id',
      2: 'Value type',
      3: 'Observation identifier',
      4: 'Observation sub-id',
      5: 'Observation value',
      6: 'Units',
      7: 'Reference range',
      8: 'Abnormal flags',
      11: 'Result status',
      14: 'Observation date/time',
      16: 'Responsible observer',
      18: 'Equipment',
      19: 'Analysis date/time',
    },
  ],
  NTE: ['Note', { 1: 'Set id', 2: 'Source', 3: 'Comment' }],
  TXA: [
    'Document',
    {
      2: 'Document type',
      3: 'Content presentation',
      4: 'Activity date/time',
      12: 'Unique document number',
      17: 'Completion status',
    },
  ],
};
/** What is longer, such as a photo in base64, is cut in the view; the whole stands in the raw text. */
const LONGEST_SHOWN = 400;

/** The segments of a message, its fields by name. Text alone: nothing in it is interpreted. */
export function segmentsOf(message: string): Segment[] {
  const lines = message.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const separator = lines[0]?.startsWith('MSH') === true ? (lines[0][3] ?? '|') : '|';
  return lines.map((raw) => {
    const name = raw.slice(0, 3);
    const [title, names] = SEGMENTS[name] ?? ['', {}];
    const parts = raw.split(separator).slice(1);
    // MSH-1 is the separator itself.
    const texts = name === 'MSH' ? [separator, ...parts] : parts;
    const fields = texts.flatMap((text, index): NamedField[] =>
      text === '' ? [] : [{ place: `${name}-${index + 1}`, name: names[index + 1] ?? null, text: shown(text) }],
    );
    return { name, title, raw, fields };
  });
}

function shown(text: string): string {
  return text.length <= LONGEST_SHOWN
    ? text
    : `${text.slice(0, LONGEST_SHOWN)} … (${text.length.toLocaleString()} characters)`;
}
