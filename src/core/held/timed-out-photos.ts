import { isSuturaError, SuturaError } from '../errors/sutura-error.js';
import type { SystemTransaction, TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { JobRetries } from '../analysis/job-retries.js';

import type { TimedOutPhoto, TimedOutPhotoRepository } from '../analysis/timed-out-photo.repository.js';
import { NOTHING_CAME, type HeldActor, type HeldCount, type HeldItem, type HeldResolution } from './held-item.js';
import { HeldSource, type HeldPage } from './held-source.js';

const REASON = 'photo_times_out';
const PREFIX = `${REASON}.`;
const WAITS_FOR =
  'The photo took too long three times while others ended well, and has no result. Have it analysed once more, or take it off the list and have a new photo taken.';

export interface TimedOutPhotosPorts {
  readonly unitOfWork: UnitOfWork;
  readonly timedOut: TimedOutPhotoRepository;
}

/** Photos that were given up for time: `retry` has one analysed once more at no charge, `discard` takes it off the list. */
export class TimedOutPhotos extends HeldSource {
  readonly reasons = [REASON] as const;

  constructor(
    private readonly ports: TimedOutPhotosPorts,
    private readonly retries: Pick<JobRetries, 'retry'>,
  ) {
    super();
  }

  async open(transaction: TenantTransaction, { olderThanS, after, limit }: HeldPage): Promise<HeldItem[]> {
    // Of several reasons at one moment, those of the same prefix are in the order of their jobs.
    const behind = after === null ? null : { failedAt: after.since, jobId: jobBehind(after.id) };
    const photos = await this.ports.timedOut.list(transaction, { olderThanS, after: behind, limit });
    return photos.map(toItem);
  }

  async find(transaction: TenantTransaction, id: string): Promise<HeldItem | null> {
    if (!id.startsWith(PREFIX)) return null;
    const photo = await this.ports.timedOut.find(transaction, id.slice(PREFIX.length));
    return photo === null ? null : toItem(photo);
  }

  async count(transaction: SystemTransaction): Promise<HeldCount[]> {
    const counts = await this.ports.timedOut.count(transaction);
    return counts.map(({ photos, oldestAt, ...tenant }) => ({
      ...tenantOf(tenant),
      reason: REASON,
      items: photos,
      oldestSince: oldestAt,
    }));
  }

  async resolve(
    tenant: Tenant,
    { id }: HeldItem,
    { action, note }: HeldResolution,
    { name }: HeldActor,
  ): Promise<void> {
    const jobId = id.slice(PREFIX.length);
    if (action === 'retry') return this.retry(tenant, jobId);
    const isDone = await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
      this.ports.timedOut.setAside(transaction, jobId, { by: name, note }),
    );
    if (!isDone) throw new SuturaError('held.not_found');
  }

  private async retry(tenant: Tenant, jobId: string): Promise<void> {
    try {
      await this.retries.retry(tenant, jobId);
    } catch (fault) {
      if (isSuturaError(fault, 'job.retried', 'job.not_found', 'job.not_failed'))
        throw new SuturaError('held.not_found');
      throw fault;
    }
  }
}

function toItem({ jobId, imageId, patientId, source, failedAt, ...tenant }: TimedOutPhoto): HeldItem {
  return {
    ...tenantOf(tenant),
    id: `${PREFIX}${jobId}`,
    reason: REASON,
    since: failedAt,
    door: source,
    came: { ...NOTHING_CAME, jobIds: [jobId], imageIds: [imageId], patientIds: patientId === null ? [] : [patientId] },
    waitsFor: WAITS_FOR,
    actions: ['retry', 'discard'],
  };
}

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The job behind which the page goes on: ids of other reasons sort before or behind all of these. */
function jobBehind(id: string): string {
  if (id.startsWith(PREFIX)) return id.slice(PREFIX.length);
  return id < PREFIX ? FIRST : LAST;
}
