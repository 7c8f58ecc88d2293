import type { CodeableConcept, DocumentReference, Media, Reference } from '@medplum/fhirtypes';
import { EXTERNAL_CAMERA, IMAGE, OBSERVABLE, profileUrl } from '../../../../reports/index.js';
import type { RowAttachment } from '../reading/attachments.js';
import type { PhotoRegion } from '../../../../core/measurement/photo-region.js';
import { conceptOf } from '../reading/coded-values.js';
import { timeOf, type Reading } from '../reading/message-reading.js';
import type { SortedRow } from '../reading/observation-rows.js';
import { accessionIdentifier, fillerIdentifier, placerIdentifier, type SystemValue } from '../reading/identifiers.js';
import { practitionerOf } from '../reading/persons.js';
import { regionExtension } from './photo-regions.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';

/** The subjects of a file. */
export interface FileContext {
  readonly patient: PlannedResource;
  readonly encounter: PlannedResource | null;
  readonly wound: PlannedResource | null;
  readonly order: PlannedResource | null;
  /** The numbers of an order that is not here. */
  readonly numbers: {
    readonly placer: SystemValue | null;
    readonly filler: SystemValue | null;
    readonly accession: SystemValue | null;
  };
  readonly site: CodeableConcept | undefined;
  /** FHIR dateTime of OBX-14 of the row, else of its order. */
  readonly takenAt: string | undefined;
  /** Where in the photo the wound lies; null: not stated. */
  readonly region: PhotoRegion | null;
}

export type FileRow = SortedRow & { readonly kind: 'file' };

/**
 * Plans a photo, with its bytes in the resource or at the sender's URL. `url`: the entry of the Bundle that has the
 * bytes instead.
 */
export function planPhoto(
  reading: Reading,
  row: FileRow,
  attachment: RowAttachment,
  context: FileContext,
  url?: string,
): PlannedResource {
  const { patient, encounter, wound, site, takenAt, region } = context;
  const extension = [
    ...(wound === null ? [] : [{ url: profileUrl('wound'), valueReference: referenceTo(wound) }]),
    ...(region === null ? [] : [regionExtension(region)]),
  ];
  const operator = practitionerOf(reading, row.obx.field(16).repetitions[0]);
  const media: Media = {
    resourceType: 'Media',
    ...(extension.length === 0 ? {} : { extension }),
    ...basedOn(context),
    status: 'completed',
    type: { coding: [{ ...IMAGE }] },
    modality: { coding: [{ ...EXTERNAL_CAMERA }, { ...OBSERVABLE.photo }] },
    subject: referenceTo(patient),
    ...(encounter === null ? {} : { encounter: referenceTo(encounter) }),
    ...(takenAt === undefined ? {} : { createdDateTime: takenAt }),
    ...(operator === undefined ? {} : { operator: operator as Reference<never> }),
    ...(site === undefined ? {} : { bodySite: site }),
    content: url === undefined ? attachmentOf(attachment) : { ...typed(attachment), url },
  };
  return reading.draft.create(media, attachment.place);
}

/** The order of a photo; one that is not here by its numbers, under which it finds its photo when it comes. */
function basedOn({ order, numbers: { placer, filler, accession } }: FileContext): Pick<Media, 'basedOn'> {
  if (order !== null) return { basedOn: [referenceTo(order)] };
  const named = [
    ...(placer === null ? [] : [placerIdentifier(placer)]),
    ...(filler === null ? [] : [fillerIdentifier(filler)]),
    ...(accession === null ? [] : [accessionIdentifier(accession)]),
  ];
  if (named.length === 0) return {};
  return { basedOn: named.map((identifier) => ({ type: 'ServiceRequest', identifier }) as Reference<never>) };
}

/** Plans a file that is no photo: it is kept as a document and never analysed. */
export function planDocument(
  reading: Reading,
  row: FileRow,
  attachment: RowAttachment,
  context: FileContext,
): PlannedResource {
  const { patient, encounter, order, wound, takenAt } = context;
  const type = conceptOf(reading, row.obx.field(3).repetitions[0]);
  const related = [order, wound].flatMap((resource) => (resource === null ? [] : [referenceTo(resource)]));
  const creation = takenAt === undefined ? {} : { creation: takenAt };
  const document: DocumentReference = {
    resourceType: 'DocumentReference',
    status: 'current',
    ...(type === undefined ? {} : { type }),
    subject: referenceTo(patient),
    content: [{ attachment: { ...attachmentOf(attachment), ...creation } }],
    ...(encounter === null && related.length === 0
      ? {}
      : {
          context: {
            ...(encounter === null ? {} : { encounter: [referenceTo(encounter)] }),
            ...(related.length === 0 ? {} : { related }),
          },
        }),
  };
  return reading.draft.create(document, attachment.place);
}

/** The time of a row: OBX-14, else that of the order. */
export function observedAt(reading: Reading, row: SortedRow, ofOrder: string | undefined): string | undefined {
  return timeOf(reading, row.obx, 14)?.dateTime ?? ofOrder;
}

export function attachmentOf(attachment: RowAttachment): NonNullable<Media['content']> {
  const { content } = attachment;
  return {
    ...typed(attachment),
    ...('url' in content ? { url: content.url } : { data: content.bytes.toString('base64') }),
  };
}

function typed({ contentType }: RowAttachment): { contentType?: string } {
  return contentType === undefined ? {} : { contentType };
}
