import type { HumanName, Observation, Reference, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { ClinicianObservations } from '../../../core/analysis/clinician-observations.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { isSameJson } from '../../../core/report/same-content.js';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import { professionalNameOf } from './person-name.js';
import { FindingSources, type PhotoOfReport, type ObservationsOfReport } from '../projection/finding-sources.js';
import { ServiceResources } from '../projection/service-resources.js';
import { ClinicalFindings } from './clinical-findings.js';
import { findingOf } from './clinician-codes.js';
import { photoOfMedia } from './photo-resource.js';

/** The Observations that a clinician's statement was copied from, and those who made them. */
interface FindingSource {
  readonly observations: readonly Reference[];
  readonly performers: readonly Reference[];
}

/** The part of an id that says that the Observation copies what a clinician stated. */
const STATED = '-stated-';

/**
 * What a report copies from clinicians' Observations keeps its authors and names its sources. A copy is known by what it says: where nobody stated
 * that value for the photo (a review changed it, or it came natively), it has none.
 */
@Injectable()
export class StatedFindingSources extends FindingSources {
  constructor(
    private readonly findings: ClinicalFindings,
    private readonly resources: ServiceResources,
  ) {
    super();
  }

  async attribute(
    transaction: TenantTransaction,
    observations: readonly Observation[],
    photo: PhotoOfReport,
    { hasEarlier }: { readonly hasEarlier: boolean },
  ): Promise<ObservationsOfReport> {
    const copies = observations.filter(isCopy);
    if (copies.length === 0) return { observations, sources: [], statedBy: [] };
    const stated = await this.statedFor(transaction, photo);
    const earlier = hasEarlier ? await this.earlierOf(transaction, copies) : new Map<string, Observation>();
    const sources = new Map(
      copies.flatMap((copy) => {
        const source = sourceOf(copy, stated) ?? earlierSourceOf(copy, earlier.get(copy.id!));
        return source === null ? [] : [[copy.id!, source] as const];
      }),
    );
    return {
      observations: observations.map((one) => withSource(one, sources.get(one.id!))),
      sources: unique([...sources.values()].flatMap((source) => source.observations)),
      statedBy: unique([...sources.values()].flatMap(({ performers }) => performers)),
    };
  }

  /** As its Media, or as the DocumentReference that it came as. */
  private async statedFor(
    transaction: TenantTransaction,
    { media, patientId, woundId }: PhotoOfReport,
  ): Promise<readonly Observation[]> {
    const { organizationId, environment } = transaction.tenant;
    const caller = { organizationId, environment, keyId: '', scopes: SCOPES };
    const call = { transaction, caller, base: '', requestId: '' };
    const { imageId, takenAt } = photoOfMedia(media);
    const reference = ['Media', 'DocumentReference'].map((type) => `${type}/${imageId}`).join(',');
    return this.findings.statedFor(call, { imageId, takenAt, patientId, woundId, reference });
  }

  private async earlierOf(
    transaction: TenantTransaction,
    copies: readonly Observation[],
  ): Promise<ReadonlyMap<string, Observation>> {
    const read = copies.map(({ id }) => ({ type: 'Observation', id: id! }) as const);
    const found = await this.resources.findTogether(transaction, { read });
    return new Map(
      read.flatMap(({ id }) => {
        const one = found.of<Observation>('Observation', id);
        return one === null ? [] : [[id, one.resource] as const];
      }),
    );
  }
}

function isCopy({ id }: Observation): boolean {
  return id?.includes(STATED) === true;
}

/** Of one value the last that states it, which is the one that counted; of a list all that state a part of it. null: nobody states it. */
function sourceOf(copy: Observation, stated: readonly Observation[]): FindingSource | null {
  const said = statementOf(copy);
  if (said === null) return null;
  const alike = stated.filter((one) => {
    const statement = statementOf(one);
    return statement !== null && states(statement, said);
  });
  const isList = Object.values(said).some(Array.isArray);
  const sources = isList ? alike : alike.slice(-1);
  if (sources.length === 0) return null;
  return {
    observations: sources.map(({ id }) => ({ reference: `Observation/${id!}` })),
    performers: unique(sources.flatMap(performersOf)),
  };
}

/** What the version before named, where it is about the same patient and says the same. */
function earlierSourceOf(copy: Observation, before: Observation | undefined): FindingSource | null {
  if (before?.derivedFrom === undefined || before.subject?.reference !== copy.subject?.reference) return null;
  const [said, was] = [statementOf(copy), statementOf(before)];
  if (said === null || was === null || !isSameJson(said, was)) return null;
  const named = before.performer ?? [];
  const performers = isSameJson(named, copy.performer ?? []) ? [] : (named as Reference[]);
  return { observations: before.derivedFrom as Reference[], performers };
}

/** Of a report that was withdrawn, too. */
function statementOf(observation: Observation): ClinicianObservations | null {
  const finding = findingOf({ ...observation, status: 'final' });
  return finding === null || finding === 'bad' ? null : (finding.observations ?? null);
}

function states(statement: ClinicianObservations, copied: ClinicianObservations): boolean {
  const fields = Object.keys(copied).filter((field) => field !== 'statedAt') as (keyof ClinicianObservations)[];
  return fields.length > 0 && fields.every((field) => isWithin(statement[field], copied[field]));
}

function isWithin(stated: unknown, copied: unknown): boolean {
  if (stated === undefined) return false;
  if (Array.isArray(stated) && Array.isArray(copied))
    return stated.length > 0 && stated.every((item: object) => copied.some((one: object) => isEqual(item, one)));
  return isEqual(stated, copied);
}

/** A stage is the same whoever stated it. */
function isEqual(one: unknown, other: unknown): boolean {
  return isSameJson(bare(one), bare(other));
}

function bare(value: unknown): object {
  if (typeof value !== 'object' || value === null) return { value };
  const { statedBy: _statedBy, statedAt: _statedAt, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** A performer within the Observation itself is named by number and name: the copy does not hold it. */
function performersOf({ performer = [], contained = [] }: Observation): Reference[] {
  return (performer as Reference[]).flatMap((one) => {
    if (one.reference?.startsWith('#') !== true) return [one];
    const { reference, ...named } = one;
    const inside = contained.find(({ id }) => `#${id}` === reference);
    const outside = { ...(inside === undefined ? {} : nameOf(inside)), ...named };
    return Object.keys(outside).some((key) => key !== 'type') ? [outside] : [];
  });
}

function nameOf(resource: Resource): Reference {
  const {
    resourceType: type,
    identifier,
    name,
  } = resource as Resource & {
    readonly identifier?: NonNullable<Reference['identifier']>[];
    readonly name?: string | HumanName[];
  };
  const display = typeof name === 'string' ? name : professionalNameOf(name);
  return {
    type,
    ...(identifier?.[0] === undefined ? {} : { identifier: identifier[0] }),
    ...(display === null ? {} : { display }),
  };
}

function withSource(observation: Observation, source: FindingSource | undefined): Observation {
  if (source === undefined) return observation;
  const { observations, performers } = source;
  return {
    ...observation,
    ...(performers.length === 0 ? {} : { performer: performers as NonNullable<Observation['performer']> }),
    derivedFrom: observations as NonNullable<Observation['derivedFrom']>,
  };
}

function unique(references: readonly Reference[]): Reference[] {
  return [...new Map(references.map((one) => [JSON.stringify(one), one])).values()];
}
