import { Injectable } from '@nestjs/common';
import type { BodyStructure, Resource, ResourceType } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ResourceStore, type StoredResource } from '../../../standards/fhir/store/resource-store.js';
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
  woundOf(tenant: Tenant, patient: string, number: RecordIdentifier): Promise<BodyStructure | null>;
  read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null>;
}

/** The look-ups in one transaction. */
@Injectable()
export class RecordLookups {
  constructor(
    private readonly orderPhotos: OrderPhotos,
    private readonly identified: IdentifiedResources,
    private readonly store: ResourceStore,
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
      woundOf: (_, patient, number) => this.identified.woundOf(transaction, patient, number),
      read: async <T extends Resource>(_: Tenant, type: ResourceType, id: string) => {
        const stored = (await this.store.find(transaction, type, id)) as StoredResource<T> | null;
        return stored?.resource ?? null;
      },
    };
  }
}
