import { createHash } from 'node:crypto';
import { SuturaError } from '../../../../src/core/errors/sutura-error.js';
import { Clock } from '../../../../src/core/ports/clock.js';
import { PhotoCopyErasers } from '../../../../src/core/erasure/photo-copy-erasers.js';
import type { ClinicalReport } from '../../../../src/core/report/clinical-report.js';
import { imageFolder } from '../../../../src/core/images/image.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { readdress } from '../../../../src/exits/mllp/oru/readdress.js';
import type { MessageFile } from '../../../../src/exits/mllp/outbox/message-file.js';
import { OutboundPhotosEraser } from '../../../../src/exits/mllp/outbox/outbound-photos.eraser.js';
import type { Hl7Destination } from '../../../../src/exits/mllp/settings/hl7-destination.js';
import { encodeText } from '../../../../src/standards/hl7v2/er7/character-set.js';
import { newFileToken } from '../../../../src/standards/hl7v2/er7/stored-file.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { EhrReceiver } from '../../../peers/mllp-receiver.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { FollowUpContext } from '../../../support/follow-up-context.js';
import { KeptDocumentsContext } from '../../../support/kept-documents.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { newMessage, OutboundGround } from './outbound-ground.js';

const HEAD = '|EHR|HOSP|20260315094100+0100||ORU^R01^ORU_R01|';

interface Row {
  readonly id: string;
  readonly message: Buffer;
  readonly files: readonly MessageFile[] | null;
  readonly size_bytes: number;
  readonly image_ids: readonly string[];
}

describe('files of messages that go out', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: OutboundGround;
  let followUp: FollowUpContext;
  let kept: KeptDocumentsContext;
  let tenant: Tenant;
  let receiver: EhrReceiver;
  let destination: Hl7Destination;
  let report: ClinicalReport;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url, { HL7_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') });
    followUp = new FollowUpContext(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    ground = new OutboundGround(context);
    kept = new KeptDocumentsContext(context, followUp.reader, ground.store);
    ground.archive = kept.archive;
    receiver = await EhrReceiver.start();
    destination = await ground.destination(tenant, receiver.port, { ackTimeoutMs: 30_000 });
    report = await followUp.assess(tenant, 0, 9);
    await kept.keepPhoto(report.imageId);
  });
  afterEach(async () => {
    await ground.stopAll();
    await receiver.stop();
    for (const { id } of await ground.register.ofTenant(tenant))
      await ground.removal.remove(id, { kind: 'discard' }, readdress);
  });

  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const rows = async (of = destination): Promise<Row[]> =>
    (
      await context
        .get(SystemStatements)
        .run<Row>(
          'select id, message, files, size_bytes, image_ids from hl7_outbox where destination_id = $1 order by number',
          [of.id],
        )
    ).rows;
  const photo = () => ground.store.objects.get(`${imageFolder(report.imageId)}original`)!;
  const photoFile = (): MessageFile => ({
    token: newFileToken(),
    kind: 'photo',
    imageId: report.imageId,
    objectKey: `${imageFolder(report.imageId)}original`,
    sha256: sha256(photo()),
    sizeBytes: photo().length,
  });
  const document = () =>
    kept.archive.open(tenant, { reportId: report.id, version: 1 }, { format: 'pdf', language: 'en' });
  async function documentFile(): Promise<MessageFile> {
    const { reportId, version, language, paper, objectKey, sha256: digest, sizeBytes } = (await document()).document;
    return {
      token: newFileToken(),
      kind: 'document',
      reportId,
      version,
      language,
      paper,
      objectKey,
      sha256: digest,
      sizeBytes,
    };
  }
  const row = (set: number, encoded: string) =>
    `OBX|${set}|ED|file^File^99SUT|${set}|SUTURA^AP^PDF^Base64^${encoded}||||||F`;
  /** As results are written: each file in a row of its own. */
  const textOf = (controlId: string, encoded: readonly string[], name = 'Müller') =>
    `MSH|^~\\&|SUTURA|SUTURA${HEAD}${controlId}|T|2.5.1|||AL|NE||UNICODE UTF-8\rPID|1||MRN-1||${name}\r${encoded.map((one, index) => `${row(index + 1, one)}\r`).join('')}`;
  const put = (files: readonly MessageFile[], to = destination) =>
    ground.enqueue(
      tenant,
      to,
      newMessage('', {
        imageIds: [report.imageId],
        files,
        build: (controlId) =>
          Buffer.from(
            textOf(
              controlId,
              files.map(({ token }) => token),
            ),
          ),
      }),
    );
  const shown = async (id: string) => (await ground.queries.show(id)).bytes.toString();

  describe('the object store away', () => {
    it.each([
      ['answers nothing', new SuturaError('service.unavailable'), 'files_unavailable service.unavailable'],
      ['lacks the key of an object', new SuturaError('storage.key_missing'), 'files_unavailable storage.key_missing'],
    ])(
      'waits while the store %s, says nothing false of the receiver, and then sends all of it',
      async (_what, fault, code) => {
        await put([photoFile()]);
        const get = jest.spyOn(ground.store, 'get').mockRejectedValue(fault);
        ground.logged();
        ground.startProcess({ alertAfterMs: 0 });
        await eventually('a second attempt', async () => (await ground.messages(destination))[0]!.attempts >= 2);
        expect((await ground.messages(destination))[0]).toMatchObject({ state: 'waiting', fault: code, ackCode: null });
        expect(receiver.messages).toEqual([]);
        await expect(ground.queries.show((await rows())[0]!.id)).rejects.toBe(fault);
        get.mockRestore();
        await ground.untilStates(destination, 'delivered');
        expect(receiver.messages).toEqual([textOf('SUT-000000001', [base64(photo())])]);
        const events = ground.logged().map(({ event }) => event);
        expect(events).toEqual(expect.arrayContaining(['hl7.files_unavailable', 'hl7.files_available_again']));
        expect(events.filter((event) => /destination_(silent|answers)/.test(String(event)))).toEqual([]);
      },
    );

    it('takes nothing for lost while the store as a whole cannot be used', async () => {
      await put([photoFile()]);
      const bytes = photo();
      ground.store.objects.clear();
      const check = jest.spyOn(ground.store, 'check').mockRejectedValue(new SuturaError('service.unavailable'));
      ground.startProcess();
      await eventually('an attempt', async () => (await ground.messages(destination))[0]!.fault !== null);
      await ground.store.put(`${imageFolder(report.imageId)}original`, bytes);
      check.mockRestore();
      await ground.untilStates(destination, 'delivered');
      expect(receiver.messages).toEqual([textOf('SUT-000000001', [base64(bytes)])]);
      expect((await ground.messages(destination))[0]!.erased).toEqual([]);
    });
  });

  it('lie in the object store alone, and are put in for the receiver, for operators and with every repeat', async () => {
    receiver.mode = 'hang-up';
    const files = [await documentFile(), photoFile()];
    await put(files);
    const whole = textOf('SUT-000000001', [base64((await document()).bytes), base64(photo())]);
    const [queued] = await rows();
    expect(queued).toMatchObject({ files, size_bytes: Buffer.byteLength(whole) });
    expect(ground.encryption.open(queued!.message, queued!.id).toString()).toBe(
      textOf(
        'SUT-000000001',
        files.map(({ token }) => token),
      ),
    );
    expect(await shown(queued!.id)).toBe(whole);
    ground.startProcess();
    await receiver.waitFor(2);
    receiver.mode = 'accept';
    await ground.untilStates(destination, 'delivered');
    await ground.control.replay(queued!.id, 'operator');
    await ground.untilStates(destination, 'delivered');
    expect(new Set(receiver.messages)).toEqual(new Set([whole]));
    expect(receiver.messages.length).toBeGreaterThanOrEqual(3);
  });

  it.each(['ISO IR87', 'BIG-5', '8859/1', 'GB 18030-2000', 'UNICODE UTF-8'])(
    'are put in whatever the character set is: %s',
    async (characterSet) => {
      const file = photoFile();
      const text = (controlId: string, encoded: string) =>
        encodeText(
          `MSH|^~\\&|SUTURA|SUTURA${HEAD}${controlId}|T|2.5.1|||||${characterSet}\rPID|1||MRN-1||山田^é\r${row(1, encoded)}\r`,
          characterSet,
        );
      await ground.enqueue(
        tenant,
        destination,
        newMessage('', { files: [file], build: (controlId) => text(controlId, file.token) }),
      );
      const [queued] = await rows();
      expect((await ground.queries.show(queued!.id)).bytes).toEqual(text('SUT-000000001', base64(photo())));
    },
  );

  it('are not asked of the store again where the message was just made with them', async () => {
    const file = photoFile();
    ground.files.remember(file, photo());
    await put([file]);
    const get = jest.spyOn(ground.store, 'get');
    ground.startProcess();
    await ground.untilStates(destination, 'delivered');
    expect(receiver.messages).toEqual([textOf('SUT-000000001', [base64(photo())])]);
    expect(get).not.toHaveBeenCalled();
    get.mockRestore();
  });

  it('are sent as rows of earlier releases have them', async () => {
    await ground.enqueue(
      tenant,
      destination,
      newMessage('', { build: (controlId) => Buffer.from(textOf(controlId, [base64(photo())])) }),
    );
    expect((await rows())[0]!.files).toBeNull();
    ground.startProcess();
    await ground.untilStates(destination, 'delivered');
    expect(receiver.messages).toEqual([textOf('SUT-000000001', [base64(photo())])]);
    expect(await shown((await rows())[0]!.id)).toBe(receiver.messages[0]);
  });

  it.each(['lost', 'altered'] as const)(
    'a document that the store %s is made anew, sent, and the same from then on',
    async (how) => {
      const file = await documentFile();
      await put([file, photoFile()]);
      if (how === 'lost') ground.store.objects.delete(file.objectKey);
      else await ground.store.put(file.objectKey, Buffer.from('other bytes'));
      receiver.mode = 'hang-up';
      ground.startProcess();
      await receiver.waitFor(2);
      receiver.mode = 'accept';
      await ground.untilStates(destination, 'delivered');
      const anew = (await document()).bytes;
      expect(Buffer.from(anew).toString()).toContain('document 2 of version 1');
      const whole = textOf('SUT-000000001', [base64(anew), base64(photo())]);
      expect(new Set(receiver.messages)).toEqual(new Set([whole]));
      const [sent] = await rows();
      expect(await shown(sent!.id)).toBe(whole);
      expect(sent!.size_bytes).toBe(Buffer.byteLength(whole));
    },
  );

  it('a document that cannot be kept anew, since its photo is lost, too, stays in the message', async () => {
    const file = await documentFile();
    await put([file]);
    ground.store.objects.clear();
    ground.startProcess();
    await ground.untilStates(destination, 'delivered');
    const encoded = /\^Base64\^([^|]+)\|/.exec(receiver.messages[0]!)![1]!;
    expect(Buffer.from(encoded, 'base64').toString()).toContain('document 2 of version 1');
    const [sent] = await rows();
    expect([sent!.files, await shown(sent!.id)]).toEqual([null, receiver.messages[0]]);
  });

  it.each(['lost', 'altered'] as const)('a photo that the store %s holds nobody up: its row says so', async (how) => {
    const [file, doc] = [photoFile(), await documentFile()];
    await put([doc, file]);
    if (how === 'lost') ground.store.objects.delete(file.objectKey);
    else await ground.store.put(file.objectKey, Buffer.from('other bytes'));
    const [queued] = await rows();
    expect(await shown(queued!.id)).toContain(`^Base64^LOST ${file.sizeBytes} BYTES|`);
    ground.logged();
    ground.startProcess();
    await ground.untilStates(destination, 'delivered');
    expect(receiver.messages).toEqual([
      textOf('SUT-000000001', [base64((await document()).bytes)]) +
        `OBX|2|TX|file^File^99SUT|2|LOST ${file.sizeBytes} BYTES||||||X\r`,
    ]);
    expect((await ground.messages(destination))[0]!.erased).toEqual([
      { imageId: report.imageId, sizeBytes: file.sizeBytes, erasedAt: expect.any(String) },
    ]);
    expect(await shown(queued!.id)).toBe(receiver.messages[0]);
    expect(ground.logged().filter(({ event }) => event === 'hl7.file_lost')).toEqual([
      expect.objectContaining({ objectKey: file.objectKey }),
    ]);
  });

  it('go with the photo that they show, sent or not, and the message says so', async () => {
    const files = [await documentFile(), photoFile()];
    await put(files);
    const eraser = new OutboundPhotosEraser(
      context.get(SystemStatements),
      ground.encryption,
      context.get(Clock),
      new PhotoCopyErasers(),
    );
    await eraser.erase({ tenant, imageId: report.imageId, sha256: null, sizeBytes: null });
    ground.startProcess();
    await ground.untilStates(destination, 'delivered');
    const [sent] = await rows();
    expect(sent).toMatchObject({ files: null, image_ids: [] });
    expect(await shown(sent!.id)).toBe(receiver.messages[0]);
    const said = receiver.messages[0]!.split('\r').filter((segment) => segment.startsWith('OBX'));
    expect(said).toEqual(
      files.map(({ sizeBytes }, index) =>
        expect.stringMatching(
          new RegExp(`^OBX\\|${index + 1}\\|TX\\|.*\\|ERASED ${sizeBytes} BYTES .*\\|\\|\\|\\|\\|\\|X$`),
        ),
      ),
    );
  });

  it('go along where a message is moved to another destination, and where it is requeued with a new header', async () => {
    const files = [await documentFile(), photoFile()];
    await put(files);
    const [queued] = await rows();
    await ground.control.park(queued!.id, 'operator');
    await ground.control.requeue(queued!.id, 'operator', (bytes) =>
      readdress(bytes, { settings: { ...destination.settings, receivingFacility: 'A LONGER NAME' } }, 'SUT-000000001'),
    );
    const whole = await shown(queued!.id);
    expect(whole).toContain('|A LONGER NAME|');
    expect((await rows())[0]!.size_bytes).toBe(Buffer.byteLength(whole));
    const other = await ground.destination(tenant, receiver.port, { receivingFacility: 'OTHER' });
    const movedTo = await ground.control.move(queued!.id, 'operator', other, readdress);
    ground.startProcess();
    await ground.untilStates(other, 'delivered');
    const [moved] = await rows(other);
    expect(moved).toMatchObject({ id: movedTo, files, size_bytes: Buffer.byteLength(receiver.messages[0]!) });
    expect(receiver.messages[0]).toContain(base64((await document()).bytes));
    expect(receiver.messages[0]).toContain(base64(photo()));
    expect(await shown(movedTo)).toBe(receiver.messages[0]);
  });
});
