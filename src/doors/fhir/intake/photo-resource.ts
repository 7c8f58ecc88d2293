import type { DocumentReference, Extension, Media } from '@medplum/fhirtypes';
import type { CodedConcept, Laterality } from '../../../core/analysis/analysis-job.js';
import type { PhotoRegion } from '../../../core/measurement/photo-region.js';
import { profileUrl } from '../../../reports/index.js';
import { statedSubject } from '../interactions/stated-subject.js';
import { idOf, idsOf } from './local-reference.js';
import { numbersNamedBy, type OrderNumber } from './order-numbers.js';
import { regionOf } from './photo-region.js';
import { lateralityOf, siteOf } from './wound-terms.js';

/** Facts that a resource states about its photo, whichever of the two forms it has. Ids are of this server. */
export interface PhotoResource {
  /** `Media/…` or `DocumentReference/…`. */
  readonly reference: string;
  readonly imageId: string;
  /** null: no patient, or one that is not named by a reference. */
  readonly patientId: string | null;
  /** It states a patient who is not known here yet. */
  readonly awaitsPatient: boolean;
  /** A BodyStructure. */
  readonly woundId: string | null;
  /** Where in the photo the wound lies; null: not stated. */
  readonly region: PhotoRegion | null;
  /** FHIR dateTime; null: not stated. */
  readonly takenAt: string | null;
  readonly bodySite: CodedConcept | undefined;
  /** As a code beside that of the body site; undefined: not stated. */
  readonly laterality: Laterality | undefined;
  readonly notes: readonly string[];
  /** ServiceRequests. */
  readonly orderIds: readonly string[];
  /** Numbers of orders that it names beside these: what they call is not known here, or was not when the photo came. */
  readonly orderNumbers: readonly OrderNumber[];
  /** Image of the Media that it is a copy of, as sent back by a receiver; null: none. */
  readonly copyOf: string | null;
  /** Entered in error: never analysed. */
  readonly isWithdrawn: boolean;
}

const WOUND_EXTENSION = profileUrl('wound');
/** By which a Media names the one that it is a copy of. */
export const COPY_EXTENSION = profileUrl('copy-of');
const PHOTO_TYPE = '72170-4';

export function photoOfMedia(media: Media): PhotoResource {
  return {
    reference: `Media/${media.id}`,
    imageId: media.id!,
    patientId: idOf(media.subject, 'Patient'),
    awaitsPatient: statedSubject(media) !== null,
    woundId: woundOf(media),
    region: regionOf(media),
    takenAt: media.createdDateTime ?? media.createdPeriod?.start ?? null,
    bodySite: siteOf(media.bodySite),
    laterality: media.bodySite === undefined ? undefined : lateralityOf([media.bodySite]),
    notes: textsOf(media.note),
    orderIds: idsOf(media.basedOn, 'ServiceRequest'),
    orderNumbers: numbersNamedBy(media),
    copyOf: copiedBy(media),
    isWithdrawn: media.status === 'entered-in-error',
  };
}

/** null: not a photo of a wound. The wound is in the extension or among the related resources. */
export function photoOfDocument(document: DocumentReference): PhotoResource | null {
  if (!isPhotoDocument(document)) return null;
  return {
    reference: `DocumentReference/${document.id}`,
    imageId: document.id!,
    patientId: idOf(document.subject, 'Patient'),
    awaitsPatient: statedSubject(document) !== null,
    woundId: woundOf(document) ?? idsOf(document.context?.related, 'BodyStructure')[0] ?? null,
    region: regionOf(document),
    takenAt: document.content?.[0]?.attachment?.creation ?? document.context?.period?.start ?? null,
    bodySite: undefined,
    laterality: undefined,
    notes: document.description === undefined ? [] : [document.description],
    orderIds: idsOf(document.context?.related, 'ServiceRequest'),
    orderNumbers: numbersNamedBy(document),
    copyOf: null,
    isWithdrawn: document.status === 'entered-in-error',
  };
}

/** True by type or category (LOINC 72170-4), unless the attachment states another content type than an image. */
export function isPhotoDocument({ type, category, content }: DocumentReference): boolean {
  if (content?.[0]?.attachment?.contentType?.startsWith('image/') === false) return false;
  return [type, ...(category ?? [])].some((concept) => concept?.coding?.some(({ code }) => code === PHOTO_TYPE));
}

/** The extension by which a photo names its wound. */
export function woundExtensionOf({ extension }: Media | DocumentReference): Extension | undefined {
  return extension?.find(({ url }) => url === WOUND_EXTENSION);
}

function woundOf(photo: Media | DocumentReference): string | null {
  return idOf(woundExtensionOf(photo)?.valueReference, 'BodyStructure');
}

/** The image of the Media that this one says to be a copy of; null: none. */
export function copiedBy({ extension }: Media): string | null {
  return idOf(extension?.find(({ url }) => url === COPY_EXTENSION)?.valueReference, 'Media');
}

function textsOf(notes: Media['note']): string[] {
  return (notes ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
}
