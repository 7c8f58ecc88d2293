import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expectStatus, type ApiClient, type Answer } from '../../support/api-client.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { PICTURES } from './bad-pictures.js';
import { sendRaw } from './raw-request.js';

type Verdict = readonly [status: number, code: string | null];

/** One row of uploads.json: a file, what its PUT answers, and then what a job on it answers. */
interface FileRow {
  readonly title: string;
  readonly picture: string;
  readonly put: Verdict;
  readonly create?: Verdict;
  readonly contentType?: string;
  readonly announce?: object;
  /** Bytes of padding behind the picture. */
  readonly pad?: number;
  readonly chunked?: boolean;
}

/** One row of upload-addresses.json: what is done to a good address or method. */
interface AddressRow {
  readonly title: string;
  readonly change?: string;
  readonly method?: string;
  readonly status: number;
  readonly code: string;
}

const rows = <T>(name: string) =>
  (
    JSON.parse(readFileSync(resolve(__dirname, `../../fixtures/bad-input/${name}.json`), 'utf8')) as (T & {
      title: string;
    })[]
  ).map((row) => [row.title, row] as const);

describe('uploads', () => {
  let gateway: Gateway;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api' });
    client = await gateway.createClient();
  });
  afterAll(() => gateway?.stop());

  const ticket = async (announce: object = {}): Promise<Answer['body']> =>
    expectStatus(201, await client.requestUpload(announce)).body;

  function put(
    uploadUrl: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>> = {},
    options: { method?: string; chunked?: boolean } = {},
  ) {
    const { pathname, search } = new URL(uploadUrl);
    return sendRaw(gateway.baseUrl, { method: 'PUT', path: pathname + search, headers, body, ...options });
  }

  it.each(rows<FileRow>('uploads'))('judges %s', async (_, row) => {
    const { imageId, uploadUrl } = await ticket(row.announce);
    const drawn = await PICTURES[row.picture]?.();
    if (drawn === undefined) throw new Error(`Nobody draws ${row.picture}.`);
    const bytes = row.pad === undefined ? drawn : Buffer.concat([drawn, Buffer.alloc(row.pad)]);
    const answer = await put(
      uploadUrl,
      bytes,
      row.contentType === undefined ? {} : { 'content-type': row.contentType },
      { chunked: row.chunked ?? false },
    );
    expect([answer.status, answer.body?.code ?? null]).toEqual(row.put);
    const job = await client.createJob({ imageId });
    expect([job.status, job.body?.code ?? null]).toEqual(row.create ?? [409, 'image.not_uploaded']);
  });

  it.each(rows<AddressRow>('upload-addresses'))('refuses %s', async (_, row) => {
    const { uploadUrl } = await ticket();
    const other = await ticket();
    const address =
      row.change === undefined ? uploadUrl : changeAddress(uploadUrl, row.change, other.imageId as string);
    const answer = await put(
      address,
      await (PICTURES['jpeg']?.() ?? Buffer.alloc(0)),
      {},
      { method: row.method ?? 'PUT' },
    );
    expect([answer.status, answer.body?.code]).toEqual([row.status, row.code]);
    expect(answer.text).not.toContain(new URL(uploadUrl).searchParams.get('signature'));
  });

  it('is refused with another type or length than announced', async () => {
    const { uploadUrl } = await ticket({ contentType: 'image/png' });
    const photo = await (PICTURES['jpeg']?.() ?? Buffer.alloc(0));
    expect((await put(uploadUrl, photo, { 'content-type': 'image/jpeg' })).body.code).toBe('upload.signature');
    const sized = await ticket({ contentLength: photo.length + 1 });
    expect((await put(sized.uploadUrl as string, photo)).body.code).toBe('upload.signature');
  });

  it('is refused in chunks that are more or fewer bytes than announced, with their number, and taken where they are right', async () => {
    const photo = await (PICTURES['jpeg']?.() ?? Buffer.alloc(0));
    const sendAs = async (contentLength: number) => {
      const { uploadUrl } = await ticket({ contentLength });
      const { status, body } = await put(uploadUrl, photo, {}, { chunked: true });
      return [status, body?.code ?? null, body?.detail ?? ''];
    };
    const refused = (said: RegExp) => [403, 'upload.signature', expect.stringMatching(said)];
    expect(await sendAs(photo.length - 1)).toEqual(refused(new RegExp(`more than the ${photo.length - 1} bytes`)));
    expect(await sendAs(photo.length + 1)).toEqual(refused(new RegExp(`has ${photo.length} bytes`)));
    expect(await sendAs(photo.length)).toEqual([200, null, '']);
  });

  it.each([
    ['Content-Range', { 'content-range': 'bytes 0-9/*' }, 400, 'request.partial'],
    ['Content-Range of a whole', { 'content-range': 'bytes 0-99/100' }, 400, 'request.partial'],
    ['Content-Encoding: gzip', { 'content-encoding': 'gzip' }, 415, 'request.content_type'],
    ['Content-Encoding: br', { 'content-encoding': 'br' }, 415, 'request.content_type'],
  ] as const)('keeps no part of a photo that comes with %s', async (_title, headers, status, code) => {
    const { imageId, uploadUrl } = await ticket();
    const photo = await (PICTURES['jpeg']?.() ?? Buffer.alloc(0));
    const refused = await put(uploadUrl, photo, headers);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect((await client.createJob({ imageId })).body.code).toBe('image.not_uploaded');
    expect((await put(uploadUrl, photo)).status).toBe(200);
  });

  it('takes a photo whose sender waits for 100 Continue', async () => {
    const { uploadUrl } = await ticket();
    const photo = await (PICTURES['jpeg']?.() ?? Buffer.alloc(0));
    expect((await put(uploadUrl, photo, { expect: '100-continue' })).status).toBe(200);
  });

  it('takes the same bytes again and refuses others', async () => {
    const { uploadUrl } = await ticket();
    const photo = await (PICTURES['jpeg']?.() ?? Buffer.alloc(0));
    const first = await put(uploadUrl, photo);
    expect([first.status, first.text]).toEqual([200, '']);
    expect(first.headers.etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect((await put(uploadUrl, photo)).status).toBe(200);
    expect((await put(uploadUrl, Buffer.concat([photo, Buffer.from('x')]))).body.code).toBe('image.already_uploaded');
  });

  it('leaves no half file behind', async () => {
    const names = await readdir(join(gateway.dataDir), { recursive: true });
    expect(names.filter((name) => /(?:^|\/)(?:tmp|temp|staged|incoming)\/[^/]+$/.test(name))).toEqual([]);
  });
});

/** `drop:name`, `set:name=value`, `flip:name` (one character), `image:other|text`. */
function changeAddress(uploadUrl: string, change: string, otherImageId: string): string {
  const url = new URL(uploadUrl);
  const [verb, rest = ''] = change.split(':');
  const [name = '', value = ''] = rest.split('=');
  const old = url.searchParams.get(name) ?? '';
  if (verb === 'drop' && name === '*') url.search = '';
  else if (verb === 'drop') url.searchParams.delete(name);
  else if (verb === 'set') url.searchParams.set(name, value);
  else if (verb === 'flip') url.searchParams.set(name, (old.startsWith('A') ? 'B' : 'A') + old.slice(1));
  else url.pathname = url.pathname.replace(/[^/]+$/, name === 'other' ? otherImageId : name);
  return url.href;
}
