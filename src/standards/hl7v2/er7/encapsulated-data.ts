import { decodingBase64 } from '../../../platform/turns/base64.js';
import { atOnce, PIECE, type Paced } from '../../../platform/turns/turns.js';
import { toPlainBase64 } from './base64-forms.js';
import { compacting } from './encoded-text.js';
import type { Delimiters, Er7Message, Er7Repetition, Er7Segment } from './er7-message.js';

/** One ED repetition. The true type of the file is judged later, from its first bytes. */
export interface EncapsulatedData {
  readonly sourceApplication: string;
  /** The type of ED.2 and ED.3, `image/jpeg`; null: absent, or unknown. */
  readonly contentType: string | null;
  /** The data are Base64 that ED.4 does not say (`encoding`), or in another form of it (`form`): worth a warning. */
  readonly assumed: 'encoding' | 'form' | null;
  readonly bytes: Buffer;
}

/** `empty` is answered with 101, the others with 102 (`encoding`: ED.4 is neither Base64, Hex, A nor empty). */
export type EncapsulationFault = 'empty' | 'base64' | 'hex' | 'encoding';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  JPEG: 'image/jpeg',
  JPG: 'image/jpeg',
  PNG: 'image/png',
  WEBP: 'image/webp',
  TIFF: 'image/tiff',
  TIF: 'image/tiff',
  GIF: 'image/gif',
  BMP: 'image/bmp',
  HEIC: 'image/heic',
  PDF: 'application/pdf',
  DICOM: 'application/dicom',
  RTF: 'application/rtf',
  HTML: 'text/html',
  XML: 'application/xml',
  TXT: 'text/plain',
  TEXT: 'text/plain',
};
/** Enough of it to tell, without a look at megabytes. */
const HEX = /^[0-9a-f]{64}/i;
const LONGEST_TYPE = 120;
const DATA_COMPONENT = 5;
const IS_TEXT = /^text\/|\/(?:rtf|xml)$/;

/** Value types under which some senders put a file, and none. */
const OTHER_TYPES: readonly string[] = ['', 'TX', 'ST', 'FT'];
/** How Base64 of a JPEG, PNG, WebP or PDF begins, or the prefix that browsers put before it. */
const BEGINS_AS_FILE = /^\s*(?:data:(?:image|application)\/|\/9j\/|iVBORw0KGgo|UklGR|JVBERi0)/;

/**
 * `ED` or `RP` where OBX-5 holds files: as OBX-2 says, or where it says text, or nothing, and the value is a file all the same, in the components of ED or alone.
 */
export function fileTypeOf(obx: Er7Segment, { component }: Delimiters): 'ED' | 'RP' | null {
  const type = obx.field(2).text.trim();
  if (type === 'ED' || type === 'RP') return type;
  const value = obx.field(5).repetitions[0]?.raw;
  return value !== undefined && OTHER_TYPES.includes(type) && BEGINS_AS_FILE.test(encodedPart(value, component))
    ? 'ED'
    : null;
}

/** ED.5; a value of one component is the file itself. */
function encodedPart(raw: string, component: string): string {
  const at = raw.indexOf(component);
  return at === -1 ? raw : (raw.split(component, DATA_COMPONENT)[DATA_COMPONENT - 1] ?? '');
}

/**
 * Reads one ED repetition of a message with these delimiters. Line ends within Base64, as bytes or as escape sequences,
 * are skipped. Base64 that is not padded was possibly cut off, and is a fault.
 */
export function readEncapsulatedData(
  repetition: Er7Repetition,
  delimiters: Delimiters,
): EncapsulatedData | EncapsulationFault {
  return known.get(repetition) ?? atOnce(reading(repetition, delimiters));
}

/** Reads the files of a message beforehand, so that `readEncapsulatedData` finds them: each may have megabytes. */
export function* readingFilesOf({ delimiters, segments }: Er7Message): Paced<void> {
  for (const obx of segments) {
    if (obx.name !== 'OBX' || fileTypeOf(obx, delimiters) !== 'ED') continue;
    for (const repetition of obx.field(5).repetitions) known.set(repetition, yield* reading(repetition, delimiters));
    yield;
  }
}

/** A message is read several times while it is mapped, and what it holds is decoded once. */
const known = new WeakMap<Er7Repetition, EncapsulatedData | EncapsulationFault>();

function* reading(
  repetition: Er7Repetition,
  { component, escape }: Delimiters,
): Paced<EncapsulatedData | EncapsulationFault> {
  const contentType = contentTypeOf(repetition.text(2), repetition.text(3));
  const encoding = repetition.text(4).trim().toUpperCase();
  const raw = encodedPart(repetition.raw, component);
  const encoded = (yield* compacting(raw, escape))?.text ?? null;
  if (encoded === '') return 'empty';
  const data = { sourceApplication: repetition.text(1, 1), contentType, assumed: null };
  switch (encoding) {
    case 'BASE64':
      return encoded === null ? 'base64' : ((yield* fromBase64(encoded, data)) ?? 'base64');
    case '':
      return (yield* fromUnstated(encoded, data)) ?? 'encoding';
    case 'HEX': {
      const bytes = encoded === null ? null : yield* decodingHex(encoded);
      return bytes === null ? 'hex' : { ...data, bytes };
    }
    case 'A': {
      const isText = encoded === null || contentType === null || IS_TEXT.test(contentType);
      const bytes = isText ? null : yield* decodingBase64(encoded);
      return bytes === null
        ? { ...data, bytes: Buffer.from(repetition.text(5), 'utf8') }
        : { ...data, assumed: 'encoding', bytes };
    }
    default:
      return 'encoding';
  }
}

type DataFacts = Omit<EncapsulatedData, 'bytes'>;

/** null: it is no Base64 in any form. `empty`: there is nothing in what is written around it. */
function* fromBase64(encoded: string, facts: DataFacts): Paced<EncapsulatedData | 'empty' | null> {
  const { text, isOtherForm, mediaType } = toPlainBase64(encoded);
  if (text === '') return 'empty';
  const bytes = yield* decodingBase64(text);
  if (bytes === null) return null;
  return {
    ...facts,
    contentType: facts.contentType ?? mediaType,
    assumed: isOtherForm ? 'form' : facts.assumed,
    bytes,
  };
}

/** Nobody says how the data are written: Base64 of a file is never hexadecimal by chance. */
function* fromUnstated(encoded: string | null, facts: DataFacts): Paced<EncapsulatedData | 'empty' | null> {
  if (encoded === null) return null;
  const assumed = { ...facts, assumed: 'encoding' as const };
  const bytes = HEX.test(encoded) ? yield* decodingHex(encoded) : null;
  if (bytes !== null) return { ...assumed, bytes };
  const found = yield* fromBase64(encoded, assumed);
  return found === null || found === 'empty' ? found : { ...found, assumed: 'encoding' };
}

/** One RP repetition. */
export interface ReferencePointer {
  readonly pointer: string;
  readonly application: string;
  /** The type of RP.3 and RP.4; null: absent, or unknown. */
  readonly contentType: string | null;
}

export function readReferencePointer(repetition: Er7Repetition): ReferencePointer {
  return {
    pointer: repetition.text(1),
    application: repetition.text(2, 1),
    contentType: contentTypeOf(repetition.text(3), repetition.text(4)),
  };
}

/** Senders write `IM^JPEG`, `Application^pdf` and `image^jpeg`, or a media type in either place. */
function contentTypeOf(type: string, subtype: string): string | null {
  for (const text of [subtype, type]) {
    const stated = text.trim();
    const known =
      CONTENT_TYPES[
        stated
          .slice(0, LONGEST_TYPE)
          .slice(stated.indexOf('/') + 1)
          .toUpperCase()
      ];
    if (known !== undefined) return known;
    if (stated.length <= LONGEST_TYPE && /^(?:application|image|text)\/[a-z0-9.+-]{1,100}$/i.test(stated))
      return stated.toLowerCase();
  }
  return null;
}

/** null: not valid hexadecimal. One pass, in pieces of an even length. */
function* decodingHex(text: string): Paced<Buffer | null> {
  if (text.length % 2 !== 0) return null;
  const bytes = Buffer.allocUnsafeSlow(text.length / 2);
  for (let from = 0; from < text.length; from += PIECE) {
    const slice = text.slice(from, from + PIECE);
    if (bytes.write(slice, from / 2, 'hex') !== slice.length / 2) return null;
    yield;
  }
  return bytes;
}
