import type { Delimiters, Er7Repetition } from './er7-message.js';

/** One ED repetition. The true type of the file is judged later, from its first bytes. */
export interface EncapsulatedData {
  readonly sourceApplication: string;
  /** The type of ED.2 and ED.3, `image/jpeg`; null: absent, or unknown. */
  readonly contentType: string | null;
  /** ED.4 said `A`, but the data is Base64: worth a warning. */
  readonly wasStatedAsText: boolean;
  readonly bytes: Buffer;
}

/** `empty` is answered with 101, the others with 102 (`encoding`: ED.4 is neither Base64, Hex nor A). */
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
const IS_TEXT = /^text\/|\/(?:rtf|xml)$/;

/**
 * Reads one ED repetition of a message with these delimiters. Line ends within Base64, as bytes or as escape sequences,
 * are skipped.
 */
export function readEncapsulatedData(
  repetition: Er7Repetition,
  delimiters: Delimiters,
): EncapsulatedData | EncapsulationFault {
  const contentType = contentTypeOf(repetition.text(2), repetition.text(3));
  const encoding = repetition.text(4).trim().toUpperCase();
  const encoded = encodedPart(repetition, delimiters);
  if (encoded === '') return 'empty';
  const data = { sourceApplication: repetition.text(1, 1), contentType, wasStatedAsText: false };
  switch (encoding) {
    case 'BASE64': {
      const bytes = decodeBase64(encoded);
      return bytes === null ? 'base64' : { ...data, bytes };
    }
    case 'HEX': {
      const bytes = decodeHex(encoded);
      return bytes === null ? 'hex' : { ...data, bytes };
    }
    case 'A': {
      const bytes = contentType === null || IS_TEXT.test(contentType) ? null : decodeBase64(encoded);
      return bytes === null
        ? { ...data, bytes: Buffer.from(repetition.text(5), 'utf8') }
        : { ...data, wasStatedAsText: true, bytes };
    }
    default:
      return 'encoding';
  }
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
    const known = CONTENT_TYPES[stated.slice(stated.indexOf('/') + 1).toUpperCase()];
    if (known !== undefined) return known;
    if (/^(?:application|image|text)\/[a-z0-9.+-]{1,100}$/i.test(stated)) return stated.toLowerCase();
  }
  return null;
}

/** ED.5 without white space, in each form that senders use. */
function encodedPart({ raw }: Er7Repetition, { component, escape }: Delimiters): string {
  const data = raw.split(component)[4] ?? '';
  return withoutEscapedLineEnds(data, escape).replace(/[\r\n\t ]+/g, '');
}

export function withoutEscapedLineEnds(data: string, escape: string): string {
  if (!data.includes(escape)) return data;
  const mark = escape.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  // Some senders write `\X0D\X0A\`, where one escape character ends the first sequence and begins the second.
  return data.replace(new RegExp(`(?:${mark}(?:\\.br|X(?:0[DA9]|20)+))+${mark}`, 'gi'), '');
}

/**
 * null: not valid Base64, or not padded and therefore possibly cut off. Node skips invalid characters, so the lengths
 * are compared.
 */
function decodeBase64(text: string): Buffer | null {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : null;
}

function decodeHex(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'hex');
  return text.length % 2 === 0 && bytes.length === text.length / 2 ? bytes : null;
}
