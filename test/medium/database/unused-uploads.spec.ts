import type { ImageRecord } from '../../../src/core/images/image.js';
import { UnusedUploads } from '../../../src/core/images/unused-uploads.js';
import { ImageRepository } from '../../../src/core/images/image.repository.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { imageServiceOver } from '../../support/core-services.js';
import { DatabaseContext, newImage } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const HOUR_MS = 3_600_000;
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(64)]);

describe('addresses for uploads that nobody used', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;
  let objects: Map<string, Buffer>;
  let away: boolean;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    tenant = await context.createTenant('free');
  });
  beforeEach(() => {
    [objects, away] = [new Map(), false];
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const sweepOver = (uploadsArriveAt: ObjectStore['uploadsArriveAt']): Promise<number> => {
    const store: Partial<ObjectStore> = {
      uploadsArriveAt,
      getReceived: (key) => {
        const bytes = objects.get(key);
        return away
          ? Promise.reject(new Error('store away'))
          : Promise.resolve(bytes === undefined ? null : { bytes, contentType: 'image/jpeg' });
      },
      deleteAll: (prefix) =>
        Promise.resolve(
          [...objects.keys()].filter((key) => key.startsWith(prefix)).forEach((key) => objects.delete(key)),
        ),
    };
    const ports = {
      unitOfWork: context.get(UnitOfWork),
      images: context.get(ImageRepository),
      store: store as ObjectStore,
    };
    return new UnusedUploads(ports, imageServiceOver(context, store)).sweep();
  };
  const expired = async (hoursAgo: number, changes: Partial<ImageRecord> = {}): Promise<ImageRecord> => {
    const image = { ...newImage(tenant), uploadExpiresAt: new Date(Date.now() - hoursAgo * HOUR_MS), ...changes };
    await context
      .get(UnitOfWork)
      .inTenant(tenant, (transaction) => context.get(ImageRepository).insert(transaction, image));
    return image;
  };
  const statusOf = (image: ImageRecord) =>
    context
      .get(UnitOfWork)
      .inTenant(
        tenant,
        async (transaction) => (await context.get(ImageRepository).find(transaction, image.id))?.status,
      );

  it('stay for a day, and as long as something waits for their photo', async () => {
    const kept = [await expired(-1), await expired(23), await expired(48, { awaited: true })];
    expect(await sweepOver('gateway')).toBe(0);
    expect(await Promise.all(kept.map(statusOf))).toEqual(['awaiting_upload', 'awaiting_upload', 'awaiting_upload']);
  });

  it('end, once', async () => {
    const unused = await expired(25);
    expect([await sweepOver('gateway'), await sweepOver('gateway')]).toEqual([1, 0]);
    expect(await statusOf(unused)).toBe('deleted');
  });

  it('keep a photo that went straight to the store and was not analysed yet', async () => {
    const sent = await expired(25);
    objects.set(sent.objectKey, JPEG);
    expect(await sweepOver('store')).toBe(0);
    expect(await statusOf(sent)).toBe('stored');
    expect(objects.get(sent.objectKey)).toBe(JPEG);
  });

  it('end with what went straight to the store and is no photo', async () => {
    const sent = await expired(25);
    objects.set(sent.objectKey, Buffer.from('GIF89a, which is not read'));
    expect(await sweepOver('store')).toBe(1);
    expect([await statusOf(sent), objects.size]).toEqual(['deleted', 0]);
  });

  it('end with what went straight to the store as another type than was announced', async () => {
    const sent = await expired(25, { announced: { contentType: 'image/png', contentLength: null, sha256: null } });
    objects.set(sent.objectKey, JPEG);
    expect(await sweepOver('store')).toBe(1);
    expect([await statusOf(sent), objects.size]).toEqual(['deleted', 0]);
  });

  it('stay while the store cannot be asked', async () => {
    const sent = await expired(25);
    away = true;
    await expect(sweepOver('store')).rejects.toThrow('store away');
    expect(await statusOf(sent)).toBe('awaiting_upload');
  });
});
