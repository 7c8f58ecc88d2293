import { Injectable } from '@nestjs/common';
import type { Bundle, Resource, ResourceType } from '@medplum/fhirtypes';
import { UnitOfWork, type Transaction } from '../../core/ports/unit-of-work.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import type { QuotaPolicy } from '../../core/organizations/quota.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import { readShape } from '../bundle/bundle-shape.js';
import { shownBy } from '../bundle/transaction-bundle.js';
import { TransactionPerformer, type PerformedEntry } from '../bundle/transaction-performer.js';
import type { FhirCall } from '../call/fhir-call.js';
import { OutcomeError } from '../outcome/outcome-error.js';
import { ResourceStore, type StoredResource } from '../store/resource-store.js';
import { error } from '../validation/resource-issue.js';
import { ResourceValidator } from '../validation/resource-validator.js';
import { AnalysesOfEntries, type AppliedAnalyses } from './analyses-of-entries.js';
import { IdentifiedResources, type RecordIdentifier } from './identified-resources.js';
import { OrderPhotos, type OrderPhoto } from './order-photos.js';
import { PatientJoining, type StatedJoin } from './patient-joining.js';
import { WaitingOrders } from './waiting-orders.js';
import { plainBundle } from './plain-bundle.js';

/** What became of a Bundle. */
export interface Application extends AppliedAnalyses {
  /** `Type/id` of each entry, in the order of the entries. */
  readonly references: readonly string[];
}

export interface ApplicationOptions {
  readonly requestId: string;
  readonly quota: QuotaPolicy;
  /** Records of patients that are joined before the Bundle is applied. */
  readonly joins: readonly StatedJoin[];
  /** Ids of orders that must still wait for their photo. */
  readonly waitingOrders: readonly string[];
  /** Photos that their orders must still lack. */
  readonly newPhotos: readonly OrderPhoto[];
  /** In the same transaction, right before its commit. */
  within(transaction: Transaction, applied: Application): Promise<void>;
}

/** The records of this door for the HL7 v2 door: a message becomes a transaction Bundle, and is taken as one that a client posts. */
@Injectable()
export class FhirRecords {
  constructor(
    private readonly validator: ResourceValidator,
    private readonly performer: TransactionPerformer,
    private readonly joining: PatientJoining,
    private readonly analyses: AnalysesOfEntries,
    private readonly waiting: WaitingOrders,
    private readonly orderPhotos: OrderPhotos,
    private readonly identified: IdentifiedResources,
    private readonly store: ResourceStore,
    private readonly audit: FhirAudit,
    private readonly unitOfWork: UnitOfWork,
    private readonly address: PublicAddress,
  ) {}

  /** All of it or nothing. Photos are judged and stored before the transaction. Whatever a transaction over HTTP is refused with; `fhir.duplicate` for a join that is none, `fhir.version_conflict` for an order that waits no longer, or has the photo. */
  async apply(
    caller: Caller,
    bundle: Bundle,
    { requestId, quota, joins, waitingOrders, newPhotos, within }: ApplicationOptions,
  ): Promise<Application> {
    const shaped = await readShape(plainBundle(bundle), this.validator);
    if (shaped.kind !== 'transaction')
      throw new OutcomeError('fhir.bundle', [error('not-supported', 'Bundle.type', 'Only a transaction is applied.')]);
    const request = { base: `${this.address.url}/fhir`, requestId, strict: true, door: 'hl7v2', quota } as const;
    return this.performer.perform(caller, request, shaped, async (call, run) => {
      await this.waiting.require(call, waitingOrders);
      await this.orderPhotos.requireNew(call, newPhotos);
      const joined = await this.joining.begin(call, joins);
      const performed = await run();
      const moved = await this.joining.finish(call, joined);
      await this.audit.record(call, 'transaction', {
        resources: performed.flatMap(({ answer }) => shownBy(answer)),
        references: moved,
      });
      const applied = await this.applicationOf(call, performed);
      await within(call.transaction, applied);
      return applied;
    });
  }

  /** Resources of a type that carry any of the identifiers, 20 at most; of a patient whose record was joined into another, that other. */
  findByIdentifier<T extends Resource>(
    tenant: Tenant,
    type: ResourceType,
    identifiers: readonly RecordIdentifier[],
  ): Promise<T[]> {
    return this.unitOfWork.inTenant(tenant, (transaction) => this.identified.find<T>(transaction, type, identifiers));
  }

  /** Whether an order has no analysis but one that waits for its photo, or such as came to nothing. */
  waitsForPhoto(tenant: Tenant, orderId: string): Promise<boolean> {
    return this.unitOfWork.inTenant(tenant, (transaction) => this.waiting.isWaiting(transaction, orderId));
  }

  /** The Media of an order with these bytes whose analysis is under way or done, by its id; null: none. */
  photoOfOrder(tenant: Tenant, photo: OrderPhoto): Promise<string | null> {
    return this.unitOfWork.inTenant(tenant, (transaction) => this.orderPhotos.find(transaction, photo));
  }

  /** null for unknown, foreign. */
  read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null> {
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      const stored = (await this.store.find(transaction, type, id)) as StoredResource<T> | null;
      return stored?.resource ?? null;
    });
  }

  private async applicationOf(call: FhirCall, performed: readonly PerformedEntry[]): Promise<Application> {
    const resources = performed.map(({ answer }) => shownBy(answer)[0] ?? null);
    const references = resources.map((resource) =>
      resource?.id === undefined ? '' : `${resource.resourceType}/${resource.id}`,
    );
    return { references, ...(await this.analyses.find(call, resources)) };
  }
}
