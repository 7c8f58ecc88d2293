import { Injectable } from '@nestjs/common';
import type { BodyStructure, Bundle, Observation, Resource, ResourceType } from '@medplum/fhirtypes';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { SharedReads } from '../../../platform/database/shared-reads.js';
import { FhirActivation } from '../projection/fhir-activation.js';
import { BundleApplication, type ApplicationOptions, type AppliedBundle } from './bundle-application.js';
import type { StatedFinding } from './stated-findings.js';
import { GroupedBundles } from './grouped-bundles.js';
import type { RecordIdentifier } from './identified-resources.js';
import type { FiledPhoto, OrderPhoto, PhotoOfPatient } from './order-photos.js';
import { RecordLookups, type Lookups, type WoundStanding } from './record-lookups.js';

/** The records of this door for the HL7 v2 door: a message becomes a transaction Bundle, and is taken as one that a client posts. */
@Injectable()
export class FhirRecords implements Lookups {
  private readonly reads: SharedReads<Lookups>;

  constructor(
    private readonly opening: FhirActivation,
    private readonly application: BundleApplication,
    private readonly groups: GroupedBundles,
    lookups: RecordLookups,
    unitOfWork: UnitOfWork,
  ) {
    this.reads = new SharedReads(unitOfWork, (transaction) => lookups.in(transaction));
  }

  /** Resolves when the records have everything that other doors filed before. `fhir.preparing`. */
  require(tenant: Tenant): Promise<void> {
    return this.opening.ensureActive(tenant);
  }

  /** Has the look-ups that `work` makes for this tenant answered in one transaction, which changes nothing and which those that come at the same time share. */
  looking<T>(tenant: Tenant, work: (lookups: Lookups) => Promise<T>): Promise<T> {
    return this.reads.run(tenant, work);
  }

  /** See BundleApplication.apply. Bundles without orders and photos that come at the same time share a transaction (GroupedBundles). */
  apply(caller: Caller, bundle: Bundle, options: ApplicationOptions): Promise<AppliedBundle> {
    return (this.groups.takes(bundle, options) ? this.groups : this.application).apply(caller, bundle, options);
  }

  /** Resources of a type that carry any of the identifiers, 20 at most; of a patient whose record was joined into another, that other. */
  findByIdentifier<T extends Resource>(
    tenant: Tenant,
    type: ResourceType,
    identifiers: readonly RecordIdentifier[],
  ): Promise<T[]> {
    return this.looking(tenant, (lookups) => lookups.findByIdentifier<T>(tenant, type, identifiers));
  }

  /** True if all analyses of an order wait for its photo or were abandoned. */
  waitsForPhoto(tenant: Tenant, orderId: string): Promise<boolean> {
    return this.looking(tenant, (lookups) => lookups.waitsForPhoto(tenant, orderId));
  }

  /** The Media of an order with these bytes whose analysis is under way or done, by its id; null: none. */
  photoOfOrder(tenant: Tenant, photo: OrderPhoto): Promise<string | null> {
    return this.looking(tenant, (lookups) => lookups.photoOfOrder(tenant, photo));
  }

  /** The wound of this patient (`Patient/id`) with this number; null: none. */
  woundOf(tenant: Tenant, patient: string, number: RecordIdentifier): Promise<BodyStructure | null> {
    return this.looking(tenant, (lookups) => lookups.woundOf(tenant, patient, number));
  }

  /** How a wound stands by people's decisions; null: it is not known. */
  standingOf(tenant: Tenant, woundId: string): Promise<WoundStanding | null> {
    return this.looking(tenant, (lookups) => lookups.standingOf(tenant, woundId));
  }

  /** The patient's photos with these bytes, oldest first. */
  filedPhotos(tenant: Tenant, of: PhotoOfPatient): Promise<readonly FiledPhoto[]> {
    return this.looking(tenant, (lookups) => lookups.filedPhotos(tenant, of));
  }

  /** Findings of these codes that somebody stated or changed of the patient since; not those of the service. */
  findingsSince(tenant: Tenant, of: StatedFinding): Promise<readonly Observation[] | 'too_many'> {
    return this.looking(tenant, (lookups) => lookups.findingsSince(tenant, of));
  }

  /** null for an unknown id, and for another tenant's. */
  read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null> {
    return this.looking(tenant, (lookups) => lookups.read<T>(tenant, type, id));
  }
}
