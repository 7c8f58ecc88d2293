import { SuturaError } from '../errors/sutura-error.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { Environment, Tenant } from '../tenancy/tenant.js';
import type { HeldActor, HeldCount, HeldItem, HeldReason, HeldResolution } from './held-item.js';
import { heldCursorText, type HeldPage, type HeldSource } from './held-source.js';

/** Whose list; without an environment that of both. */
export interface HeldScope {
  readonly organizationId: string;
  readonly environment?: Environment | undefined;
}

/** A page of the list. */
export interface HeldList {
  readonly items: readonly HeldItem[];
  /** null at the end. */
  readonly nextCursor: string | null;
}

/** All that waits for a person, whatever keeps it. */
export class HeldService {
  constructor(
    private readonly sources: readonly HeldSource[],
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Reasons for which anything may wait. */
  get reasons(): HeldReason[] {
    return [...new Set(this.sources.flatMap(({ reasons }) => reasons))];
  }

  /** A page of the list, oldest first. */
  async page(scope: HeldScope, page: HeldPage): Promise<HeldList> {
    const found = await this.list(scope, { ...page, limit: page.limit + 1 });
    const items = found.slice(0, page.limit);
    const last = items.at(-1);
    return { items, nextCursor: found.length > page.limit && last !== undefined ? heldCursorText(last) : null };
  }

  /** Oldest first. */
  async list(scope: HeldScope, page: HeldPage): Promise<HeldItem[]> {
    const { reason } = page;
    const asked = this.sources.filter(({ reasons }) => reason === null || reasons.includes(reason));
    const found = await Promise.all(
      tenantsOf(scope).map((tenant) =>
        this.unitOfWork.inTenant(tenant, async (transaction) => {
          const items: HeldItem[] = [];
          for (const source of asked) items.push(...(await source.open(transaction, page)));
          return items;
        }),
      ),
    );
    return found.flat().sort(byAge).slice(0, page.limit);
  }

  /** `held.not_found` also for what waits no longer, and for another organization's. */
  async find(scope: HeldScope, id: string): Promise<HeldItem> {
    return (await this.placeOf(scope, id)).item;
  }

  /**
   * Does what a person decided; answers what it was. `held.not_found`, `held.action` where the item does not offer it, and what its source refuses
   * it with.
   */
  async resolve(scope: HeldScope, id: string, resolution: HeldResolution, actor: HeldActor): Promise<HeldItem> {
    const { source, item } = await this.placeOf(scope, id);
    if (!item.actions.includes(resolution.action)) throw new SuturaError('held.action');
    const { organizationId, environment } = item;
    await source.resolve({ organizationId, environment }, item, resolution, actor);
    return item;
  }

  /** A row for each reason and tenant where anything waits. */
  count(): Promise<HeldCount[]> {
    return this.unitOfWork.inSystem(async (transaction) => {
      const counts: HeldCount[] = [];
      for (const source of this.sources) counts.push(...(await source.count(transaction)));
      return joinedCounts(counts);
    });
  }

  private async placeOf(
    scope: HeldScope,
    id: string,
  ): Promise<{ readonly source: HeldSource; readonly item: HeldItem }> {
    for (const tenant of tenantsOf(scope)) {
      const found = await this.unitOfWork.inTenant(tenant, async (transaction) => {
        for (const source of this.sources) {
          const item = await source.find(transaction, id);
          if (item !== null) return { source, item };
        }
        return null;
      });
      if (found !== null) return found;
    }
    throw new SuturaError('held.not_found');
  }
}

function tenantsOf({ organizationId, environment }: HeldScope): Tenant[] {
  const environments: readonly Environment[] = environment === undefined ? ['live', 'test'] : [environment];
  return environments.map((one) => ({ organizationId, environment: one }));
}

/** A reason may have several sources. */
function joinedCounts(counts: readonly HeldCount[]): HeldCount[] {
  const joined = new Map<string, HeldCount>();
  for (const one of counts) {
    const key = JSON.stringify([one.organizationId, one.environment, one.reason]);
    const before = joined.get(key);
    const oldestSince =
      before !== undefined && before.oldestSince < one.oldestSince ? before.oldestSince : one.oldestSince;
    joined.set(key, { ...one, items: one.items + (before?.items ?? 0), oldestSince });
  }
  return [...joined.values()];
}

function byAge(one: HeldItem, other: HeldItem): number {
  return one.since.getTime() - other.since.getTime() || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
