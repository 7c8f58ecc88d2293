import type { Extension, Media } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AnalysisRequestService, isOpen } from '../../../core/analysis/analysis-request.service.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { isSameJson } from '../../../core/report/same-content.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { identifierSystem } from '../../../reports/index.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceSearch } from '../search/resource-search.js';
import { COPY_EXTENSION, copiedBy, photoOfMedia, type PhotoResource } from './photo-resource.js';

const IMAGE_ID = identifierSystem('image-id');
/** More photos than are taken of a patient at one moment. */
const LIMIT = 50;

/**
 * Media that a receiver of reports sends back as its own. A copy is kept, and leads to its original; what the original has (analysis, visit, charge) it does
 * not get a second time. Where the sender may mean another photo or another wound, it is no copy.
 */
@Injectable()
export class PhotoCopies {
  constructor(
    private readonly store: ResourceStore,
    private readonly searching: ResourceSearch,
    private readonly requests: AnalysisRequestService,
    private readonly jobs: JobRepository,
  ) {}

  /**
   * The Media as it is to be kept: a copy with a reference to its original, and with that one's operator where it names none. What calls itself a copy and
   * cannot be one says so no longer: a receiver made today's photo from the last one.
   */
  async asKept(call: FhirCall, media: Media): Promise<Media> {
    const original = await this.originalOf(call, media);
    if (original === null) return withCopyOf(media, null);
    const { operator = original.operator, identifier = [] } = media;
    // The number of the original is the original’s alone; the extension leads to it.
    const own = identifier.filter(({ system }) => system !== IMAGE_ID);
    return {
      ...withCopyOf(media, { url: COPY_EXTENSION, valueReference: { reference: `Media/${original.id!}` } }),
      identifier: [...own, { system: IMAGE_ID, value: media.id! }],
      ...(operator === undefined ? {} : { operator }),
    };
  }

  /** Whether it is a copy of a photo whose analysis somebody has asked for, which has not come to nothing. */
  async isOfAnalysed({ transaction }: FhirCall, { copyOf }: PhotoResource): Promise<boolean> {
    if (copyOf === null) return false;
    const asked = await this.requests.ofImage(transaction, copyOf);
    for (const request of asked) {
      if (isOpen(request)) return true;
      if (request.state === 'started' && (await this.jobs.find(transaction, request.id))?.status !== 'error')
        return true;
    }
    return asked.length === 0 && this.jobs.wasAnalysed(transaction, copyOf);
  }

  private async originalOf(call: FhirCall, media: Media): Promise<Media | null> {
    const stated = copiedBy(media);
    const named = stated === null ? null : await this.behind(call, media, stated);
    if (named !== null) return named;
    for (const { system, value } of media.identifier ?? []) {
      if (system !== IMAGE_ID || value === undefined) continue;
      const claimed = await this.behind(call, media, value);
      if (claimed !== null) return claimed;
    }
    return this.withSameBytes(call, media);
  }

  /** The Media with this id, or the one that it is a copy of itself; null: `media` cannot be a copy of it. */
  private async behind(call: FhirCall, media: Media, id: string): Promise<Media | null> {
    const claimed = id === media.id ? null : await this.find(call, id);
    if (claimed === null || !isCopy(media, claimed)) return null;
    const first = copiedBy(claimed);
    const original = first === null ? null : await this.find(call, first);
    return original !== null && isCopy(media, original) ? original : claimed;
  }

  private async find({ transaction }: FhirCall, id: string): Promise<Media | null> {
    return (await this.store.find<Media>(transaction, 'Media', id))?.resource ?? null;
  }

  /** The first Media of the patient with the bytes that are served, of the same moment. Senders by HL7 v2 get no bytes from here. */
  private async withSameBytes(call: FhirCall, media: Media): Promise<Media | null> {
    const { patientId, takenAt } = photoOfMedia(media);
    if (patientId === null || takenAt === null || media.content.hash === undefined || call.door === 'hl7v2')
      return null;
    const criteria = new URLSearchParams({ subject: `Patient/${patientId}`, created: takenAt }).toString();
    const found = await this.searching.match(call, 'Media', criteria, LIMIT);
    const alike = found
      .map(({ resource }) => resource as Media)
      .filter((one) => one.id !== media.id && copiedBy(one) === null && hasSameBytes(one, media) && isCopy(media, one));
    return alike.sort((one, other) => (one.id! < other.id! ? -1 : 1))[0] ?? null;
  }
}

/** As `media`, which replaces `current`, is to be kept: a copy stays one of the same original, and nothing becomes one afterwards. */
export function stillCopy(current: Media, media: Media): Media {
  return withCopyOf(media, current.extension?.find(({ url }) => url === COPY_EXTENSION) ?? null);
}

/** With this extension, and no other that says of what it is a copy; null: with none. */
function withCopyOf({ extension = [], ...media }: Media, named: Extension | null): Media {
  const others = extension.filter(({ url }) => url !== COPY_EXTENSION);
  const all = named === null ? others : [...others, named];
  return all.length === 0 ? media : { ...media, extension: all };
}

/** Of the patient, of the same moment or with the same bytes, and nothing says that it is about another wound. */
function isCopy(media: Media, original: Media): boolean {
  const [copy, first] = [photoOfMedia(media), photoOfMedia(original)];
  const isOther =
    (copy.patientId !== null && copy.patientId !== first.patientId) ||
    (copy.woundId !== null && copy.woundId !== first.woundId) ||
    !isSameJson(copy.region, first.region) ||
    (copy.bodySite !== undefined && first.bodySite !== undefined && !isSameJson(copy.bodySite, first.bodySite));
  if (isOther || first.isWithdrawn) return false;
  return isSameMoment(copy.takenAt, first.takenAt) || (copy.takenAt === null && hasSameBytes(media, original));
}

function hasSameBytes({ content: { hash } }: Media, other: Media): boolean {
  return hash !== undefined && hash === other.content.hash;
}

function isSameMoment(one: string | null, other: string | null): boolean {
  const [first, second] = [ClinicalTime.read(one), ClinicalTime.read(other)];
  return first !== null && second !== null && first.isSameAs(second);
}
