import { SuturaError } from '../errors/sutura-error.js';
import type { Outbox } from '../domain-events/outbox.js';
import { identifierFault } from '../patients/identifier-text.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { HeldActor, HeldItem, HeldResolution } from './held-item.js';
import type { HeldItems } from './held-items.js';
import { KeptHeldSource } from './kept-held-source.js';

/** A URI of an authority: a scheme, and no blank (RFC 3986, 3). */
const AUTHORITY = /^(?!urn:(?:oid|uuid):)[a-z][a-z0-9+.-]*:[^\s|]{1,240}$/i;
/** What R4 takes for one; it refuses others that begin so. */
const OID_OR_UUID = /^urn:(?:oid:[0-2](?:\.(?:0|[1-9]\d*))+|uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** What it waits for, as the list says it. */
export const IDENTITY_WAITS_FOR = 'Whether it is the person of the record, whose birth date or given names differ.';

/**
 * What came under the number of one person with the birth date or the given names of another. Once somebody has decided, `held.settled` tells the
 * door that keeps it, which works it off.
 */
export class IdentityConflicts extends KeptHeldSource {
  constructor(
    items: HeldItems,
    outbox: Outbox,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super(['identity_conflict'], { items, outbox });
  }

  async resolve(tenant: Tenant, item: HeldItem, resolution: HeldResolution, actor: HeldActor): Promise<void> {
    requireFields(resolution);
    await this.unitOfWork.inTenant(tenant, (transaction) => this.settle(transaction, item.id, resolution, actor));
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
