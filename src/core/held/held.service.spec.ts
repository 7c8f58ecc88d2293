import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import { NOTHING_CAME, type HeldItem, type HeldReason } from './held-item.js';
import type { HeldPage, HeldSource } from './held-source.js';
import { HeldService } from './held.service.js';

const ORGANIZATION = 'org';
const ALL: HeldPage = { reason: null, olderThanS: null, after: null, limit: 10 };

function item(id: string, reason: HeldReason, minute: number, environment: Tenant['environment'] = 'live'): HeldItem {
  return {
    id,
    reason,
    since: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    door: 'hl7v2',
    organizationId: ORGANIZATION,
    environment,
    came: NOTHING_CAME,
    waitsFor: 'A person.',
    actions: ['discard'],
  };
}

function setUp(...kept: readonly (readonly HeldItem[])[]) {
  const resolved: string[] = [];
  const sources = kept.map((items): HeldSource => {
    const own = ({ tenant }: TenantTransaction) =>
      items.filter(({ environment }) => environment === tenant.environment);
    return {
      reasons: [...new Set(items.map(({ reason }) => reason))],
      open: (transaction, { reason, limit }) =>
        Promise.resolve(
          own(transaction)
            .filter((one) => reason === null || one.reason === reason)
            .slice(0, limit),
        ),
      find: (transaction, id) => Promise.resolve(own(transaction).find((one) => one.id === id) ?? null),
      count: () => Promise.resolve([]),
      resolve: ({ environment }, { id }, { action }, { name }) => {
        resolved.push([environment, id, action, name].join(' '));
        return Promise.resolve();
      },
    };
  });
  const unitOfWork: UnitOfWork = {
    inTenant: (tenant, work) => work({ tenant, afterCommit: () => undefined }),
    inSystem: () => Promise.reject(new Error('not asked for')),
  };
  return { service: new HeldService(sources, unitOfWork), resolved };
}

const CONFLICTS = [item('c1', 'identity_conflict', 1), item('c2', 'identity_conflict', 5, 'test')];
const ORDERS = [item('order_without_photo.1', 'order_without_photo', 3)];

describe('what waits for a person', () => {
  it('is not there for an unknown id, or one of the other environment', async () => {
    const { service } = setUp(CONFLICTS, ORDERS);
    for (const id of ['unknown', 'c2'])
      await expect(service.find({ organizationId: ORGANIZATION, environment: 'live' }, id)).rejects.toMatchObject({
        code: 'held.not_found',
      });
  });

  it('is not settled by an action that it does not offer', async () => {
    const { service, resolved } = setUp(CONFLICTS);
    await expect(
      service.resolve({ organizationId: ORGANIZATION }, 'c1', { action: 'same' }, { name: 'anna' }),
    ).rejects.toMatchObject({ code: 'held.action' });
    expect(resolved).toEqual([]);
  });

  it('is one list of all sources and both environments, oldest first, a page at a time', async () => {
    const { service } = setUp(CONFLICTS, ORDERS);
    const scope = { organizationId: ORGANIZATION };
    const ids = async (page: HeldPage) => (await service.list(scope, page)).map(({ id }) => id);
    expect(await ids(ALL)).toEqual(['c1', 'order_without_photo.1', 'c2']);
    expect(await ids({ ...ALL, limit: 2 })).toEqual(['c1', 'order_without_photo.1']);
    expect(await ids({ ...ALL, reason: 'identity_conflict' })).toEqual(['c1', 'c2']);
  });

  it('is settled by the source that keeps it, in its own environment', async () => {
    const { service, resolved } = setUp(CONFLICTS, ORDERS);
    await service.resolve({ organizationId: ORGANIZATION }, 'c2', { action: 'discard' }, { name: 'anna' });
    expect(resolved).toEqual(['test c2 discard anna']);
  });
});
