import type { BodyStructure, Observation, Resource, ResourceType } from '@medplum/fhirtypes';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import type {
  FiledPhoto,
  NewOrderPhoto,
  PhotoOfPatient,
  RecordLookups,
  StatedFinding,
  WoundStanding,
} from '../../../../standards/hl7v2/records/clinical-records.js';
import type { EarlierHandling, NextStatements } from './earlier-handling.js';
import type { SystemValue } from './identifiers.js';

/**
 * The records as a message sees them that is read once more: what an older message wrote, which was itself read once more, has the time at which this one
 * came at the latest. Otherwise a document that is done today would be newer than its edit of yesterday.
 */
export class TimedRecords implements RecordLookups {
  constructor(
    private readonly records: RecordLookups,
    private readonly later: NextStatements,
    private readonly standsFrom: Date,
  ) {}

  async findByIdentifier<T extends Resource>(
    tenant: Tenant,
    type: ResourceType,
    identifiers: readonly SystemValue[],
  ): Promise<T[]> {
    return this.asSaid(await this.records.findByIdentifier<T>(tenant, type, identifiers));
  }

  async read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null> {
    const found = await this.records.read<T>(tenant, type, id);
    return found === null ? null : (await this.asSaid([found]))[0]!;
  }

  async woundOf(tenant: Tenant, patient: string, number: SystemValue): Promise<BodyStructure | null> {
    const found = await this.records.woundOf(tenant, patient, number);
    return found === null ? null : (await this.asSaid([found]))[0]!;
  }

  /** Without those that older messages stated. */
  async findingsSince(tenant: Tenant, of: StatedFinding): Promise<readonly Observation[] | 'too_many'> {
    const found = await this.records.findingsSince(tenant, of);
    if (found === 'too_many') return found;
    const older = await this.later.saidBefore(found.map(versionOf));
    return found.filter((one) => !older.has(versionOf(one)));
  }

  waitsForPhoto(tenant: Tenant, orderId: string): Promise<boolean> {
    return this.records.waitsForPhoto(tenant, orderId);
  }

  photoOfOrder(tenant: Tenant, photo: NewOrderPhoto): Promise<string | null> {
    return this.records.photoOfOrder(tenant, photo);
  }

  standingOf(tenant: Tenant, woundId: string): Promise<WoundStanding | null> {
    return this.records.standingOf(tenant, woundId);
  }

  filedPhotos(tenant: Tenant, of: PhotoOfPatient): Promise<readonly FiledPhoto[]> {
    return this.records.filedPhotos(tenant, of);
  }

  private async asSaid<T extends Resource>(found: readonly T[]): Promise<T[]> {
    const newer = found.filter(({ meta }) => Date.parse(meta?.lastUpdated ?? '') > this.standsFrom.getTime());
    if (newer.length === 0) return [...found];
    const older = await this.later.saidBefore(newer.map(versionOf));
    return found.map((one) =>
      older.has(versionOf(one)) ? { ...one, meta: { ...one.meta, lastUpdated: this.standsFrom.toISOString() } } : one,
    );
  }
}

/** The records as the message is to see them. */
export function timedRecords(records: RecordLookups, earlier: EarlierHandling | null): RecordLookups {
  const later = earlier?.later ?? null;
  return later === null ? records : new TimedRecords(records, later, earlier!.standsFrom);
}

/** `Type/id/version`. */
function versionOf({ resourceType, id, meta }: Resource): string {
  return `${resourceType}/${id}/${meta?.versionId}`;
}
