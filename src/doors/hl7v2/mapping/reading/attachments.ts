import { describeUnknownFormat, FORMAT_SIGNATURE_BYTES } from '../../../../core/images/image-format.js';
import {
  fileTypeOf,
  readEncapsulatedData,
  readReferencePointer,
  type EncapsulationFault,
} from '../../../../standards/hl7v2/er7/encapsulated-data.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { placeIn, type Reading } from './message-reading.js';
import type { ObservationRow } from './order-groups.js';
import type { ProblemCode } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

/** The file in one repetition of an OBX. */
export interface RowAttachment {
  readonly kind: 'image' | 'document';
  readonly place: ProblemPlace;
  readonly contentType: string | undefined;
  readonly content: { readonly bytes: Buffer } | { readonly url: string };
}

const FAULTS: Readonly<
  Record<EncapsulationFault, readonly [code: ProblemCode, component: number, text: string | undefined]>
> = {
  empty: ['value.empty_data', 5, undefined],
  base64: ['value.base64', 5, 'OBX-5.5 is not valid Base64'],
  hex: ['value.base64', 5, 'OBX-5.5 is not valid hexadecimal'],
  encoding: ['value.base64', 4, 'OBX-5.4 is Base64, Hex or A'],
};
const OTHER_FORM =
  'The data have a data: prefix, the Base64 alphabet for addresses or too much padding, and were read all the same. Send plain Base64.';
const NOT_ED = 'The row holds a file, which OBX-2 does not say, and was read as ED.';
const PHOTOS: readonly (readonly [contentType: string, isIt: (bytes: Buffer) => boolean])[] = [
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ['image/webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
];
const PDF = 'application/pdf';
const MAX_POINTER_LENGTH = 2048;

/** The files of a row, one per repetition; faulty ones are refused. */
export function attachmentsOf(reading: Reading, row: ObservationRow): RowAttachment[] {
  const { obx } = row;
  const value = obx.field(5);
  const isPointer = fileTypeOf(obx, reading.message.delimiters) === 'RP';
  if (value.repetitions.length === 0) {
    reading.draft.refuse(isPointer ? 'field.required' : 'value.empty_data', placeIn(obx, 5));
    return [];
  }
  if (!['ED', 'RP'].includes(obx.field(2).text.trim())) reading.draft.warn('data.other_type', placeIn(obx, 2), NOT_ED);
  return value.repetitions.flatMap(
    (_, index) => (isPointer ? pointed(reading, row, index) : enclosed(reading, row, index)) ?? [],
  );
}

function enclosed({ message, draft }: Reading, { obx }: ObservationRow, index: number): RowAttachment | null {
  const place = placeIn(obx, 5, index + 1);
  const data = readEncapsulatedData(obx.field(5).repetitions[index]!, message.delimiters);
  if (typeof data === 'string') {
    const [code, component, text] = FAULTS[data];
    return draft.refuse(code, placeIn(obx, 5, index + 1, component), text);
  }
  const { bytes, contentType: stated } = data;
  if (data.assumed !== null)
    draft.warn(
      'data.assumed_base64',
      placeIn(obx, 5, index + 1, data.assumed === 'form' ? 5 : 4),
      data.assumed === 'form' ? OTHER_FORM : undefined,
    );
  // The type found in the bytes has precedence over the stated one.
  const found =
    PHOTOS.find(([, isIt]) => isIt(bytes))?.[0] ?? (bytes.toString('latin1', 0, 5) === '%PDF-' ? PDF : null);
  if (found !== null && stated !== null && stated !== found)
    draft.warn('data.other_type', placeIn(obx, 5, index + 1, 3));
  const contentType = found ?? stated;
  if (contentType === null || (found === null && (contentType === PDF || isImageType(contentType))))
    return draft.refuse(
      'value.image',
      place,
      contentType === PDF
        ? 'The data are no PDF document.'
        : describeUnknownFormat(bytes.subarray(0, FORMAT_SIGNATURE_BYTES)),
    );
  return { kind: found === null || found === PDF ? 'document' : 'image', place, contentType, content: { bytes } };
}

function pointed({ draft }: Reading, { obx }: ObservationRow, index: number): RowAttachment | null {
  const place = placeIn(obx, 5, index + 1);
  const { pointer, contentType } = readReferencePointer(obx.field(5).repetitions[index]!);
  if (!isFetchable(pointer) || contentType === 'application/dicom') return draft.refuse('value.pointer', place);
  const kind = contentType === null || isImageType(contentType) ? 'image' : 'document';
  return { kind, place, contentType: contentType ?? undefined, content: { url: pointer } };
}

/** DICOM holds images, but is not read here. */
function isImageType(contentType: string): boolean {
  return contentType.startsWith('image/') || contentType === 'application/dicom';
}

/** The record decides whether the host may be asked. */
function isFetchable(pointer: string): boolean {
  if (pointer.length > MAX_POINTER_LENGTH || /\s/.test(pointer)) return false;
  try {
    const { protocol, username, password } = new URL(pointer);
    return protocol === 'https:' && username === '' && password === '';
  } catch {
    return false;
  }
}
