import { createHash } from 'node:crypto';
import type { Media } from '@medplum/fhirtypes';
import type { FiledPhoto } from '../../../../standards/hl7v2/records/clinical-records.js';
import { profileUrl } from '../../../../reports/index.js';
import type { RowAttachment } from '../reading/attachments.js';
import { sameKeyOf } from '../reading/identifiers.js';
import type { Reading } from '../reading/message-reading.js';
import type { FileContext } from './photo.mapper.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';

const ORDER_PREFIX = 'ServiceRequest/';
const NUMBER_KINDS = ['placer', 'filler', 'accession'] as const;
const PATIENT_PREFIX = 'Patient/';
const WOUND = profileUrl('wound');

/**
 * Plans a photo by `make`, unless it is there already: a resent photo is neither kept, nor analysed, nor charged a second time. An order has the bytes of
 * a photo once, but for a resend of one whose analysis came to nothing. A message that is read once more (Reading.earlier) finds its photos in
 * the patient's record by their bytes, and those without an order join the one that it is for.
 */
export async function oncePerOrder(
  reading: Reading,
  file: FileContext,
  attachment: RowAttachment,
  make: () => PlannedResource,
): Promise<PlannedResource> {
  const { draft, earlier } = reading;
  if (await isOfAnother(reading, file.patient, attachment))
    draft.refuse('message.not_carried_out', attachment.place, OF_ANOTHER);
  const photo = nameOf(reading, attachment);
  // The sender says that one photo shows two wounds. Sent again, the order knows it (PhotoOrders.isRepeatOf).
  if (file.region !== null) return make();
  if (photo === null || (file.order === null && earlier === null)) return make();
  let isNew = false;
  const planned = await draft.once(`Media ${(file.order ?? file.patient).reference} ${keyOf(photo)}`, async () => {
    const known = await knownPhoto(reading, file, photo);
    if (known !== null) return known;
    const orderId = idIn(file.order, ORDER_PREFIX);
    if (orderId !== null && 'sha256' in photo) draft.addPhoto({ orderId, sha256: photo.sha256 });
    isNew = true;
    return make();
  });
  // What is reprocessed is expected to be there.
  if (!isNew && (earlier === null || earlier.kind === 'replayed')) draft.warn('photo.exists', attachment.place);
  return planned!;
}

/** Whether a later message brought the photo, and not of this patient: who was meant may have been corrected. */
async function isOfAnother(reading: Reading, patient: PlannedResource, attachment: RowAttachment): Promise<boolean> {
  if (!wasBroughtSince(reading, attachment)) return false;
  return (await filedPhotos(reading, patient, attachment)).length === 0;
}

/** Whether a message that is read once more has a photo which a later one brought as well. */
export function wasBroughtSince({ earlier }: Reading, attachment: RowAttachment): boolean {
  const since = earlier?.later?.broughtSince ?? [];
  if (since.length === 0) return false;
  const digest = digestOf(attachment);
  return digest !== null && since.includes(digest);
}

/** It stays refused: a photo under the wrong patient is worse than one that waits. */
const OF_ANOTHER =
  'A later message brought the same photo, of another patient. Nothing of this one was carried out. Replay it alone where its patient is meant, too.';

/** The patient's photos with the bytes of this one, oldest first; none for one whose bytes are not known. */
export async function filedPhotos(
  reading: Reading,
  patient: PlannedResource,
  attachment: RowAttachment,
): Promise<readonly FiledPhoto[]> {
  const photo = nameOf(reading, attachment);
  const patientId = idIn(patient, PATIENT_PREFIX);
  return photo === null || patientId === null ? [] : reading.records.filedPhotos(reading.source, { patientId, photo });
}

/** The first that belongs to no order: it calls none by a number, or this one. */
export function looseAmong(
  reading: Reading,
  filed: readonly FiledPhoto[],
  numbers: FileContext['numbers'],
): FiledPhoto | undefined {
  return filed.find(
    (photo) =>
      photo.orderIds.length === 0 && (photo.orderNumbers.length === 0 || callsByNumber(reading, photo, numbers)),
  );
}

function callsByNumber(reading: Reading, { orderNumbers }: FiledPhoto, numbers: FileContext['numbers']): boolean {
  return orderNumbers.some(({ kind, ...number }) => {
    const said = sameKeyOf(reading, number);
    return NUMBER_KINDS.some((of) => {
      const known = numbers[of];
      return (kind === null || kind === of) && known !== null && sameKeyOf(reading, known) === said;
    });
  });
}

/** SHA-256 of its bytes, hex; null: it is named by its URL. */
function digestOf({ content }: Pick<RowAttachment, 'content'>): string | null {
  return 'bytes' in content ? createHash('sha256').update(content.bytes).digest('hex') : null;
}

type PhotoName = { readonly sha256: string } | { readonly id: string };

/** A photo named by its URL has no known bytes; where the message was taken before, it has an image. */
function nameOf({ message, earlier }: Reading, { content, place }: RowAttachment): PhotoName | null {
  const sha256 = digestOf({ content });
  if (sha256 !== null) return { sha256 };
  if (earlier?.kind !== 'taken') return null;
  const id = earlier.pointedImageIds[pointersBefore(message, place)];
  return id === undefined ? null : { id };
}

/** The number of files by URL before this place of the message. */
function pointersBefore(message: Reading['message'], place: RowAttachment['place']): number {
  const rows = message.segments.filter(({ name }) => name === 'OBX');
  return rows.reduce((count, row) => {
    if (row.field(2).text.trim() !== 'RP' || row.sequence > (place.sequence ?? 1)) return count;
    return count + (row.sequence === place.sequence ? (place.repetition ?? 1) - 1 : row.field(5).repetitions.length);
  }, 0);
}

function keyOf(photo: PhotoName): string {
  return 'id' in photo ? photo.id : photo.sha256;
}

function idIn(resource: PlannedResource | null, prefix: string): string | null {
  return resource?.reference.startsWith(prefix) === true ? resource.reference.slice(prefix.length) : null;
}

async function knownPhoto(reading: Reading, file: FileContext, photo: PhotoName): Promise<PlannedResource | null> {
  const { records, source, earlier } = reading;
  const orderId = idIn(file.order, ORDER_PREFIX);
  const patientId = idIn(file.patient, PATIENT_PREFIX);
  if (orderId !== null && 'sha256' in photo) {
    const known = await records.photoOfOrder(source, { orderId, sha256: photo.sha256 });
    if (known !== null) return mediaOf(known);
  }
  if (patientId === null) return null;
  const found = await records.filedPhotos(source, { patientId, photo });
  const filed = found.filter(({ analysis }) => analysis !== 'withdrawn');
  // Somebody took it back since: that is not undone.
  if (filed.length === 0 && found.length > 0 && earlier !== null && earlier.kind !== 'replayed')
    return mediaOf(found[0]!.id);
  const own = filed.find(
    ({ orderIds, analysis }) =>
      orderId !== null && orderIds.includes(orderId) && (analysis === 'none' || earlier !== null),
  );
  if (own !== undefined) return own.analysis === 'none' ? completed(reading, own, file) : mediaOf(own.id);
  if (earlier === null) return null;
  const loose = looseAmong(reading, filed, file.numbers);
  if (file.order === null) return filed.length === 0 ? null : mediaOf((loose ?? filed[0]!).id);
  if (loose === undefined) return null;
  return loose.analysis === 'alive' ? mediaOf(loose.id) : completed(reading, loose, file);
}

/** A photo that is still to be analysed, with the order that it lacked, and with the wound and its site that are known of it by now. */
async function completed(
  reading: Reading,
  filed: FiledPhoto,
  { order, wound, site, numbers }: FileContext,
): Promise<PlannedResource | null> {
  const { draft, records, source } = reading;
  const media = await records.read<Media>(source, 'Media', filed.id);
  if (media === null) return null;
  const isPlaced = media.extension?.some(({ url }) => url === WOUND) === true;
  const isOrdered = order === null || media.basedOn?.some(({ reference }) => reference === order.reference) === true;
  // The record itself brings an order that is made together with the photos that call it by its number, which changes their version.
  const isBrought = !isOrdered && order.entry !== null && callsByNumber(reading, filed, numbers);
  const known: Partial<Media> = {
    ...(isOrdered || isBrought ? {} : { basedOn: [...(media.basedOn ?? []), referenceTo(order)] }),
    ...(wound === null || isPlaced
      ? {}
      : { extension: [...(media.extension ?? []), { url: WOUND, valueReference: referenceTo(wound) }] }),
    ...(site === undefined || media.bodySite !== undefined ? {} : { bodySite: site }),
  };
  if (Object.keys(known).length === 0) return mediaOf(filed.id);
  const { versionId: _, ...unversioned } = media.meta ?? {};
  return draft.change({ ...media, ...(isBrought ? { meta: unversioned } : {}), ...known }, null);
}

function mediaOf(id: string): PlannedResource {
  return { reference: `Media/${id}`, entry: null };
}
