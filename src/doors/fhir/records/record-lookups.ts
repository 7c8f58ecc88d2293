import { Injectable } from '@nestjs/common';
import type { BodyStructure, Observation, Resource, ResourceType } from '@medplum/fhirtypes';
import { closingsOf } from '../../../core/followup/wound-closure.js';
import type { ClosureReason, WoundStatus } from '../../../core/followup/wound.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { StatedFindings, type StatedFinding } from './stated-findings.js';
import { IdentifiedResources, type RecordIdentifier } from './identified-resources.js';
import { JoinedLookups } from './joined-lookups.js';
import { OrderPhotos, type FiledPhoto, type OrderPhoto, type PhotoOfPatient } from './order-photos.js';

/** What the HL7 v2 door asks of the records; see FhirRecords. */
export interface Lookups {
  findByIdentifier<T extends Resource>(
    tenant: Tenant,
    type: ResourceType,
    identifiers: readonly RecordIdentifier[],
  ): Promise<T[]>;
  waitsForPhoto(tenant: Tenant, orderId: string): Promise<boolean>;
  photoOfOrder(tenant: Tenant, photo: OrderPhoto): Promise<string | null>;
  filedPhotos(tenant: Tenant, of: PhotoOfPatient): Promise<readonly FiledPhoto[]>;
  findingsSince(tenant: Tenant, of: StatedFinding): Promise<readonly Observation[] | 'too_many'>;
  woundOf(tenant: Tenant, patient: string, number: RecordIdentifier): Promise<BodyStructure | null>;
  standingOf(tenant: Tenant, woundId: string): Promise<WoundStanding | null>;
  read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null>;
}

/** How a wound stands by people's decisions; `merged`: it is part of another one. */
export interface WoundStanding {
  readonly status: WoundStatus | 'merged';
  /** Why it was closed; null: it is not closed. */
  readonly reason: ClosureReason | null;
  /** When it was last closed or reopened; null: never. */
  readonly since: Date | null;
}

/** The look-ups in one transaction. */
@Injectable()
export class RecordLookups {
  constructor(
    private readonly orderPhotos: OrderPhotos,
    private readonly identified: IdentifiedResources,
    private readonly store: ResourceStore,
    private readonly wounds: WoundRepository,
    private readonly findings: StatedFindings,
  ) {}

  /** Their tenant is the transaction's. */
  in(transaction: TenantTransaction): Lookups {
    const joined = new JoinedLookups<readonly RecordIdentifier[]>((type, lists) =>
      this.identified.findEach(transaction, type, lists),
    );
    return {
      findByIdentifier: <T extends Resource>(_: Tenant, type: ResourceType, identifiers: readonly RecordIdentifier[]) =>
        joined.find(type, identifiers) as Promise<T[]>,
      waitsForPhoto: (_, orderId) => this.orderPhotos.isWaiting(transaction, orderId),
      photoOfOrder: (_, photo) => this.orderPhotos.find(transaction, photo),
      filedPhotos: (_, of) => this.orderPhotos.filed(transaction, of),
      findingsSince: (_, of) => this.findings.find(transaction, of),
      woundOf: (_, patient, number) => this.identified.woundOf(transaction, patient, number),
      standingOf: (_, woundId) => this.standingOf(transaction, woundId),
      read: async <T extends Resource>(_: Tenant, type: ResourceType, id: string) => {
        const stored = (await this.store.find(transaction, type, id)) as StoredResource<T> | null;
        return stored?.resource ?? null;
      },
    };
  }

  private async standingOf(transaction: TenantTransaction, woundId: string): Promise<WoundStanding | null> {
    const wound = await this.wounds.find(transaction, woundId);
    if (wound === null) return null;
    const last = closingsOf(await this.wounds.history(transaction, woundId)).at(-1);
    const since = last?.decidedAt ?? null;
    if (wound.mergedInto !== null) return { status: 'merged', reason: null, since };
    if (wound.status === 'open') return { status: 'open', reason: null, since };
    return { status: 'closed', reason: last?.reason ?? 'other', since };
  }
}
