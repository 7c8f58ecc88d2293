import { randomBytes } from 'node:crypto';
import type { Media } from '@medplum/fhirtypes';
import { queryDatabase } from '../../support/database-query.js';
import { placesOf } from '../../support/find-bytes.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital, orderMessage, valuesOf } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

interface ShownMessage {
  readonly messageId: string;
  readonly controlId: string;
  readonly state: string;
  readonly message: string;
  readonly erased: readonly { readonly imageId: string; readonly sizeBytes: number }[];
}

const pdfOf = (result: string): Buffer =>
  Buffer.from(valuesOf(result, 'wound-report-pdf')[0]!.split('^')[4]!, 'base64');

/** The JPEG streams of a PDF. */
function picturesIn(pdf: Buffer): Buffer[] {
  const pictures: Buffer[] = [];
  for (let from = pdf.indexOf(JPEG); from >= 0; from = pdf.indexOf(JPEG, from + 1))
    pictures.push(pdf.subarray(from, pdf.indexOf('endstream', from)));
  return pictures;
}

/** Small: each of them is sought in every table and file. */
const SIZE = { width: 320, height: 240 };
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

describe.each([
  ['as they came', {}],
  ['encrypted', { HL7_ENCRYPTION_KEY: randomBytes(32).toString('base64') }],
])('erasing a photo that came by HL7 v2, with messages kept %s', (_, env) => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  beforeAll(async () => {
    gateway = await startGateway({ env: { SUTURA_LEASE_S: '30', ...env } });
    hospital = await Hl7Hospital.open(gateway, {}, { photo: 'ed', pdf: 'ed' });
  });
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
  });

  async function messages(direction: 'in' | 'out'): Promise<ShownMessage[]> {
    const listed = await gateway.admin('GET', `/hl7/messages?direction=${direction}`);
    const shown = (listed.body.items as { messageId: string }[]).map(({ messageId }) =>
      gateway.admin('GET', `/hl7/messages/${messageId}`),
    );
    return (await Promise.all(shown)).map(({ body }) => body as ShownMessage).reverse();
  }

  it('leaves no byte of it and no picture of it in any message, table or file; texts, results and answers stay', async () => {
    const [early, late] = [await drawWoundPhoto({ seed: 21, ...SIZE }), await drawWoundPhoto({ seed: 22, ...SIZE })];
    const orders = [
      // Refused, and with the photo all the same.
      orderMessage({ order: 'ORD-0', photo: early, mrn: '' }),
      orderMessage({ order: 'ORD-1', photo: early, taken: '20260315' }),
      orderMessage({ order: 'ORD-2', photo: late, taken: '20260322' }),
    ];
    const answers = [await hospital.send(orders[0]!), await hospital.send(orders[1]!)];
    const [first] = [await hospital.result('ORD-1')];
    answers.push(await hospital.send(orders[2]!));
    const second = await hospital.result('ORD-2');
    expect(answers.map((answer) => fieldOf(answer!, 'MSA', 1))).toEqual(['AE', 'AA', 'AA']);
    const pdfs = [first, second].map(pdfOf);
    for (const pdf of pdfs) expect(await placesOf(pdf, gateway)).toContain('pdf-en-a4');
    expect(await placesOf(late, gateway)).not.toEqual([]);

    const [media] = (await hospital.read<{ entry: { resource: Media }[] }>('Media?_sort=created')).entry.map(
      ({ resource }) => resource,
    );
    const imageId = media!.id!;
    expect((await hospital.client.request('DELETE', `/api/v1/images/${imageId}`)).status).toBe(204);

    expect(await placesOf(early, gateway)).toEqual([]);
    // The second document showed both photos side by side; each report has a version without the first.
    const amended = [await hospital.result('ORD-1', 2), await hospital.result('ORD-2', 2)].map(pdfOf);
    const left = amended.flatMap(picturesIn);
    const gone = pdfs.map((pdf) => picturesIn(pdf).filter((picture) => !left.some((one) => one.equals(picture))));
    expect(gone.map((pictures) => pictures.length > 0)).toEqual([true, true]);
    for (const picture of gone.flat()) expect(await placesOf(picture, gateway)).toEqual([]);
    const [refused, order, other] = await messages('in');
    for (const one of [refused!, order!]) {
      expect(one.erased).toEqual([expect.objectContaining({ imageId, sizeBytes: early.length })]);
      expect(one.message).toContain(`EHR^IM^JPEG^Base64^ERASED ${early.length} BYTES `);
      expect(one.message).toContain('Beispiel^Änna');
    }
    expect(other).toMatchObject({ erased: [], message: expect.stringContaining(late.toString('base64')) as string });
    const [firstOut, secondOut] = await messages('out');
    expect(firstOut!.erased.map(({ sizeBytes }) => sizeBytes).sort()).toEqual([early.length, pdfs[0]!.length].sort());
    expect(valuesOf(firstOut!.message, '89260-4')).toEqual(valuesOf(first, '89260-4'));
    expect(firstOut!.message).toMatch(/\rOBX\|\d+\|TX\|[^|]*\|1\|ERASED \d+ BYTES [^|]*\|\|\|\|\|\|X\|/);
    expect(secondOut!.erased.length).toBeGreaterThan(0);

    // The kept acknowledgment still answers; the message is not done again.
    expect(fieldOf((await hospital.send(orders[1]!))!, 'MSA', 1)).toBe('AA');
    expect(await messages('in')).toHaveLength(3);
    const replay = await gateway.admin('POST', `/hl7/messages/${order!.messageId}/replay`);
    expect([replay.status, replay.body.code]).toEqual([409, 'hl7.erased']);
    const again = await gateway.admin('POST', `/hl7/messages/${secondOut!.messageId}/replay`);
    // The receiver has a newer version by now.
    expect([again.status, again.body.code]).toEqual([409, 'hl7.superseded']);
  });

  it('takes a photo that never became an image out of its refused message, and tells the trail', async () => {
    const photo = await drawWoundPhoto({ seed: 23, ...SIZE });
    const order = orderMessage({ order: 'ORD-9', photo, mrn: '' });
    expect(fieldOf((await hospital.send(order))!, 'MSA', 1)).toBe('AE');
    const kept = (await messages('in')).at(-1)!;
    for (const id of ['01997f2e-0000-7000-8000-00000000beef', 'none', (await messages('out'))[0]!.messageId]) {
      const unknown = await gateway.admin('DELETE', `/hl7/messages/${id}/files`);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'hl7.message_not_found']);
    }
    expect((await gateway.admin('DELETE', `/hl7/messages/${kept.messageId}/files`)).body).toEqual({
      erasedFiles: 1,
      erasedBytes: photo.length,
    });
    expect(await placesOf(photo, gateway)).toEqual([]);
    const left = (await messages('in')).at(-1)!;
    expect(left).toMatchObject({
      messageId: kept.messageId,
      state: 'failed',
      erased: [{ imageId: null, sizeBytes: photo.length }],
    });
    expect(left.message).toContain(`EHR^IM^JPEG^Base64^ERASED ${photo.length} BYTES `);
    expect((await gateway.admin('POST', `/hl7/messages/${kept.messageId}/replay`)).body.code).toBe('hl7.erased');
    expect((await gateway.admin('DELETE', `/hl7/messages/${kept.messageId}/files`)).body).toEqual({
      erasedFiles: 0,
      erasedBytes: 0,
    });
    const trail = await queryDatabase(
      gateway.databaseUrl,
      `select interaction, action from audit_events where resources = array[$1] order by id`,
      [`MessageHeader/${kept.messageId}`],
    );
    expect(trail).toContainEqual({ interaction: '$erase', action: 'D' });
  });
});
