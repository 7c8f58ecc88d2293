import { Injectable } from '@nestjs/common';
import type { Bundle, BundleEntry } from '@medplum/fhirtypes';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { BatchedCommits } from '../../../platform/database/batched-commits.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import { shownBy } from '../bundle/transaction-bundle.js';
import type { PerformedEntry } from '../bundle/transaction-performer.js';
import type { FhirCall } from '../call/fhir-call.js';
import { resultsOfEntries, type ApplicationOptions, type AppliedBundle } from './bundle-application.js';
import { joinBundles } from './joined-bundle.js';
import { MessageBundles } from './message-bundles.js';

/** A Bundle of one message. */
interface AskedBundle {
  readonly caller: Caller;
  readonly bundle: Bundle;
  readonly options: ApplicationOptions;
}

/** Creating these has no further effects: no photo, no analysis. */
const PLAIN_TYPES = new Set(['BodyStructure', 'Encounter', 'Observation', 'Patient']);
/**
 * A further group begins beside those that take long, such as behind a merge that holds one of their patients: it must not hold up everybody.
 * The weight of a Bundle is its number of entries; those of a group are indexed without a pause.
 */
const LIMITS = {
  largest: 20,
  atOnce: 4,
  patienceMs: 20,
  weight: { of: ({ bundle }: AskedBundle) => bundle.entry?.length ?? 0, largest: 50, heavy: Infinity },
};

/**
 * Applies Bundles of messages that come at the same time in one transaction: one commit, and one statement for all that they create. Each keeps
 * its line in the audit trail. A refusal reaches only its own message: the others of its group are then applied one by one.
 */
@Injectable()
export class GroupedBundles {
  private readonly work = new BatchedCommits<AskedBundle, AppliedBundle>((group) => this.applyAll(group), LIMITS);

  constructor(
    private readonly bundles: MessageBundles,
    private readonly audit: FhirAudit,
  ) {}

  /** Whether the Bundle only creates patients, visits, wounds and findings. */
  takes(bundle: Bundle, { joins, waitingOrders, newPhotos, newOrders }: ApplicationOptions): boolean {
    const entries = bundle.entry ?? [];
    const conditions = [joins, waitingOrders, newPhotos, newOrders];
    return entries.length > 0 && entries.every(isPlain) && conditions.every(({ length }) => length === 0);
  }

  /** As BundleApplication.apply; `within` is called again if another member of the group was refused. */
  apply(caller: Caller, bundle: Bundle, options: ApplicationOptions): Promise<AppliedBundle> {
    const { organizationId, environment, keyId } = caller;
    return this.work.run([organizationId, environment, keyId, options.quota].join(' '), { caller, bundle, options });
  }

  private async applyAll(group: readonly AskedBundle[]): Promise<readonly AppliedBundle[]> {
    const { caller, options } = group[0]!;
    const joined = joinBundles(group.map(({ bundle }) => bundle));
    return this.bundles.perform(caller, joined, options, async (call, run) => {
      const performed = shares(group, await run());
      await this.recordAll(call, group, performed);
      const applied = performed.map(applicationOf);
      await Promise.all(group.map((asked, at) => asked.options.within(call.transaction, applied[at]!)));
      return applied;
    });
  }

  private recordAll(
    call: FhirCall,
    group: readonly AskedBundle[],
    performed: readonly (readonly PerformedEntry[])[],
  ): Promise<void> {
    return this.audit.recordAll(
      group.map(({ caller, options: { requestId } }, at) => ({
        call: { ...call, caller, requestId },
        interaction: 'transaction',
        touched: { resources: performed[at]!.flatMap(({ answer }) => shownBy(answer)) },
      })),
    );
  }
}

function isPlain({ request, resource }: BundleEntry): boolean {
  if (request?.method !== 'POST' || resource === undefined || !PLAIN_TYPES.has(resource.resourceType)) return false;
  // One that says that a wound is closed has its series compared anew.
  if (resource.resourceType === 'BodyStructure') return resource.extension === undefined;
  // A finding made with a photo changes the analysis of it.
  return resource.resourceType !== 'Observation' || resource.derivedFrom === undefined;
}

/** What was performed for each Bundle of the group. */
function shares(group: readonly AskedBundle[], performed: readonly PerformedEntry[]): PerformedEntry[][] {
  let from = 0;
  return group.map(({ bundle }) => performed.slice(from, (from += bundle.entry?.length ?? 0)));
}

function applicationOf(performed: readonly PerformedEntry[]): AppliedBundle {
  const analysesOfEntries = performed.map(() => []);
  return { ...resultsOfEntries(performed), analysisIds: [], analysesOfEntries, waitsForQuotaUntil: null };
}
