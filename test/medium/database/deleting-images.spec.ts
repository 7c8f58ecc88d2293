import { ImageRepository } from '../../../src/core/images/image.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { analysisServiceOver, imageErasureOver, PLAIN_REQUEST } from '../../support/core-services.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('deleting an image', () => {
  let database: TestDatabase;
  let context: DatabaseContext;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const create = (tenant: Tenant, imageId: string) =>
    context
      .get(UnitOfWork)
      .inTenant(tenant, (transaction) =>
        analysisServiceOver(context).create(transaction, { ...PLAIN_REQUEST, imageId }),
      );
  const statusOf = (tenant: Tenant, imageId: string) =>
    context
      .get(UnitOfWork)
      .inTenant(tenant, async (transaction) => (await context.get(ImageRepository).find(transaction, imageId))?.status);

  it('leaves the record as it was when the pictures cannot be erased', async () => {
    const tenant = await context.createTenant('free');
    const image = await context.createImage(tenant);
    const broken = imageErasureOver(context, { deleteAll: () => Promise.reject(new Error('store away')) });
    await expect(broken.erase(tenant, image.id)).rejects.toThrow('store away');
    expect(await statusOf(tenant, image.id)).toBe('stored');
  });

  it('is refused while a job is not terminal', async () => {
    const tenant = await context.createTenant('free');
    const image = await context.createImage(tenant);
    await create(tenant, image.id);
    const erased: string[] = [];
    const service = imageErasureOver(context, { deleteAll: (prefix) => Promise.resolve(void erased.push(prefix)) });
    await expect(service.erase(tenant, image.id)).rejects.toMatchObject({ code: 'image.in_use' });
    expect(erased).toEqual([]);
  });

  it('lets no job be created on the image meanwhile', async () => {
    const tenant = await context.createTenant('free');
    const image = await context.createImage(tenant);
    let creating: Promise<unknown> = Promise.resolve();
    const service = imageErasureOver(context, {
      deleteAll: () => {
        creating = create(tenant, image.id).catch((error: unknown) => error);
        return Promise.resolve();
      },
    });
    await service.erase(tenant, image.id);
    expect(await creating).toMatchObject({ code: 'image.not_found' });
    expect(await statusOf(tenant, image.id)).toBe('deleted');
  });
});
