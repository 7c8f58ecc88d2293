import { SuturaError } from '../errors/sutura-error.js';
import type { Outbox } from '../domain-events/outbox.js';
import { identifierFault } from '../patients/identifier-text.js';
import type { SystemTransaction, TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { HeldActor, HeldCount, HeldItem, HeldReason, HeldResolution } from './held-item.js';
import type { HeldItems } from './held-items.js';
import type { HeldPage, HeldSource } from './held-source.js';

/** A URI of an authority: a scheme, and no blank (RFC 3986, 3). */
const AUTHORITY = /^(?!urn:(?:oid|uuid):)[a-z][a-z0-9+.-]*:[^\s|]{1,240}$/i;
/** What R4 takes for one; it refuses others that begin so. */
const OID_OR_UUID = /^urn:(?:oid:[0-2](?:\.(?:0|[1-9]\d*))+|uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** What it waits for, as the list says it. */
export const IDENTITY_WAITS_FOR = 'Whether it is the person of the record, whose birth date or given names differ.';
const REASONS: readonly HeldReason[] = ['identity_conflict'];

/**
 * What came under the number of one person with the birth date or the given names of another. Once somebody has decided, `held.settled` tells the
 * door that keeps it, which works it off.
 */
export class IdentityConflicts implements HeldSource {
  readonly reasons = REASONS;

  constructor(
    private readonly items: HeldItems,
    private readonly outbox: Outbox,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  open(transaction: TenantTransaction, page: HeldPage): Promise<readonly HeldItem[]> {
    return this.items.open(transaction, REASONS, page);
  }

  find(transaction: TenantTransaction, id: string): Promise<HeldItem | null> {
    return this.items.find(transaction, REASONS, id);
  }

  count(transaction: SystemTransaction): Promise<readonly HeldCount[]> {
    return this.items.count(transaction, REASONS);
  }

  async resolve(tenant: Tenant, item: HeldItem, resolution: HeldResolution, actor: HeldActor): Promise<void> {
    requireFields(resolution);
    await this.unitOfWork.inTenant(tenant, async (transaction) => {
      if (!(await this.items.settle(transaction, item.id, resolution, actor))) throw new SuturaError('held.not_found');
      await this.outbox.append(transaction, { kind: 'held.settled', subjectId: item.id });
    });
  }
}

function requireFields({ action, authority, to }: HeldResolution): void {
  const refuse = (pointer: string, detail: string): never => {
    throw new SuturaError('request.invalid', { errors: [{ pointer, detail }] });
  };
  if (to !== undefined) refuse('/to', 'is not for this action');
  if (action === 'another') {
    if (authority === undefined) refuse('/authority', 'is missing: the authority that the other person’s number is of');
    else if (!(AUTHORITY.test(authority) || OID_OR_UUID.test(authority)) || identifierFault(authority) !== null)
      refuse('/authority', 'must be a URI such as urn:oid:1.2.3');
  } else if (authority !== undefined) refuse('/authority', 'is for the action "another" alone');
}
