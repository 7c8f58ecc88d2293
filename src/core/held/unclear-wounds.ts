import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { SystemTransaction, TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { NOTHING_CAME, type HeldActor, type HeldCount, type HeldItem, type HeldResolution } from './held-item.js';
import { HeldSource, type HeldPage } from './held-source.js';
import type { UnclearWound, UnclearWoundRepository } from './unclear-wound.repository.js';

const REASON = 'wound_unclear';
const PREFIX = `${REASON}.`;
/** What `link` names: the wound that is meant. */
const WOUND = /^BodyStructure\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Why it cannot be the one that is named. */
const MISFITS: Partial<Readonly<Record<string, string>>> = {
  'wound.not_found': 'names no wound that is known here',
  'wound.merge_refused': 'names no other wound of the same patient',
  'wound.two_at_once': 'names a wound that has an area of the same day, so that the two are not one',
};
const WAITS_FOR =
  'Which wound it is: its photo has no wound number, its result is compared with nothing, and the patient has others that site and side do not contradict. They are named behind it. Say which one it is, or take it off the list until there is a further one.';

export interface UnclearWoundsPorts {
  readonly unclear: UnclearWoundRepository;
  readonly unitOfWork: UnitOfWork;
}

/** WoundService, as far as it is needed here. */
export interface WoundJoining {
  /** One series from now on. `wound.not_found`, `wound.merge_refused`, `wound.two_at_once`. */
  merge(
    transaction: TenantTransaction,
    woundId: string,
    intoId: string,
    by: { readonly reviewer: null; readonly note: string | null; readonly enteredBy: string },
  ): Promise<unknown>;
}

/**
 * Photos that name no wound, of patients who have wounds with numbers. Each has its result, in a series of its own, until a person says which
 * wound it shows: nothing is joined by guess.
 */
export class UnclearWounds extends HeldSource {
  readonly reasons = [REASON] as const;

  constructor(
    private readonly ports: UnclearWoundsPorts,
    private readonly wounds: WoundJoining,
  ) {
    super();
  }

  async open(transaction: TenantTransaction, { olderThanS, after, limit }: HeldPage): Promise<HeldItem[]> {
    const behind = after === null ? null : { since: after.since, woundId: woundBehind(after.id) };
    const found = await this.ports.unclear.page(transaction, { olderThanS, after: behind, limit });
    return found.map((one) => toItem(transaction.tenant, one));
  }

  async find(transaction: TenantTransaction, id: string): Promise<HeldItem | null> {
    if (!id.startsWith(PREFIX)) return null;
    const found = await this.ports.unclear.find(transaction, id.slice(PREFIX.length));
    return found === null ? null : toItem(transaction.tenant, found);
  }

  async count(transaction: SystemTransaction): Promise<HeldCount[]> {
    return (await this.ports.unclear.count(transaction)).map((count) => ({ ...count, reason: REASON }));
  }

  /**
   * `link`: it is the wound `to`, one of those that the item names, whose course has its results from then on; `wait`: nothing is said, and it is off the
   * list until the patient has a further wound with a number. As WoundService.merge.
   */
  async resolve(tenant: Tenant, { id, came }: HeldItem, resolution: HeldResolution, actor: HeldActor): Promise<void> {
    const { action, authority, to, note = null } = resolution;
    if (authority !== undefined) throw misfit('/authority', 'is not for this action');
    if (action === 'wait' && to !== undefined) throw misfit('/to', 'is for the action "link" alone');
    const into = action === 'link' ? WOUND.exec(to ?? '')?.[1] : undefined;
    if (action === 'link' && into === undefined)
      throw misfit('/to', 'names no wound; send BodyStructure/ and the id of the one that it is');
    const others = came.resources.slice(1);
    if (into !== undefined && !others.includes(`BodyStructure/${into}`))
      throw misfit('/to', 'names none of the wounds that the item names behind its own');
    const by = actor.person ?? actor.name;
    await this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      const woundId = id.slice(PREFIX.length);
      if (into !== undefined) await this.link(transaction, woundId, into, { reviewer: null, note, enteredBy: by });
      else {
        const ids = others.map((one) => one.slice('BodyStructure/'.length));
        const isFirst = await this.ports.unclear.setAside(transaction, woundId, ids, { name: by, note });
        if (!isFirst) throw new SuturaError('held.not_found');
      }
    });
  }

  private async link(
    transaction: TenantTransaction,
    woundId: string,
    intoId: string,
    by: Parameters<WoundJoining['merge']>[3],
  ): Promise<void> {
    try {
      await this.wounds.merge(transaction, woundId, intoId, by);
    } catch (fault) {
      // Somebody else was faster, and said otherwise.
      const isGone = (await this.ports.unclear.find(transaction, woundId)) === null;
      if (isSuturaError(fault, 'wound.merge_refused') && isGone) throw new SuturaError('held.not_found');
      const detail = isSuturaError(fault) ? MISFITS[fault.code] : undefined;
      throw detail === undefined ? fault : misfit('/to', detail);
    }
  }
}

function misfit(pointer: string, detail: string): SuturaError {
  return new SuturaError('request.invalid', { errors: [{ pointer, detail }] });
}

function toItem(
  tenant: Tenant,
  { woundId, patientId, since, others, jobIds, imageIds, source }: UnclearWound,
): HeldItem {
  return {
    ...tenantOf(tenant),
    id: `${PREFIX}${woundId}`,
    reason: REASON,
    since,
    door: source,
    came: {
      ...NOTHING_CAME,
      resources: [woundId, ...others].map((one) => `BodyStructure/${one}`),
      jobIds,
      imageIds,
      patientIds: [patientId],
    },
    waitsFor: WAITS_FOR,
    actions: ['link', 'wait'],
  };
}

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The wound behind which the page goes on: ids of other reasons sort before or behind all of these. */
function woundBehind(id: string): string {
  if (id.startsWith(PREFIX)) return id.slice(PREFIX.length);
  return id < PREFIX ? FIRST : LAST;
}
