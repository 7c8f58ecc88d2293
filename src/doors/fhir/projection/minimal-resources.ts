import type {
  BodyStructure,
  CodeableConcept,
  Device,
  DocumentReference,
  Extension,
  Identifier,
  Media,
  Organization as OrganizationResource,
  Patient as PatientResource,
} from '@medplum/fhirtypes';
import type { ModelUsed } from '../../../core/measurement/wound-result.js';
import type { Wound } from '../../../core/followup/wound.js';
import { contentTypeOf, type ImageRecord } from '../../../core/images/image.js';
import type { Patient } from '../../../core/patients/patient.js';
import type { Organization } from '../../../core/organizations/organization.js';
import type { PhotoFacts as PhotoBytes } from '../photo/photo-facts.js';
import {
  AI_KIND_EXTENSION,
  APPLICATION_PROGRAM,
  ARTIFICIAL_INTELLIGENCE,
  conceptOf,
  DEEP_LEARNING,
  deviceId,
  EXTERNAL_CAMERA,
  IMAGE,
  identifierSystem,
  MODEL_CARD_EXTENSION,
  OBSERVABLE,
  profileUrl,
  toConcept,
} from '../../../reports/index.js';
import { oneLine } from './one-line.js';

/** Device.version.type of the digest of the weights. */
const WEIGHTS = 'weights-sha256';

/*
 * Resources for records of another door: as little as the record says. A client may complete them; they are not written again.
 */

/** The organization itself, who answers for its results. */
export function toOrganization({ id, name }: Organization): OrganizationResource {
  return { resourceType: 'Organization', id, active: true, name };
}

/** The patient's identifiers as they were given: no name, no birth date. `stated`: what else was said of some of them. */
export function toPatient({ id, identifiers }: Patient, stated: readonly Identifier[] = []): PatientResource {
  const identifier = identifiers.map(({ system, value }) => {
    const { type, assigner } = stated.find((one) => (one.system ?? '') === system && one.value === value) ?? {};
    return {
      ...(type === undefined ? {} : { type }),
      ...identifierOf(system, value),
      ...(assigner === undefined ? {} : { assigner }),
    };
  });
  return { resourceType: 'Patient', id, ...(identifier.length === 0 ? {} : { identifier }) };
}

/** A wound that was named outside this service carries that name, an unlinked one its id here. */
export function toBodyStructure(wound: Wound, patientId: string, snomed: boolean): BodyStructure {
  const location = toConcept({ snomed }, wound.bodySite, wound.laterality);
  const morphology = toConcept({ snomed }, wound.woundType);
  return {
    resourceType: 'BodyStructure',
    id: wound.id,
    meta: { profile: [profileUrl('sutura-wound')] },
    identifier: [
      wound.woundId === null
        ? identifierOf(identifierSystem('wound'), wound.id)
        : identifierOf(wound.woundIdSystem, wound.woundId),
    ],
    active: wound.mergedInto === null,
    ...(morphology === undefined ? {} : { morphology }),
    ...(location === undefined ? {} : { location }),
    patient: { reference: `Patient/${patientId}` },
  };
}

/** Facts of a photo beyond its record. */
export interface PhotoFacts {
  /** null: nobody is named. */
  readonly patientId: string | null;
  /** BodyStructure id; null: not assessed yet. */
  readonly woundId: string | null;
  readonly capturedAt: Date;
  /** As its sender stated it. */
  readonly capturedAsStated?: string | null | undefined;
  readonly bodySite: CodeableConcept | undefined;
}

/** A photo that came in natively; `bytes`: what is known of them as they are served, where they are still there. */
export function toMedia(
  image: ImageRecord,
  { patientId, woundId, capturedAt, capturedAsStated, bodySite }: PhotoFacts,
  bytes: PhotoBytes | null,
): Media {
  const { verdict } = image;
  const isDeleted = image.status === 'deleted';
  const taken = capturedAsStated ?? capturedAt.toISOString();
  return {
    resourceType: 'Media',
    id: image.id,
    // The profile wants a patient.
    ...(patientId === null ? {} : { meta: { profile: [profileUrl('sutura-wound-image')] } }),
    ...(woundId === null ? {} : { extension: [woundExtension(woundId)] }),
    identifier: [identifierOf(identifierSystem('image-id'), image.id)],
    status: 'completed',
    type: { coding: [{ ...IMAGE }] },
    modality: { coding: [{ ...EXTERNAL_CAMERA }, { ...OBSERVABLE.photo }] },
    ...(patientId === null ? {} : { subject: { reference: `Patient/${patientId}` } }),
    createdDateTime: taken,
    ...(image.storedAt === null ? {} : { issued: image.storedAt.toISOString() }),
    ...(bodySite === undefined ? {} : { bodySite }),
    ...(verdict?.readable === true ? { height: verdict.heightPx, width: verdict.widthPx } : {}),
    content: {
      contentType: verdict === null ? 'application/octet-stream' : contentTypeOf(verdict.format),
      ...(isDeleted ? {} : { url: `Binary/${image.id}` }),
      ...(bytes === null ? {} : { size: bytes.sizeBytes, hash: bytes.sha1 }),
      creation: taken,
    },
  } as Media;
}

/** The same photo in the form that R5 keeps. */
export function toPhotoDocument(media: Media): DocumentReference {
  const wound = media.extension?.find(({ url }) => url === profileUrl('wound'));
  const basedOn = media.basedOn ?? [];
  const related = [...(wound?.valueReference === undefined ? [] : [wound.valueReference]), ...basedOn];
  const context = {
    ...(media.encounter === undefined ? {} : { encounter: [media.encounter] }),
    ...(related.length === 0 ? {} : { related }),
  };
  return {
    resourceType: 'DocumentReference',
    id: media.id,
    // The profile wants a patient.
    ...(media.subject === undefined ? {} : { meta: { profile: [profileUrl('sutura-wound-photo-document')] } }),
    ...(wound === undefined ? {} : { extension: [wound] }),
    ...(media.identifier === undefined ? {} : { identifier: media.identifier }),
    status: media.status === 'entered-in-error' ? 'entered-in-error' : 'current',
    type: { coding: [{ ...OBSERVABLE.photo }] },
    category: [{ coding: [{ ...OBSERVABLE.photo }] }],
    ...(media.subject === undefined ? {} : { subject: media.subject }),
    ...(media.issued === undefined ? {} : { date: media.issued }),
    content: [{ attachment: media.content }],
    ...(Object.keys(context).length === 0 ? {} : { context }),
  } as DocumentReference;
}

/** A version of a model. `cardId`: the DocumentReference with its card; null: none is known. */
export function toDevice(
  { name, version, sha256 }: Pick<ModelUsed, 'name' | 'version'> & { readonly sha256: string | null },
  snomed: boolean,
  cardId: string | null,
): Device {
  const shown = oneLine(name);
  return {
    resourceType: 'Device',
    id: deviceId(`${name}/${version}`),
    meta: { profile: [profileUrl('sutura-ai-device')] },
    extension: modelExtensions(cardId),
    identifier: [identifierOf(identifierSystem('model'), oneLine(`${name}/${version}`))],
    status: 'active',
    manufacturer: 'Sutura',
    deviceName: [
      { name: `Sutura ${shown.replaceAll('-', ' ')}`, type: 'user-friendly-name' },
      { name: shown, type: 'model-name' },
    ],
    modelNumber: shown,
    type: conceptOf({ snomed }, [ARTIFICIAL_INTELLIGENCE, APPLICATION_PROGRAM]),
    version: [
      { type: { text: 'model' }, value: oneLine(version) },
      ...(sha256 === null ? [] : [{ type: { text: WEIGHTS }, value: sha256 }]),
    ],
    note: [{ text: 'Decision support. Measurements are algorithm-derived and need clinician review.' }],
  } as Device;
}

/** What the guide on AI lets a Device say: the kind of AI, and where its card is. */
export function modelExtensions(cardId: string | null): Extension[] {
  return [
    { url: AI_KIND_EXTENSION, valueCodeableConcept: { coding: [{ ...DEEP_LEARNING }] } },
    ...(cardId === null
      ? []
      : [{ url: MODEL_CARD_EXTENSION, valueReference: { reference: `DocumentReference/${cardId}` } }]),
  ];
}

/** True where the Device names these weights. */
export function hasWeights({ version }: Device, sha256: string): boolean {
  return version?.some(({ type, value }) => type?.text === WEIGHTS && value === sha256) === true;
}

export function woundExtension(woundId: string): {
  readonly url: string;
  readonly valueReference: { readonly reference: string };
} {
  return { url: profileUrl('wound'), valueReference: { reference: `BodyStructure/${woundId}` } };
}

/** '' stands for the organization's own numbering, which has no system to name. */
function identifierOf(system: string, value: string): Identifier {
  return { ...(system === '' ? {} : { system }), value };
}
