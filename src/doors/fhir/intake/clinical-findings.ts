import { Injectable } from '@nestjs/common';
import type { DocumentReference, Media, Observation } from '@medplum/fhirtypes';
import { MOST_LISTED } from '../../../core/analysis/clinician-observations.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import type { DateInterval } from '../../../core/times/date-interval.js';
import { FURTHEST_FINDING_MS, isFindingOf, type TimedPhoto } from '../../../core/times/finding-match.js';
import { REMEMBERED_DAYS } from '../../../core/followup/remembered.js';
import type { FhirCall } from '../call/fhir-call.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { findingOf } from './clinician-codes.js';
import { merged, momentOf, timeOf, type GivenFindings, type PhotoMoment } from './merged-findings.js';
import { idOf } from './local-reference.js';
import { photoOfDocument, photoOfMedia, type PhotoResource } from './photo-resource.js';
import { StagesOfConditions } from './stages-of-conditions.js';

/** Far more findings than clinicians note for one photo, and photos than are taken of a wound in some days. */
const LIMIT = 500;
/** A day is searched for by the clocks of the organization, and meant by those of the photo. */
const FINDINGS_AROUND_MS = FURTHEST_FINDING_MS + 28 * 3_600_000;
/** Two texts of one moment may have another offset and other digits; a day begins 14 hours earlier or 12 later elsewhere. */
const SAME_MOMENT_MS = 24 * 3_600_000;
/** The years that a search has. */
const [FIRST_MS, LAST_MS] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

/** The photo whose findings are asked for. */
export type PhotoWithFindings = Pick<PhotoResource, 'imageId' | 'reference' | 'patientId' | 'woundId' | 'takenAt'>;

/**
 * Findings of clinicians for a photo: Observations derived from it, and those about its wound that belong to it by their time
 * (core/times/finding-match.ts). Of several of one kind the latest counts, one of the photo's own day before others; one that names the photo goes
 * before one that names the wound alone.
 */
@Injectable()
export class ClinicalFindings {
  constructor(
    private readonly searching: ResourceSearch,
    private readonly store: ResourceStore,
    private readonly zones: OrganizationZone,
    private readonly clock: ClinicalClock,
    private readonly stages: StagesOfConditions,
  ) {}

  /** `patientId`: null where the patient of the photo is unknown. A finding that is filed under another patient by now is left out. */
  async forPhoto(call: FhirCall, photo: PhotoWithFindings): Promise<GivenFindings> {
    const moment = (await this.momentsOf(call))(photo.takenAt);
    const { ofPhoto, ofWound } = await this.observationsFor(call, photo, moment);
    const { own, standing } = await this.stagesFor(call, photo, moment);
    const before = standing === null ? undefined : merged([standing], moment);
    return merged(ofPhoto, moment, merged([...ofWound, ...own].sort(byMoment), moment, before));
  }

  /** Stages by Conditions: those of the photo's own time, and without one the last that holds. */
  private async stagesFor(
    call: FhirCall,
    photo: PhotoWithFindings,
    moment: PhotoMoment,
  ): Promise<{ readonly own: readonly Observation[]; readonly standing: Observation | null }> {
    const { patientId, woundId } = photo;
    const stated = patientId === null || woundId === null ? [] : await this.stages.of(call, patientId, woundId);
    if (woundId === null || stated.length === 0) return { own: [], standing: null };
    const own = photo.takenAt === null ? [] : await this.thoseOfPhoto(call, stated, photo.imageId, woundId, moment);
    const standing = own.length > 0 ? null : await this.stages.standing(call, photo.imageId, woundId, stated, moment);
    return { own, standing };
  }

  /** The photos of its wound, and of all that is one with it, for which a finding may hold: of its time, and of the weeks after it. */
  async photosWithin(call: FhirCall, finding: Observation): Promise<readonly PhotoResource[]> {
    const time = timeOf(finding);
    if (time === null) return [];
    const { low, high } = periodAround(time.spanIn(await this.zones.of(call.transaction)), FINDINGS_AROUND_MS);
    const until = new Date(Math.min(high.getTime() + REMEMBERED_DAYS * SAME_MOMENT_MS, LAST_MS));
    const woundId = idOf({ reference: woundOf(finding) }, 'BodyStructure');
    const family = woundId === null ? [] : await this.stages.familyOf(call.transaction, woundId);
    const wounds = family.map((id) => `BodyStructure/${id}`).join(',');
    return wounds === '' ? [] : this.photosOf(call, wounds, { low, high: until });
  }

  /** The Observations that `forPhoto` reads: those about the wound first, since those of the photo go before them; each in the order of their moments. */
  async statedFor(call: FhirCall, photo: PhotoWithFindings): Promise<readonly Observation[]> {
    const moment = (await this.momentsOf(call))(photo.takenAt);
    const { ofPhoto, ofWound } = await this.observationsFor(call, photo, moment);
    return [...ofWound, ...ofPhoto];
  }

  private async observationsFor(
    call: FhirCall,
    photo: PhotoWithFindings,
    moment: PhotoMoment,
  ): Promise<{ readonly ofPhoto: Observation[]; readonly ofWound: Observation[] }> {
    const ofPatient = (observation: Observation) => isOf(photo.patientId, observation);
    const ofPhoto = (await this.match(call, `derived-from=${photo.reference}`)).filter(ofPatient);
    const ofWound =
      photo.woundId === null || photo.takenAt === null
        ? []
        : (await this.ofWound(call, photo.imageId, photo.woundId, moment)).filter(ofPatient);
    return { ofPhoto, ofWound };
  }

  /** Times of photos by the clocks of the organization; of a photo without a stated time the present, by which its analysis goes. */
  async momentsOf({ transaction }: FhirCall): Promise<(takenAt: string | null | undefined) => PhotoMoment> {
    const timeZone = await this.zones.of(transaction);
    const now = (await this.clock.now(transaction)).toISOString();
    return (takenAt) => ({ takenAt: ClinicalTime.read(takenAt) ?? ClinicalTime.read(now)!, timeZone });
  }

  private async ofWound(
    call: FhirCall,
    imageId: string,
    woundId: string,
    { takenAt, timeZone }: PhotoMoment,
  ): Promise<Observation[]> {
    const wound = `BodyStructure/${woundId}`;
    const around = periodAround(takenAt.spanIn(timeZone), FINDINGS_AROUND_MS);
    const found = (await this.match(call, `focus=${wound}&${datesIn('date', around)}`)).filter(
      ({ derivedFrom }) => derivedFrom === undefined,
    );
    return this.thoseOfPhoto(call, found, imageId, woundId, { takenAt, timeZone });
  }

  /** Of the findings of a wound those that belong to one of its photos. */
  private async thoseOfPhoto(
    call: FhirCall,
    found: readonly Observation[],
    imageId: string,
    woundId: string,
    { takenAt, timeZone }: PhotoMoment,
  ): Promise<Observation[]> {
    if (found.length === 0) return [];
    const around = periodAround(takenAt.spanIn(timeZone), FINDINGS_AROUND_MS + FURTHEST_FINDING_MS);
    const photos = await this.photosOf(call, `BodyStructure/${woundId}`, around);
    const others = photos.map((one): TimedPhoto => ({ id: one.imageId, takenAt: ClinicalTime.read(one.takenAt)! }));
    const photo = { id: imageId, takenAt };
    return found.filter((observation) => {
      const time = timeOf(observation);
      return time !== null && isFindingOf(time, photo, others, timeZone);
    });
  }

  /** The photos of a wound in a period, as far as their time is known. */
  private async photosOf(call: FhirCall, wound: string, period: DateInterval): Promise<PhotoResource[]> {
    const media = await this.searching.match(call, 'Media', `wound=${wound}&${datesIn('created', period)}`, LIMIT);
    const documents = await this.searching.match(call, 'DocumentReference', `related=${wound}`, LIMIT);
    const photos = [
      ...documents.map(({ resource }) => photoOfDocument(resource as DocumentReference)),
      ...media.map(({ resource }) => photoOfMedia(resource as Media)),
    ];
    return photos.filter(
      (photo): photo is PhotoResource =>
        photo !== null && ClinicalTime.read(photo.takenAt) !== null && !photo.isWithdrawn,
    );
  }

  /**
   * The list that this Observation and the others of its moment make longer than a report holds; null: none. Locks these lists until the transaction ends.
   */
  async overfullList(call: FhirCall, observation: Observation): Promise<string | null> {
    for (const criteria of placesOf(observation)) {
      await this.store.lockCriteria(call.transaction, 'Observation', criteria);
      const beside = (await this.match(call, criteria)).filter(
        (other) => momentOf(other) === momentOf(observation) && standsBeside(observation, other),
      );
      const overfull = listsOf(beside).find(([, items]) => items.length > MOST_LISTED);
      if (overfull !== undefined) return overfull[0];
    }
    return null;
  }

  private async match(call: FhirCall, criteria: string): Promise<Observation[]> {
    const found = await this.searching.match(call, 'Observation', criteria, LIMIT);
    // The service's own say the same codes of what it measured.
    const observations = found
      .filter(({ createdBy }) => createdBy.kind === 'client')
      .map(({ resource }) => resource as Observation);
    return observations.sort(byMoment);
  }
}

function woundOf({ focus }: Observation): string {
  return focus?.[0]?.reference ?? '';
}

function isOf(patientId: string | null, { subject }: Observation): boolean {
  return patientId === null || subject === undefined || idOf(subject, 'Patient') === patientId;
}

/** Where the photos and wounds are looked for that an Observation adds its list to. */
function placesOf(observation: Observation): string[] {
  const { derivedFrom, focus } = observation;
  const referencesOf = (links: Observation['focus'], types: RegExp) => [
    ...new Set((links ?? []).flatMap(({ reference }) => (types.test(reference ?? '') ? reference! : []))),
  ];
  if (derivedFrom !== undefined)
    return referencesOf(derivedFrom, /^(Media|DocumentReference)\//).map((photo) => `derived-from=${photo}`);
  const time = timeOf(observation);
  if (time === null) return [];
  const around = datesIn('date', periodAround(time.spanIn('UTC'), SAME_MOMENT_MS));
  return referencesOf(focus, /^BodyStructure\//).map((wound) => `focus=${wound}&${around}`);
}

function standsBeside({ derivedFrom }: Observation, other: Observation): boolean {
  return (derivedFrom === undefined) === (other.derivedFrom === undefined);
}

/** All lists that Observations of one moment state, with every entry. */
function listsOf(observations: readonly Observation[]): [field: string, items: readonly unknown[]][] {
  const lists = new Map<string, Map<string, unknown>>();
  for (const observation of observations) {
    const finding = findingOf(observation);
    if (finding === null || finding === 'bad') continue;
    for (const [field, items] of Object.entries(finding.observations ?? {})) {
      // Each coded sign stands once, however often it is stated.
      if (!Array.isArray(items) || field === 'infectionSignCodes') continue;
      const all = lists.get(field) ?? new Map<string, unknown>();
      for (const item of items) all.set(JSON.stringify(item), item);
      lists.set(field, all);
    }
  }
  return [...lists].map(([field, all]) => [field, [...all.values()]]);
}

/** Of one moment in the order in which they came, as their ids have it. */
function byMoment(first: Observation, second: Observation): number {
  return momentOf(first) - momentOf(second) || (first.id! < second.id! ? -1 : 1);
}

function periodAround({ low, high }: DateInterval, ms: number): DateInterval {
  return {
    low: new Date(Math.max(low.getTime() - ms, FIRST_MS)),
    high: new Date(Math.min(high.getTime() + ms, LAST_MS)),
  };
}

/** Search criteria for what touches a period. */
function datesIn(parameter: 'date' | 'created', { low, high }: DateInterval): string {
  return `${parameter}=ge${low.toISOString()}&${parameter}=le${high.toISOString()}`;
}
