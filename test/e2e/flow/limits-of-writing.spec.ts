import { randomUUID } from 'node:crypto';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const KEY_BURST = 6;
const ORGANIZATION_BURST = 9;
const GIB = 1024 ** 3;

describe('what a caller may write', () => {
  let gateway: Gateway;
  let photo: Buffer;

  beforeAll(async () => {
    const throttle = {
      SUTURA_WRITES_PER_S: '1',
      SUTURA_WRITE_BURST: String(KEY_BURST),
      SUTURA_ORGANIZATION_WRITES_PER_S: '1',
      SUTURA_ORGANIZATION_WRITE_BURST: String(ORGANIZATION_BURST),
    };
    gateway = await startGateway({ roles: 'api,hl7', env: { ...throttle, SUTURA_ORGANIZATION_GIB: '1' } });
    photo = await drawWoundPhoto({ width: 160, height: 120 });
  });
  afterAll(() => gateway?.stop());

  const order = (number: string): Buffer => {
    const photoRow = `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${photo.toString('base64')}||||||F`;
    return Buffer.from(
      [
        'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260105083000||OMG^O19^OMG_O19|' + number + '|T|2.5.1',
        'PID|1||4711^^^HOSP^MR',
        `ORC|NW|A-${number}^EHR`,
        `OBR|1|A-${number}^EHR||39135-9^Wound assessment panel^LN`,
        photoRow,
        '',
      ].join('\r'),
    );
  };
  const write = {
    rest: (client: ApiClient) => client.requestUpload(),
    fhir: (client: ApiClient) =>
      client.request('POST', '/fhir/Media', {
        json: {
          resourceType: 'Media',
          status: 'completed',
          content: { contentType: 'image/jpeg', data: photo.toString('base64') },
        },
      }),
    hl7: (client: ApiClient) =>
      client.request('POST', '/hl7v2', {
        bytes: order(randomUUID().slice(0, 8)),
        headers: { 'content-type': 'application/hl7-v2' },
      }),
  };
  const keyOf = async (organizationId: string): Promise<ApiClient> =>
    new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  const atOnce = (times: number, of: () => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: times }, of));

  describe('beyond the burst of a key is refused', () => {
    const TIMES = KEY_BURST + 4;

    it.each([
      [
        'over REST',
        write.rest,
        (body: Answer['body']) => expect(body).toMatchObject({ status: 429, code: 'rate.limited' }),
      ],
      [
        'over FHIR',
        write.fhir,
        (body: Answer['body']) =>
          expect(body).toMatchObject({
            resourceType: 'OperationOutcome',
            issue: [{ severity: 'error', code: 'throttled', details: { coding: [{ code: 'rate-limited' }] } }],
          }),
      ],
      [
        'over HL7 v2 by HTTP, where nothing of the message is kept',
        write.hl7,
        (body: Answer['body']) => expect(body).toMatchObject({ status: 429, code: 'rate.limited' }),
      ],
    ])('%s', async (_, send, expectRefusal) => {
      const organizationId = await gateway.createOrganization();
      const client = await keyOf(organizationId);
      const answers = await atOnce(TIMES, () => send(client));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(answers.length - refused.length).toBeGreaterThanOrEqual(KEY_BURST);
      for (const { headers, body } of refused) {
        expectRefusal(body);
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
      const kept = await queryDatabase(gateway.databaseUrl, 'select from hl7_inbound where organization_id = $1', [
        organizationId,
      ]);
      expect(kept).toHaveLength(send === write.hl7 ? answers.length - refused.length : 0);
      expectStatus(201, await (await gateway.createClient()).requestUpload());
    });
  });

  it('beyond the burst of an organization is refused whichever of its keys sends it', async () => {
    const organizationId = await gateway.createOrganization();
    const keys = [await keyOf(organizationId), await keyOf(organizationId), await keyOf(organizationId)];
    const answers = await Promise.all(
      keys.flatMap((key) => Array.from({ length: KEY_BURST - 1 }, () => key.requestUpload())),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'rate.limited'));
  });

  it('is read as before, once it may not be written', async () => {
    const client = await gateway.createClient();
    const answers = await atOnce(KEY_BURST + 4, () => client.requestUpload());
    expect(answers.some(({ status }) => status === 429)).toBe(true);
    expect((await client.request('GET', '/api/v1/usage')).status).toBe(200);
  });

  describe('is no photo more than the organization may keep', () => {
    let client: ApiClient;
    let largest: string;

    /** Its one photo is said to have all of the bytes, before anything was counted. */
    beforeAll(async () => {
      const organizationId = await gateway.createOrganization();
      const model = await (await gateway.createClient()).uploadPhoto(photo);
      largest = randomUUID();
      const changes = { id: largest, organization_id: organizationId, size_bytes: GIB };
      await queryDatabase(
        gateway.databaseUrl,
        'insert into images select (jsonb_populate_record(image, $1)).* from images image where id = $2',
        [JSON.stringify(changes), model],
      );
      client = await keyOf(organizationId);
    });

    it('over REST', async () => {
      const { status, body } = await client.requestUpload({ contentLength: photo.length });
      expect([status, body.code, body.detail]).toEqual([
        507,
        'storage.limit',
        expect.stringContaining('Delete photos'),
      ]);
    });

    it('over REST, where its length was not announced', async () => {
      const { body: ticket } = expectStatus(201, await client.requestUpload());
      const { status, body } = await client.putPhoto(ticket.uploadUrl, photo, ticket.headers);
      expect([status, body.code]).toEqual([507, 'storage.limit']);
    });

    it('over FHIR', async () => {
      const { status, body } = await write.fhir(client);
      expect([status, body]).toEqual([
        507,
        expect.objectContaining({
          resourceType: 'OperationOutcome',
          issue: [
            expect.objectContaining({
              code: 'no-store',
              details: expect.objectContaining({
                coding: [expect.objectContaining({ code: 'storage-limit' })],
              }) as object,
            }),
          ],
        }),
      ]);
    });

    it('over HL7 v2, which the sender is told to keep', async () => {
      const { status, bytes } = await write.hl7(client);
      expect([status, bytes.toString()]).toEqual([
        400,
        expect.stringMatching(/\rMSA\|AR\|.*\rERR\|.*\|207\^.*storage\.limit/s),
      ]);
    });

    it('until one is erased', async () => {
      expectStatus(204, await client.request('DELETE', `/api/v1/images/${largest}`));
      await client.uploadPhoto(photo);
    });
  });

  it('is forgotten where it was an address that nobody used', async () => {
    const client = await gateway.createClient();
    const { body: ticket } = expectStatus(201, await client.requestUpload());
    expect((await client.request('GET', `/api/v1/images/${ticket.imageId}`)).body.status).toBe('awaiting_upload');
    await queryDatabase(
      gateway.databaseUrl,
      `update images set upload_expires_at = now() - interval '25 hours' where id = $1`,
      [ticket.imageId],
    );
    const second = await startGateway({ roles: 'api', databaseUrl: gateway.databaseUrl, dataDir: gateway.dataDir });
    await eventually(
      'the address is forgotten soon after a start',
      async () => (await client.request('GET', `/api/v1/images/${ticket.imageId}`)).status === 404,
    );
    await second.stop();
    expect((await client.putPhoto(ticket.uploadUrl, photo, ticket.headers)).body.code).toBe('image.not_found');
  });
});
