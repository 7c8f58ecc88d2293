import { Injectable } from '@nestjs/common';
import type { Bundle } from '@medplum/fhirtypes';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { QuotaPolicy } from '../../../core/organizations/quota-ledger.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import { shownBy } from '../bundle/transaction-bundle.js';
import type { PerformedEntry } from '../bundle/transaction-performer.js';
import type { FhirCall } from '../call/fhir-call.js';
import { AnalysesOfEntries, type AppliedAnalyses } from './analyses-of-entries.js';
import { plainBundle } from './joined-bundle.js';
import { MessageBundles } from './message-bundles.js';
import type { RecordIdentifier } from './identified-resources.js';
import { OrderPhotos, type OrderPhoto } from './order-photos.js';
import { PatientJoining, type RequestedJoin } from './patient-joining.js';

/** The outcome of a Bundle. */
export interface AppliedBundle extends AppliedAnalyses {
  /** `Type/id` of each entry, in the order of the entries. */
  readonly references: readonly string[];
  /** The version that each entry led to, in their order. */
  readonly versions: readonly EntryVersion[];
}

/** `isNew`: the entry made the resource, which was not there; without a resource there is no version. */
export interface EntryVersion {
  readonly versionId: string | undefined;
  readonly isNew: boolean;
}

export interface ApplicationOptions {
  readonly requestId: string;
  readonly quota: QuotaPolicy;
  /** Records of patients that are joined before the Bundle is applied. */
  readonly joins: readonly RequestedJoin[];
  /** Ids of orders that must still wait for their photo. */
  readonly waitingOrders: readonly string[];
  /** Photos that their orders must still lack. */
  readonly newPhotos: readonly OrderPhoto[];
  /** Placers' numbers that no order may have yet. */
  readonly newOrders: readonly RecordIdentifier[];
  /** A person has decided who the patients are: a record may get another name and birth date at once. */
  readonly confirmsIdentity?: boolean;
  /** Called in the same transaction, right before its commit. */
  within(transaction: Transaction, applied: AppliedBundle): Promise<void>;
}

/** Applies a Bundle of another door as one that a client posts. */
@Injectable()
export class BundleApplication {
  constructor(
    private readonly bundles: MessageBundles,
    private readonly joining: PatientJoining,
    private readonly analyses: AnalysesOfEntries,
    private readonly orderPhotos: OrderPhotos,
    private readonly audit: FhirAudit,
  ) {}

  /** All or nothing. Photos are judged and stored before the transaction. The refusals of a transaction over HTTP; `fhir.duplicate` for an impossible join, `fhir.version_conflict` for an order that no longer waits, has the photo, or is there already. */
  async apply(
    caller: Caller,
    bundle: Bundle,
    {
      requestId,
      quota,
      joins,
      waitingOrders,
      newPhotos,
      newOrders,
      confirmsIdentity = false,
      within,
    }: ApplicationOptions,
  ): Promise<AppliedBundle> {
    return this.bundles.perform(
      caller,
      plainBundle(bundle),
      { requestId, quota, confirmsIdentity },
      async (call, run) => {
        await this.orderPhotos.requireWaiting(call, waitingOrders);
        await this.orderPhotos.requireNew(call, newPhotos);
        await this.orderPhotos.requireNoOrders(call, newOrders);
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
      },
    );
  }

  private async applicationOf(call: FhirCall, performed: readonly PerformedEntry[]): Promise<AppliedBundle> {
    const resources = performed.map(({ answer }) => shownBy(answer)[0] ?? null);
    return { ...resultsOfEntries(performed), ...(await this.analyses.find(call, resources)) };
  }
}

/** What each entry led to: `Type/id` and the version. */
export function resultsOfEntries(performed: readonly PerformedEntry[]): Pick<AppliedBundle, 'references' | 'versions'> {
  const results = performed.map(({ answer }) => ({ resource: shownBy(answer)[0], isNew: answer.status === 201 }));
  return {
    references: results.map(({ resource }) =>
      resource?.id === undefined ? '' : `${resource.resourceType}/${resource.id}`,
    ),
    versions: results.map(({ resource, isNew }) => ({ versionId: resource?.meta?.versionId, isNew })),
  };
}
