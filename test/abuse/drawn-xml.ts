import type { Dice } from '../support/mutations.js';
import { fill } from './expanding-inputs.js';

const FHIR = 'xmlns="http://hl7.org/fhir"';
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';
const MIB = 1024 * 1024;

const patient = (inside: string, root = FHIR): string => `<Patient ${root}>${inside}</Patient>`;
const laughs = (levels: number): string =>
  `<!DOCTYPE Patient [<!ENTITY a0 "ha">${Array.from({ length: levels }, (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`).join('')}]>${patient(`<gender value="&a${levels};"/>`)}`;
const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const narrative = (inside: string): string =>
  patient(`<text><status value="generated"/><div ${XHTML}>${inside}</div></text>`);

/** Documents of about so many bytes that no server of FHIR takes. */
const KINDS: Readonly<Record<string, (sizeBytes: number, dice: Dice) => string | Buffer>> = {
  'entities that grow': (_, dice) => laughs(2 + dice.below(30)),
  'one entity, often': (size) =>
    `<!DOCTYPE a [<!ENTITY a "${'b'.repeat(1000)}">]>${patient(`<gender value="${fill('&a;', size)}"/>`)}`,
  'entities that nobody declared': (size) => patient(`<gender value="${fill('&a;', size)}"/>`),
  'an entity that fetches': () =>
    `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${patient('<gender value="&b;"/>')}`,
  'a document type that fetches': () => `<!DOCTYPE a SYSTEM "http://169.254.169.254/">${patient('')}`,
  'a document type without an end': (size) => `<!DOCTYPE ${fill('[', size)}`,
  depth: (size) => `<Patient ${FHIR}>${fill('<extension url="a">', size)}`,
  'depth of unknown elements': (size) => `<Patient ${FHIR}>${fill('<a>', size)}`,
  'depth of a narrative': (size) => `<Patient ${FHIR}><text><div ${XHTML}>${fill('<b>', size)}`,
  attributes: (size) => `<Patient ${FHIR} ${Array.from({ length: size / 10 }, (_, at) => `a${at}="b"`).join(' ')}/>`,
  namespaces: (size) =>
    `<Patient ${FHIR} ${Array.from({ length: size / 16 }, (_, at) => `xmlns:a${at}="b"`).join(' ')}/>`,
  'namespaces, level by level': (size) =>
    `<Patient ${FHIR}>${Array.from({ length: size / 32 }, (_, at) => `<a xmlns:a${at}="b">`).join('')}`,
  'one attribute, often': (size) => patient(`<gender ${fill('value="a" ', size)}/>`),
  'another encoding': () => `<?xml version="1.0" encoding="UTF-7"?>${patient('')}`,
  'Latin-1': (size) => Buffer.from(patient(`<gender value="${fill('\u00e4', size)}"/>`), 'latin1'),
  'UTF-16, little end first': (size) => utf16(patient(fill('<name/>', size / 2)), 'le'),
  'UTF-16, big end first': (size) => utf16(patient(fill('<name/>', size / 2)), 'be'),
  'UTF-16 without a mark': (size) => Buffer.from(patient(fill('<name/>', size / 2)), 'utf16le'),
  'another namespace': (size) => patient(fill('<name/>', size), 'xmlns="http://hl7.org/fhir/2"'),
  'no namespace': (size) => patient(fill('<name/>', size), ''),
  'a namespace in between': (size) => patient(`${fill('<name/>', size)}<a xmlns="urn:x"/>`),
  instructions: (size) => `${fill('<?a b?>', size)}${patient('')}`,
  'an instruction without an end': (size) => `<?a ${fill('b', size)}`,
  'marked sections': (size) => patient(fill('<![CDATA[a]]>', size)),
  'a marked section without an end': (size) => patient(`<![CDATA[${fill(']]', size)}`),
  'marked sections in a narrative': (size) => narrative(fill('<![CDATA[a]]>', size)),
  'comments, and nothing else': (size) => fill('<!-- a -->', size),
  'a comment without an end': (size) => `<!--${fill(' -', size)}`,
  'comments in comments': (size) => patient(fill('<!-- <!-- -->', size)),
  'an element without an end': (size) => `<Patient ${FHIR}>${fill('<name/>', size)}`,
  'ends without an element': (size) => `${patient('')}${fill('</Patient>', size)}`,
  'a value without an end': (size) => `<Patient ${FHIR}><gender value="${fill('a', size)}`,
  'a name without an end': (size) => `<${fill('a', size)}`,
  'open brackets': (size) => fill('<', size),
  text: (size) => patient(fill('a', size)),
  'a value of megabytes': (size) => patient(`<gender value="${fill('a', Math.max(size, MIB))}"/>`),
  'references in a value': (size) => patient(`<gender value="${fill('&#97;', Math.max(size, 4 * MIB))}"/>`),
  'references to nothing': (size) => patient(`<gender value="${fill('&#0;', size)}"/>`),
  'bare ampersands': (size) => patient(`<gender value="${fill('&', size)}"/>`),
  'a narrative of megabytes': (size) => narrative(fill('<b>a</b>', Math.max(size, 2 * MIB))),
  'a narrative of one text': (size) => narrative(fill('a ', Math.max(size, 2 * MIB))),
  scripts: (size) => narrative(fill('<script>a</script>', size / 10)),
  NUL: (size) => `${patient('')}${fill('\u0000', size)}`,
  'control characters': (size) => patient(`<gender value="${fill('\u0001', size)}"/>`),
  blanks: (size) => patient(fill(' ', Math.max(size, 2 * MIB))),
  elements: () => patient(fill('<name/>', 4 * MIB)),
  'unknown elements': (size) => patient(fill('<mood/>', size)),
  'values twice': (size) => patient(fill('<gender value="male"/>', size)),
  'a number of megabytes': (size) => patient(`<multipleBirthInteger value="${fill('9', size)}"/>`),
  'prefixes that nobody declared': (size) => `<a:Patient>${fill('<a:name/>', size)}</a:Patient>`,
  'names with colons': (size) => `<${fill('a:', size)}>`,
  'two roots': (size) => `${patient('')}${patient(fill('<name/>', size))}`,
  nothing: () => '',
};

/** What is sent, and its kind. */
export interface HostileXml {
  readonly what: string;
  readonly bytes: Buffer;
}

/** How many kinds there are. */
export const HOSTILE_KINDS = Object.keys(KINDS).length;

/**
 * A document from a seed, of the kind at this place; as many rounds as there are kinds have each of them once. Of any size up to 8 MiB, or
 * a `large` one of 128 KiB to 4 MiB, in which what grows faster than the document is seen.
 */
export function drawnXml(dice: Dice, place: number, size: 'any' | 'large'): HostileXml {
  const what = Object.keys(KINDS)[place % HOSTILE_KINDS]!;
  const sizeBytes = size === 'any' ? 2 ** (4 + dice.below(20)) : 2 ** (17 + dice.below(6));
  return { what: `${what}, ${sizeBytes} bytes`, bytes: Buffer.from(KINDS[what]!(sizeBytes, dice) as string) };
}
