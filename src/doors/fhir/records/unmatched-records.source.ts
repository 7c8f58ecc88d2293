import { Injectable } from '@nestjs/common';
import type { DocumentReference, Media } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import {
  NOTHING_CAME,
  type HeldActor,
  type HeldCount,
  type HeldItem,
  type HeldResolution,
} from '../../../core/held/held-item.js';
import { HeldSource, type HeldPage } from '../../../core/held/held-source.js';
import { UnitOfWork, type SystemTransaction, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import {
  UNMATCHED,
  UnmatchedRecords,
  type Unmatched,
  type UnmatchedRecord,
} from '../../../standards/fhir/store/unmatched-records.js';
import { photoOfDocument, photoOfMedia, type PhotoResource } from '../intake/photo-resource.js';

const ID = /^([a-z_]+)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const WAITS = {
  order:
    'The photo of this order has not come. Have it taken or sent under the order’s number, or have the order cancelled by whoever placed it.',
  number:
    'No active order of a wound assessment with the number that this photo names has come for its patient. Have the order sent, or the number corrected.',
  ended:
    'The order that this photo names asks for no analysis of it: it was cancelled, is no order of a wound assessment, or is not active. Have an order placed that does, or ask for the analysis of the photo itself.',
  none: 'This photo names no order, and nobody has asked for its analysis. Have an order sent that names it, or ask for the analysis of the photo itself.',
};

/** Orders without a photo and photos without an order. They leave the list by themselves once the other comes; a person can take them off it. */
@Injectable()
export class UnmatchedRecordsSource extends HeldSource {
  readonly reasons = UNMATCHED;

  constructor(
    private readonly records: UnmatchedRecords,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  async open(transaction: TenantTransaction, page: HeldPage): Promise<readonly HeldItem[]> {
    const items: HeldItem[] = [];
    for (const reason of UNMATCHED) {
      if (page.reason !== null && page.reason !== reason) continue;
      const { olderThanS, limit } = page;
      const found = await this.records.page(transaction, reason, { olderThanS, limit, after: afterOf(reason, page) });
      items.push(...found.map((one) => toItem(transaction.tenant, reason, one)));
    }
    return items
      .sort((one, other) => one.since.getTime() - other.since.getTime() || (one.id < other.id ? -1 : 1))
      .slice(0, page.limit);
  }

  async find(transaction: TenantTransaction, id: string): Promise<HeldItem | null> {
    const named = namedBy(id);
    if (named === null) return null;
    const found = await this.records.find(transaction, named.reason, named.id);
    return found === null ? null : toItem(transaction.tenant, named.reason, found);
  }

  async count(transaction: SystemTransaction): Promise<readonly HeldCount[]> {
    const counts: HeldCount[] = [];
    for (const reason of UNMATCHED)
      counts.push(...(await this.records.count(transaction, reason)).map((count) => ({ ...count, reason })));
    return counts;
  }

  /** Off the list: nothing else is changed, and what comes later is analysed as ever. */
  async resolve(tenant: Tenant, item: HeldItem, _resolution: HeldResolution, actor: HeldActor): Promise<void> {
    const named = namedBy(item.id);
    if (named === null) throw new SuturaError('held.not_found');
    const by = { by: actor.name, person: actor.person ?? null };
    const isFirst = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.records.dismiss(transaction, named.reason, named.id, by),
    );
    if (!isFirst) throw new SuturaError('held.not_found');
  }
}

function namedBy(itemId: string): { readonly reason: Unmatched; readonly id: string } | null {
  const [, reason, id] = ID.exec(itemId) ?? [];
  const known = UNMATCHED.find((one) => one === reason);
  return known === undefined || id === undefined ? null : { reason: known, id };
}

/** The list is ordered by the ids of its items, which begin with their reasons. */
function afterOf(reason: Unmatched, { after }: HeldPage): { readonly since: Date; readonly id: string } | null {
  if (after === null) return null;
  const named = namedBy(after.id);
  if (named?.reason === reason) return { since: after.since, id: named.id };
  return { since: after.since, id: after.id < `${reason}.` ? FIRST_ID : LAST_ID };
}

function toItem(tenant: Tenant, reason: Unmatched, found: UnmatchedRecord): HeldItem {
  const { id, since, door, patientId, resource, messageIds } = found;
  const { organizationId, environment } = tenant;
  const shared = {
    organizationId,
    environment,
    id: `${reason}.${id}`,
    reason,
    since,
    door,
    actions: ['wait'] as const,
  };
  const address = `${resource.resourceType}/${resource.id}`;
  const patientIds = patientId === null ? [] : [patientId];
  if (resource.resourceType === 'ServiceRequest') {
    const came = {
      ...NOTHING_CAME,
      messageIds,
      resources: [address, `Task/${id}`],
      patientIds,
      orders: [resource.id!],
    };
    return { ...shared, came, waitsFor: WAITS.order };
  }
  const photo = photoOf(resource);
  const orders = photo?.orderIds ?? [];
  const came = { ...NOTHING_CAME, messageIds, resources: [address], imageIds: [id], patientIds, orders };
  return { ...shared, came, waitsFor: whatPhotoWaitsFor(photo) };
}

function photoOf(resource: Media | DocumentReference): PhotoResource | null {
  return resource.resourceType === 'Media' ? photoOfMedia(resource) : photoOfDocument(resource);
}

function whatPhotoWaitsFor(photo: PhotoResource | null): string {
  if ((photo?.orderIds.length ?? 0) > 0) return WAITS.ended;
  return (photo?.orderNumbers.length ?? 0) > 0 ? WAITS.number : WAITS.none;
}
