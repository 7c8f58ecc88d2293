import { v7 } from 'uuid';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { TimedOutPhotoRepository } from '../../../src/core/analysis/timed-out-photo.repository.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import { HeldService } from '../../../src/core/held/held.service.js';
import type { HeldPage } from '../../../src/core/held/held-source.js';
import { TimedOutPhotos } from '../../../src/core/held/timed-out-photos.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const ALL: HeldPage = { reason: null, olderThanS: null, after: null, limit: 10 };
const ACTOR = { name: 'operator:ward' };

let database: TestDatabase;
let context: DatabaseContext;
let tenant: Tenant;
let retried: string[];
let held: HeldService;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url);
});
afterAll(async () => {
  await context?.close();
  await database?.drop();
});
beforeEach(async () => {
  await context.get(SystemStatements).run('delete from analysis_jobs');
  tenant = await context.createTenant();
  retried = [];
  const unitOfWork = context.get(UnitOfWork);
  const retry = (_: Tenant, retryOf: string) => {
    if (retried.includes(retryOf)) return Promise.reject(new SuturaError('job.retried'));
    retried.push(retryOf);
    return Promise.resolve({ retryOf, id: v7() });
  };
  const source = new TimedOutPhotos({ unitOfWork, timedOut: context.get(TimedOutPhotoRepository) }, { retry });
  held = new HeldService([source], unitOfWork);
});

/** A job that ended in this error; of the image, or of one of its own. */
async function failed(code: string, imageId?: string): Promise<{ readonly id: string; readonly imageId: string }> {
  const job = await context.createJob(tenant, imageId === undefined ? {} : { imageId });
  const { lease } = (await context.get(JobRepository).claim(60, job.id))!;
  await context.get(JobRepository).fail(lease, { code: code as 'processing.timeout', detail: '', retryable: true });
  return job;
}
const list = (page = ALL) => held.list(tenant, page);
const resolve = (jobId: string, action: 'retry' | 'discard' | 'same') =>
  held.resolve(tenant, `photo_times_out.${jobId}`, { action }, ACTOR);

it('has nothing to do with other failures, with another organization’s, and with photos that are gone', async () => {
  await failed('processing.failed');
  const { imageId, id } = await failed('processing.timeout');
  const other = await context.createTenant();
  expect(await held.list(other, ALL)).toEqual([]);
  await expect(held.resolve(other, `photo_times_out.${id}`, { action: 'retry' }, ACTOR)).rejects.toMatchObject({
    code: 'held.not_found',
  });
  await context.get(SystemStatements).run(`update images set status = 'deleted' where id = $1`, [imageId]);
  expect(await list()).toEqual([]);
});

it('refuses an action that no photo has, and what is not there', async () => {
  const { id } = await failed('processing.timeout');
  await expect(resolve(id, 'same')).rejects.toMatchObject({ code: 'held.action' });
  for (const unknown of [v7(), 'x', `${id}'; --`])
    await expect(resolve(unknown, 'discard')).rejects.toMatchObject({ code: 'held.not_found' });
});

it('lists a photo that was given up for time once, by its last job, oldest first and page by page', async () => {
  const first = await failed('processing.timeout');
  const again = await failed('processing.timeout', first.imageId);
  const second = await failed('processing.timeout');
  const items = await list();
  expect(items.map(({ came }) => came.jobIds)).toEqual([[again.id], [second.id]]);
  expect(items[0]).toMatchObject({
    reason: 'photo_times_out',
    door: 'rest',
    actions: ['retry', 'discard'],
    came: { imageIds: [first.imageId] },
  });
  const [one] = await list({ ...ALL, limit: 1 });
  const rest = await list({ ...ALL, after: { since: one!.since, id: one!.id } });
  expect(rest.map(({ id }) => id)).toEqual([`photo_times_out.${second.id}`]);
  expect(await list({ ...ALL, olderThanS: 3600 })).toEqual([]);
  expect(await held.count()).toMatchObject([{ ...tenant, reason: 'photo_times_out', items: 2 }]);
});

it('has one analysed once more, once, and takes one off the list for good', async () => {
  const { id } = await failed('processing.timeout');
  await resolve(id, 'retry');
  expect(retried).toEqual([id]);
  await expect(resolve(id, 'retry')).rejects.toMatchObject({ code: 'held.not_found' });
  await resolve(id, 'discard');
  expect(await list()).toEqual([]);
  await expect(resolve(id, 'discard')).rejects.toMatchObject({ code: 'held.not_found' });
  const { rows } = await context
    .get(SystemStatements)
    .run<{ by: string }>(`select set_aside ->> 'by' as by from analysis_jobs where id = $1`, [id]);
  expect(rows).toEqual([{ by: 'operator:ward' }]);
});

it('is off the list once another job analyses the photo', async () => {
  const { imageId } = await failed('processing.timeout');
  await context.createJob(tenant, { imageId });
  expect(await list()).toEqual([]);
});
