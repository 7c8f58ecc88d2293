import { createHash, randomBytes } from 'node:crypto';
import { SuturaError } from '../../../../src/core/errors/sutura-error.js';
import type { ImageRecord } from '../../../../src/core/images/image.js';
import { ImageRepository } from '../../../../src/core/images/image.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { InboundControl } from '../../../../src/doors/hl7v2/inbox/store/inbound-control.js';
import { InboundPhotosEraser } from '../../../../src/doors/hl7v2/inbox/store/inbound-photos.eraser.js';
import { InboundQueries } from '../../../../src/doors/hl7v2/inbox/store/inbound-queries.js';
import { MessagePhotos } from '../../../../src/doors/hl7v2/inbox/store/message-photos.js';
import { MessageEncryption } from '../../../../src/standards/hl7v2/encryption/message-encryption.js';
import type { StoredFile } from '../../../../src/standards/hl7v2/er7/stored-file.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { InboxProcess, messageOf, Sender } from './inbox-ground.js';
import { TestSql } from './test-sql.js';

const KEY = Buffer.alloc(32, 3).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 4).toString('base64');
/** Nobody looks by itself while a test does. */
const SELDOM = { SUTURA_SWEEP_INTERVAL_MS: '60000' };

interface Row {
  readonly id: string;
  readonly raw: Buffer;
  readonly files: readonly StoredFile[] | null;
  readonly state: string;
}

let database: TestDatabase;
let context: DatabaseContext;
let sql: TestSql;
let tenant: Tenant;
let listenerId: string;
let door: InboxProcess;
let sender: Sender;
let photo: Buffer;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url);
  sql = await TestSql.open(database.url);
});
beforeEach(async () => {
  tenant = await context.createTenant();
  await startWith({ HL7_ENCRYPTION_KEY: KEY, ...SELDOM });
  photo = randomBytes(3000);
});
afterEach(async () => {
  sender?.close();
  await door?.close();
});
afterAll(async () => {
  await sql?.close();
  await context?.close();
  await database?.drop();
});

async function startWith(variables: Readonly<Record<string, string>>): Promise<void> {
  door = await InboxProcess.start(database.url, variables);
  const { id, servedOn } = await door.listener(tenant);
  listenerId = id;
  sender = await Sender.open(servedOn);
}

const base64 = () => photo.toString('base64');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const imageOf = async (bytes: Buffer): Promise<ImageRecord> => {
  const image = await context.createImage(tenant, { sizeBytes: bytes.length, sha256: sha256(bytes) });
  await door.store.put(image.objectKey, bytes);
  return image;
};
const withPhoto = (text: string) =>
  messageOf({
    segments: [
      'PID|1||MRN-1^^^HOSP^MR||Beispiel^Änna',
      'OBR|1|ORD-1||39135-9^Wound assessment panel^LN',
      `OBX|1|ED|72170-4^Photo^LN|1|EHR^IM^JPEG^Base64^${text}||||||F`,
    ],
  });
/** Takes a message, and answers its id. */
async function taken(message: string): Promise<string> {
  expect((await sender.ask(message)).code).toBe('AA');
  return (await rows()).at(-1)!.id;
}
const rows = () =>
  sql.rows<Row>('select id, raw, files, state from hl7_inbound where source_id = $1 order by sequence', [listenerId]);
const row = async (id: string) => (await rows()).find((one) => one.id === id)!;
const fileAll = () => door.get(MessagePhotos).fileAll();
const shown = (id: string) => door.get(InboundQueries).show(id);
const kept = async (id: string) =>
  door
    .get(MessageEncryption)
    .open((await row(id)).raw, id)
    .toString();

describe('a message whose photo is filed', () => {
  it('keeps a token in its place, and is the very bytes that came for whoever reads it', async () => {
    const image = await imageOf(photo);
    const message = withPhoto(base64());
    const id = await taken(message);
    expect(await fileAll()).toBe(1);
    const { files } = await row(id);
    expect(files).toEqual([
      { token: expect.any(String), objectKey: image.objectKey, sha256: sha256(photo), sizeBytes: photo.length },
    ]);
    expect(await kept(id)).toBe(message.replace(base64(), files![0]!.token));
    expect((await shown(id)).bytes.toString()).toBe(message);
    expect(await fileAll()).toBe(0);
  });

  it('is filed by the gateway itself, after its sender has the answer', async () => {
    await door.close();
    sender.close();
    await startWith({ HL7_ENCRYPTION_KEY: KEY });
    await imageOf(photo);
    const message = withPhoto(base64());
    const id = await taken(message);
    await eventually('the photo to be filed', async () => ((await row(id)).files ?? []).length === 1);
    expect((await shown(id)).bytes.toString()).toBe(message);
  });

  it('is processed again with its photo, and filed again', async () => {
    await imageOf(photo);
    const message = withPhoto(base64());
    const id = await taken(message);
    await fileAll();
    await door.get(InboundControl).replay(id);
    await eventually('the replay to end', async () => (await row(id)).state === 'processed');
    expect(await row(id)).toMatchObject({ files: null });
    expect(await kept(id)).toBe(message);
    expect(await fileAll()).toBe(1);
    expect((await shown(id)).bytes.toString()).toBe(message);
  });

  it('is not processed again without it, and says that it is lost', async () => {
    await imageOf(photo);
    const id = await taken(withPhoto(base64()));
    await fileAll();
    door.store.objects.clear();
    await expect(door.get(InboundControl).replay(id)).rejects.toMatchObject({ code: 'hl7.file_missing' });
    expect((await shown(id)).isWhole).toBe(false);
    expect((await shown(id)).bytes.toString()).toContain(`^Base64^LOST ${photo.length} BYTES|`);
  });

  it('waits for a store that is away: neither it nor a part of it is shown, and nothing changes', async () => {
    await imageOf(photo);
    const message = withPhoto(base64());
    const id = await taken(message);
    await fileAll();
    const fault = new SuturaError('service.unavailable');
    const get = jest.spyOn(door.store, 'get').mockRejectedValue(fault);
    await expect(shown(id)).rejects.toBe(fault);
    await expect(door.get(InboundControl).replay(id)).rejects.toBe(fault);
    get.mockRestore();
    expect((await shown(id)).bytes.toString()).toBe(message);
  });

  it('loses it with the image, and names its size', async () => {
    const image = await imageOf(photo);
    const id = await taken(withPhoto(base64()));
    await fileAll();
    await door.get(InboundPhotosEraser).erase({
      tenant,
      imageId: image.id,
      sha256: sha256(photo),
      sizeBytes: photo.length,
    });
    expect((await row(id)).files).toEqual([]);
    const { record, bytes } = await shown(id);
    expect(record.erased).toEqual([{ imageId: image.id, sizeBytes: photo.length, erasedAt: expect.any(String) }]);
    expect(bytes.toString()).toMatch(new RegExp(`\\^Base64\\^ERASED ${photo.length} BYTES [^|]*\\|`));
    await expect(door.get(InboundControl).replay(id)).rejects.toMatchObject({ code: 'hl7.erased' });
  });

  it('loses it where an operator removes the files of the message', async () => {
    await imageOf(photo);
    const id = await taken(withPhoto(base64()));
    await fileAll();
    expect(await door.get(InboundControl).erase(id)).toEqual([
      { imageId: null, sizeBytes: photo.length, erasedAt: expect.any(String) },
    ]);
    expect(await door.get(InboundControl).erase(id)).toEqual([]);
    expect((await shown(id)).bytes.toString()).toContain(`^Base64^ERASED ${photo.length} BYTES `);
  });
});

describe('a message stays whole', () => {
  it.each([
    ['wrapped at 76 characters by escapes', () => base64().replace(/.{76}/g, '$&\\.br\\')],
    ['wrapped by line ends in hexadecimal', () => base64().replace(/.{76}/g, '$&\\X0D0A\\')],
    ['with a blank at its end', () => `${base64()} `],
    ['in hexadecimal', () => photo.toString('hex')],
    [
      'whose last character has bits that say nothing',
      () => `${photo.subarray(0, 2998).toString('base64').slice(0, -3)}B==`,
    ],
  ])('with Base64 %s, which writing it anew would not reproduce', async (_what, written) => {
    const text = written();
    await imageOf(photo);
    await imageOf(Buffer.from(text, 'base64'));
    const message = withPhoto(text);
    const id = await taken(message);
    expect(await fileAll()).toBe(0);
    expect(await kept(id)).toBe(message);
    expect((await shown(id)).bytes.toString()).toBe(message);
  });

  it.each([
    ['has no image', async () => undefined],
    [
      'is of another organization',
      async () =>
        void (await context.createImage(await context.createTenant(), {
          sizeBytes: photo.length,
          sha256: sha256(photo),
        })),
    ],
    ['has lost its object', async () => void door.store.objects.delete((await imageOf(photo)).objectKey)],
    [
      'has another object than its digest says',
      async () => void (await door.store.put((await imageOf(photo)).objectKey, randomBytes(3000))),
    ],
    [
      'was deleted',
      async () => {
        const image = await imageOf(photo);
        await context
          .get(UnitOfWork)
          .inTenant(tenant, (transaction) => context.get(ImageRepository).markDeleted(transaction, image.id));
      },
    ],
    [
      'is that of two others, of which one may go alone',
      async () => void (await Promise.all([imageOf(photo), imageOf(photo)])),
    ],
  ])('whose photo %s', async (_what, prepare) => {
    await prepare();
    const message = withPhoto(base64());
    const id = await taken(message);
    expect(await fileAll()).toBe(0);
    expect(await kept(id)).toBe(message);
  });

  it('that no key opens, and opens as it came once its key is back', async () => {
    await imageOf(photo);
    const message = withPhoto(base64());
    const id = await taken(message);
    sender.close();
    await door.close();
    await startWith({ HL7_ENCRYPTION_KEY: OTHER_KEY, ...SELDOM });
    expect(await fileAll()).toBe(0);
    sender.close();
    await door.close();
    await startWith({ HL7_ENCRYPTION_KEY: KEY, ...SELDOM });
    expect((await shown(id)).bytes.toString()).toBe(message);
  });

  it('while the object store cannot be asked, and is filed afterwards', async () => {
    await imageOf(photo);
    const id = await taken(withPhoto(base64()));
    const get = jest.spyOn(door.store, 'get').mockRejectedValue(new SuturaError('service.unavailable'));
    await expect(fileAll()).rejects.toMatchObject({ code: 'service.unavailable' });
    expect((await row(id)).files).toBeNull();
    get.mockRestore();
    expect(await fileAll()).toBe(1);
  });
});
