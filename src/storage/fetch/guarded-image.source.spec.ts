import { BlockList } from 'node:net';
import { ImageHost } from '../../../test/support/image-host.js';
import { GuardedImageSource } from './guarded-image.source.js';
import { AddressGuard, networksOf } from '../../platform/http-client/address-guard.js';

const NAME = 'images.test';
const OTHER = 'other.test';
const PHOTO = Buffer.from('the bytes of a photo');
const MAX_BYTES = 1000;

let host: ImageHost;
let listed: string[];

beforeAll(async () => {
  host = await ImageHost.start([NAME, OTHER]);
});
afterAll(() => host.close());
beforeEach(() => {
  listed = [`${NAME}:${host.port}`];
  host.requested.length = 0;
  host.answer = (_, response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(PHOTO);
});

const LOOPBACK = networksOf(['127.0.0.1/32']);
/** Names stand for this machine, which is opened; each test closes again what it is about. */
const source = ({
  opened = LOOPBACK,
  resolve = () => Promise.resolve(['127.0.0.1']),
  timeoutMs = 5000,
}: { opened?: BlockList; resolve?: (name: string) => Promise<readonly string[]>; timeoutMs?: number } = {}) =>
  new GuardedImageSource({ guard: new AddressGuard(opened, resolve), timeoutMs, ca: host.ca });
const url = (path = '/1.jpg', name = NAME) => `https://${name}:${host.port}${path}`;
const refused = { code: 'fhir.url_refused' };

describe('an address that is not asked', () => {
  it.each([
    '',
    'photo.jpg',
    '//images.test/1.jpg',
    'http://images.test/1.jpg',
    'ftp://images.test/1.jpg',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'javascript:1',
    'gopher://images.test/',
  ])('%s is not https', (text) => {
    expect(() => source().check(text, [NAME])).toThrow(expect.objectContaining(refused));
  });

  it.each([
    'https://elsewhere.test/1.jpg',
    'https://images.test.elsewhere.test/',
    'https://x.images.test/',
    'https://images.test:8443/',
    'https://user@images.test/',
    'https://user:secret@images.test/',
    'https://images.test@elsewhere.test/',
  ])('%s is not one of the list', (text) => {
    expect(() => source().check(text, [NAME])).toThrow(expect.objectContaining(refused));
  });

  it('is any, where the list is empty', () => {
    expect(() => source().check('https://images.test/', [])).toThrow(expect.objectContaining(refused));
    expect(() => source().check('https://IMAGES.test/', [NAME])).not.toThrow();
  });

  it.each([
    '127.0.0.1',
    '10.0.0.5',
    '169.254.169.254',
    '192.168.0.10',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
  ])('is one whose name stands for %s', async (address) => {
    const guarded = source({ opened: new BlockList(), resolve: () => Promise.resolve([address]) });
    await expect(guarded.fetch(url(), listed, MAX_BYTES)).rejects.toMatchObject(refused);
    expect(host.requested).toEqual([]);
  });

  it('is one whose name stands for an address inside beside one outside', async () => {
    const guarded = source({ opened: new BlockList(), resolve: () => Promise.resolve(['93.184.216.34', '10.0.0.5']) });
    await expect(guarded.fetch(url(), listed, MAX_BYTES)).rejects.toMatchObject(refused);
  });

  it.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '0x7f.1', '2130706433', '017700000001'])(
    'is this machine written as %s, listed or not',
    async (written) => {
      const text = `https://${written}:${host.port}/1.jpg`;
      const entry = `${new URL(text).hostname}:${host.port}`;
      await expect(source({ opened: new BlockList() }).fetch(text, [entry], MAX_BYTES)).rejects.toMatchObject(refused);
      expect(host.requested).toEqual([]);
    },
  );
});

describe('a name that changes what it stands for', () => {
  it('is resolved once: the connection goes to the address that was looked at', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.5']];
    let asked = 0;
    const guarded = source({ resolve: () => Promise.resolve(answers[asked++] ?? ['10.0.0.5']) });
    await expect(guarded.fetch(url(), listed, MAX_BYTES)).resolves.toEqual(PHOTO);
    expect(asked).toBe(1);
  });

  it('is looked at anew for every redirect', async () => {
    host.answer = (_, response) => void response.writeHead(302, { location: url('/2.jpg') }).end();
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    let asked = 0;
    await expect(
      source({ resolve: () => Promise.resolve(answers[asked++] ?? []) }).fetch(url(), listed, MAX_BYTES),
    ).rejects.toMatchObject(refused);
    expect(host.requested).toHaveLength(1);
  });
});

describe('a redirect', () => {
  it.each([
    'http://images.test/1.jpg',
    'https://127.0.0.1/',
    'https://other.test/1.jpg',
    'https://localhost/',
    'file:///etc/passwd',
    '//169.254.169.254/latest/meta-data',
    'https://user@images.test/',
  ])('to %s is not followed', async (location) => {
    host.answer = (_, response) => void response.writeHead(302, { location }).end();
    await expect(source().fetch(url(), listed, MAX_BYTES)).rejects.toMatchObject(refused);
    expect(host.requested).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])('with %d is followed on a listed host, three times at most', async (status) => {
    host.answer = (request, response) => {
      const step = Number(request.url!.slice(1));
      if (step > 0) response.writeHead(status, { location: `/${step - 1}` }).end();
      else response.end(PHOTO);
    };
    await expect(source().fetch(url('/3'), listed, MAX_BYTES)).resolves.toEqual(PHOTO);
    await expect(source().fetch(url('/4'), listed, MAX_BYTES)).rejects.toMatchObject(refused);
  });
});

describe('an answer', () => {
  it('of another certificate is not taken', async () => {
    const guarded = new GuardedImageSource({
      guard: new AddressGuard(LOOPBACK, () => Promise.resolve(['127.0.0.1'])),
      timeoutMs: 5000,
    });
    await expect(guarded.fetch(url(), listed, MAX_BYTES)).rejects.toThrow();
    const name = 'third.test';
    await expect(source().fetch(url('/', name), [`${name}:${host.port}`], MAX_BYTES)).rejects.toThrow();
    expect(host.requested).toEqual([]);
  });

  it('that announces too much is not read, and one that sends too much is cut off', async () => {
    host.answer = (_, response) => void response.writeHead(200, { 'content-length': '1000000' }).write('x');
    await expect(source().fetch(url(), listed, MAX_BYTES)).rejects.toMatchObject({ code: 'image.too_large' });
    host.answer = (_, response) => {
      response.writeHead(200);
      for (let sent = 0; sent < 100; sent += 1) response.write(Buffer.alloc(1000));
      response.end();
    };
    await expect(source().fetch(url(), listed, MAX_BYTES)).rejects.toMatchObject({ code: 'image.too_large' });
  });

  it('that never comes, or never ends, is waited for no longer than the limit', async () => {
    host.answer = () => undefined;
    await expect(source({ timeoutMs: 100 }).fetch(url(), listed, MAX_BYTES)).rejects.toThrow();
    host.answer = (_, response) => void response.writeHead(200).write('x');
    await expect(source({ timeoutMs: 100 }).fetch(url(), listed, MAX_BYTES)).rejects.toThrow();
  });

  it.each([
    ['of another status', 404, {}],
    ['of a server at fault', 503, {}],
    ['that is compressed', 200, { 'content-encoding': 'gzip' }],
  ])('%s is no photo', async (_, status, headers) => {
    host.answer = (_request, response) => void response.writeHead(status, headers).end(PHOTO);
    await expect(source().fetch(url(), listed, MAX_BYTES)).rejects.toThrow();
  });

  it('of a listed host is the photo, asked for by its name', async () => {
    await expect(source().fetch(url('/photo.jpg?x=1#part'), listed, MAX_BYTES)).resolves.toEqual(PHOTO);
    expect(host.requested).toEqual([`${NAME}:${host.port}/photo.jpg?x=1`]);
  });
});
