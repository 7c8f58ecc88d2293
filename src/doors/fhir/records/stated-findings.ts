import type { Coding, Observation } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { escaped, ResourceSearch } from '../search/resource-search.js';

/** What a finding is about, and from when on others of the same are looked for. */
export interface StatedFinding {
  /** `Patient/id`. */
  readonly patient: string;
  /** Any of these. */
  readonly codes: readonly Pick<Coding, 'system' | 'code'>[];
  readonly since: Date;
}

/** More findings of one kind than anybody states of a patient within the time that messages are kept refused. */
const MOST = 200;

/** Findings that somebody stated or changed. The service's own, which repeat them in reports, are none. */
@Injectable()
export class StatedFindings {
  constructor(private readonly searching: ResourceSearch) {}

  /** `too_many`: not all were looked at. */
  async find(
    transaction: TenantTransaction,
    { patient, codes, since }: StatedFinding,
  ): Promise<readonly Observation[] | 'too_many'> {
    if (codes.length === 0) return [];
    const criteria = new URLSearchParams({
      patient,
      code: codes.map(({ system = '', code = '' }) => `${escaped(system)}|${escaped(code)}`).join(','),
      _lastUpdated: `gt${since.toISOString()}`,
    });
    // A search asks its caller for the tenant alone; scopes do not matter here.
    const call = { transaction, caller: { ...transaction.tenant, keyId: '', scopes: [] }, base: '', requestId: '' };
    const found = await this.searching.match(call, 'Observation', criteria.toString(), MOST);
    if (found.length === MOST) return 'too_many';
    return found.flatMap(({ resource, createdBy }) =>
      createdBy.kind === 'client' && resource.resourceType === 'Observation' ? [resource] : [],
    );
  }
}
