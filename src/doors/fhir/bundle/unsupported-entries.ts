import { Injectable } from '@nestjs/common';
import { OrganizationRepository } from '../../../core/organizations/organization.repository.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirAnswer } from '../call/fhir-call.js';
import { IntakeDirectory } from '../interactions/resource-intake.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { BundleEntry, EntryMethod } from './bundle-entry.js';
import type { ShapedBundle } from './bundle-shape.js';
import { readTarget } from './entry-target.js';

const WRITES: readonly unknown[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Asks for something to be done later: without it its sender would wait for what never comes. Refused by every organization. */
const NEVER_LEFT_OUT = 'Subscription';

/** Entries that would write types which this service does not keep (docs/decisions/0022). */
@Injectable()
export class UnservedEntries {
  constructor(
    private readonly intakes: IntakeDirectory,
    private readonly organizations: OrganizationRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The skipped entries by index; none if the organization refuses such Bundles, which is looked up only if there are any. */
  async skipUnsupported(
    caller: Caller,
    { entries }: ShapedBundle,
    base: string,
  ): Promise<ReadonlyMap<number, BundleEntry>> {
    const unserved = entries.flatMap((entry, index) => this.unserved(entry, index, base) ?? []);
    if (unserved.length === 0) return new Map();
    const organization = await this.unitOfWork.inTenant(caller, (transaction) =>
      this.organizations.find(transaction, caller.organizationId),
    );
    return organization?.unservedTypes === 'ignore'
      ? new Map(unserved.map((entry) => [entry.index, entry]))
      : new Map();
  }

  private unserved(entry: ShapedBundle['entries'][number], index: number, base: string): BundleEntry | null {
    const { method, url } = entry.request;
    const target = WRITES.includes(method) && typeof url === 'string' ? readTarget(url, base) : null;
    const why = target === null ? null : this.reasonFor(target.type, entry['resource']);
    if (target === null || why === null) return null;
    return {
      index,
      fullUrl: (entry['fullUrl'] as string | undefined) ?? null,
      method: method as EntryMethod,
      target,
      conditions: {},
      resource: undefined,
      skipped: why,
    };
  }

  private reasonFor(type: string, resource: unknown): string | null {
    const served = rowOf(type);
    if (type === NEVER_LEFT_OUT) return null;
    if (served === undefined) return `${type} is not served here. The entry was left out, and nothing of it is kept.`;
    if (!served.interactions.includes('create'))
      return `${type} is written by this service alone. The entry was left out, and nothing of it is kept.`;
    return this.intakes.of(type as never)?.takes(resource) === false
      ? `${type} is not taken with this code. The entry was left out, and nothing of it is kept.`
      : null;
  }
}

/** The answer to a skipped entry. */
export function skippedAnswer({ skipped }: BundleEntry): FhirAnswer {
  return {
    status: 204,
    body: null,
    outcome: {
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'warning', code: 'not-supported', details: { text: skipped! } }],
    },
  };
}
