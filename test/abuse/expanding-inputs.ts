import { gzipSync } from 'node:zlib';
import type { Dice } from '../support/mutations.js';

/** Bytes that cost their sender little, and the one who works on them much. */
export interface ExpandingInput {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** An input of about so many bytes. */
export type Making = (sizeBytes: number) => Omit<ExpandingInput, 'what' | 'method'>;

export const fill = (unit: string, sizeBytes: number): string =>
  unit.repeat(Math.max(1, Math.floor(sizeBytes / unit.length)));
const fhir =
  (path: string, body: (sizeBytes: number) => string): Making =>
  (sizeBytes) => ({ path: `/fhir/${path}`, type: 'application/fhir+json', bytes: Buffer.from(body(sizeBytes)) });
const inXml =
  (inside: (sizeBytes: number) => string): Making =>
  (sizeBytes) => ({
    path: '/fhir/Patient',
    type: 'application/fhir+xml',
    bytes: Buffer.from(`<Patient xmlns="http://hl7.org/fhir">${inside(sizeBytes)}</Patient>`),
  });
const native =
  (path: string, type: string, body: (sizeBytes: number) => string): Making =>
  (sizeBytes) => ({ path: `/api/v1/${path}`, type, bytes: Buffer.from(body(sizeBytes)) });
const HEAD = 'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260105083000||ORU^R01|{id}|T|2.5.1\r';
const PATIENT = 'PID|1||4711^^^HOSP^MR||Example^Patient\r';
const hl7 =
  (body: (sizeBytes: number) => string, head = HEAD + PATIENT): Making =>
  (sizeBytes) => ({
    path: '/hl7v2?ackStatus=always200',
    type: 'application/hl7-v2',
    bytes: Buffer.from(`${head}OBR|1|P1||72170-4^Photo^LN\r${body(sizeBytes)}`.replace('{id}', `${idOf(sizeBytes)}`)),
  });
const file = (unit: string, encoding = 'Base64', end = ''): Making =>
  hl7((sizeBytes) => `OBX|1|ED|72170-4^^LN||EHR^IM^JPEG^${encoding}^${fill(unit, sizeBytes)}${end}||||||F\r`);
const text = (unit: string, end = ''): Making =>
  hl7((sizeBytes) => `OBX|1|TX|72170-4^^LN||${fill(unit, sizeBytes)}${end}||||||F\r`);
const number =
  (before: string, unit: string, end: string): Making =>
  (sizeBytes) =>
    hl7(() => 'NTE|1||a\r', `${HEAD}PID|1||${before}${fill(unit, sizeBytes)}${end}||Example^Patient\r`)(sizeBytes);
const binary = (unit: string, end = ''): Making =>
  fhir(
    'Binary',
    (sizeBytes) => `{"resourceType":"Binary","contentType":"image/jpeg","data":"${fill(unit, sizeBytes)}${end}"}`,
  );
const photo = (unit: string): Making =>
  fhir(
    'Patient',
    (sizeBytes) =>
      `{"resourceType":"Patient","photo":[{"contentType":"image/jpeg","data":"${fill(unit, sizeBytes)}"}]}`,
  );

let made = 0;
const idOf = (sizeBytes: number): string => `E${sizeBytes}-${(made += 1)}`;

/** By the door and what is in them. */
export const EXPANDING: Readonly<Record<string, Making>> = {
  'Binary: a blank behind each character': binary('A '),
  'Binary: a line end behind each group': binary('AAAA\\n'),
  'Binary: base64 alone': binary('AAAA'),
  'Binary: base64 in lines': binary(`${'A'.repeat(76)}\\r\\n`),
  'Binary: a wrong character at the end': binary('AAAA', '!AAA'),
  'Binary: padding in the middle': binary('AAAA', '=='),
  'Binary: blanks alone': binary(' '),
  'Patient: a photo with blanks': photo('A '),
  'Patient: a photo': photo('AAAA'),
  'Media: blanks': fhir(
    'Media',
    (sizeBytes) =>
      `{"resourceType":"Media","status":"completed","content":{"contentType":"image/jpeg","data":"${fill('A ', sizeBytes)}"}}`,
  ),
  '$validate: blanks': fhir(
    'Media/$validate',
    (sizeBytes) =>
      `{"resourceType":"Media","status":"completed","content":{"contentType":"image/jpeg","data":"${fill('A\\t', sizeBytes)}"}}`,
  ),
  'FHIR: blanks between tokens': fhir(
    'Patient',
    (sizeBytes) => `{"resourceType":"Patient",${fill(' ', sizeBytes)}"active":true}`,
  ),
  'FHIR: a narrative': fhir(
    'Patient',
    (sizeBytes) =>
      `{"resourceType":"Patient","text":{"status":"generated","div":"<div xmlns='http://www.w3.org/1999/xhtml'>${fill('<b>a</b>', sizeBytes)}</div>"}}`,
  ),
  'FHIR: a name in letters of two bytes': fhir(
    'Patient',
    (sizeBytes) => `{"resourceType":"Patient","name":[{"family":"${fill('ä', sizeBytes)}"}]}`,
  ),
  'FHIR: escapes': fhir(
    'Patient',
    (sizeBytes) => `{"resourceType":"Patient","name":[{"family":"${fill('\\u00e4', sizeBytes)}"}]}`,
  ),
  'FHIR: a batch with a patch of blanks': fhir(
    '',
    (sizeBytes) =>
      `{"resourceType":"Bundle","type":"batch","entry":[{"resource":{"resourceType":"Binary","contentType":"application/json-patch+json","data":"${fill('A ', sizeBytes)}"},"request":{"method":"PATCH","url":"Patient/1"}}]}`,
  ),
  'FHIR XML: a photo with blanks': inXml((sizeBytes) => `<photo><data value="${fill('A ', sizeBytes)}"/></photo>`),
  'FHIR XML: a photo': inXml((sizeBytes) => `<photo><data value="${fill('AAAA', sizeBytes)}"/></photo>`),
  'FHIR XML: a photo in lines': inXml(
    (sizeBytes) => `<photo><data value="${fill(`${'A'.repeat(76)}\n`, sizeBytes)}"/></photo>`,
  ),
  'FHIR XML: references': inXml((sizeBytes) => `<name><family value="${fill('&#228;', sizeBytes)}"/></name>`),
  'FHIR XML: a name in letters of two bytes': inXml(
    (sizeBytes) => `<name><family value="${fill('ä', sizeBytes)}"/></name>`,
  ),
  'FHIR XML: elements': inXml((sizeBytes) => fill('<name><given value="a"/></name>', sizeBytes)),
  'FHIR XML: values with ids': inXml((sizeBytes) => `<name>${fill('<given id="a"/>', sizeBytes)}</name>`),
  'FHIR XML: comments': inXml((sizeBytes) => fill('<!-- a -->', sizeBytes)),
  'FHIR XML: blanks': inXml((sizeBytes) => fill(' \n', sizeBytes)),
  'FHIR XML: a narrative': inXml(
    (sizeBytes) => `<text><div xmlns="http://www.w3.org/1999/xhtml">${fill('<b>a</b>', sizeBytes)}</div></text>`,
  ),
  'FHIR: a search': (sizeBytes) => ({
    path: '/fhir/Observation/_search',
    type: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(`code=${fill('a%2C', sizeBytes)}`),
  }),
  'HL7: escaped line ends': file('A\\.br\\'),
  'HL7: line ends in hexadecimal': file('\\X0D\\'),
  'HL7: one endless line end': hl7(
    (sizeBytes) => `OBX|1|ED|72170-4^^LN||EHR^IM^JPEG^Base64^\\X${fill('0D', sizeBytes)}\\||||||F\r`,
  ),
  'HL7: a file with blanks': file('A '),
  'HL7: a file': file('AAAA'),
  'HL7: a file in lines': file(`${'A'.repeat(76)}\\.br\\`),
  'HL7: a file in hexadecimal': file('AB', 'Hex'),
  'HL7: a file with blanks and a wrong end': file('AAAAAAAA        ', 'Base64', '!'),
  'HL7: blanks behind a file, and a wrong end': hl7(
    (sizeBytes) => `OBX|1|TX|72170-4^^LN||${'A'.repeat(64)}${fill(' ', sizeBytes)}!||||||F\r`,
  ),
  'HL7: carets': text('^'),
  'HL7: tildes': text('~'),
  'HL7: pipes': text('|'),
  'HL7: ampersands': text('&'),
  'HL7: blanks': text(' ', 'a'),
  'HL7: words': text('word '),
  'HL7: letters of two bytes': text('ä'),
  'HL7: escape characters': text('\\'),
  'HL7: escaped separators': text('\\F\\a'),
  'HL7: lines': text('a\n'),
  'HL7: segments': hl7((sizeBytes) => fill('NTE|1||a\r', sizeBytes)),
  'HL7: a batch': hl7((sizeBytes) => fill('MSH|^~\\&|a\r', sizeBytes), 'FHS|^~\\&\rBHS|^~\\&\r'),
  'HL7: an OID as authority': number('4711^^^HOSP&1', '.1', '&ISO^MR'),
  'HL7: a number': number('', '4', '^^^HOSP^MR'),
  'HL7: a number with blanks within': number('4', ' ', '7^^^HOSP^MR'),
  'HL7: a number with blanks before': number('', ' ', '7^^^HOSP^MR'),
  'HL7: a long authority': number('4711^^^', 'A', '^MR'),
  'native: JSON of blanks': native(
    'analysis/jobs',
    'application/json',
    (sizeBytes) => `{${fill(' ', sizeBytes)}"imageId":"x"}`,
  ),
  'native: JSON of lists': native('analysis/jobs', 'application/json', (sizeBytes) => fill('[', sizeBytes)),
};

/** The input of this name and size. */
export function expanding(what: string, sizeBytes: number, inputs = EXPANDING): ExpandingInput {
  return { what: `${what}, ${sizeBytes} bytes`, method: 'POST', ...inputs[what]!(sizeBytes) };
}

const UNITS = [
  'A',
  ' ',
  '\\n',
  'AAAA',
  '=',
  '\\.br\\',
  '\\X0D\\',
  '^',
  '~',
  '&',
  '|',
  '\r',
  'ä',
  '+',
  '/',
  '-',
  '0D',
  '<b>',
  '.1',
  '%',
];

/** A random one: a few units of the above, each repeated at random, in the place of what expands. */
export function randomExpanding(dice: Dice, mostBytes: number, inputs = EXPANDING): ExpandingInput {
  const what = dice.pick(Object.keys(inputs));
  const input = expanding(what, 64, inputs);
  const parts = Array.from({ length: 1 + dice.below(5) }, () => fill(dice.pick(UNITS), 1 + dice.below(mostBytes / 5)));
  const place = dice.below(input.bytes.length);
  const filled = parts.join('').replaceAll(input.type.includes('json') ? /[\r\\](?!n)/g : /(?!)/g, '');
  return {
    ...input,
    bytes: Buffer.concat([input.bytes.subarray(0, place), Buffer.from(filled), input.bytes.subarray(place)]),
  };
}

/** What is sent of an input: as it is, or packed. */
export function asSent(input: ExpandingInput, isPacked: boolean): { headers: Record<string, string>; bytes: Buffer } {
  return isPacked
    ? { headers: { 'content-type': input.type, 'content-encoding': 'gzip' }, bytes: gzipSync(input.bytes) }
    : { headers: { 'content-type': input.type }, bytes: input.bytes };
}
