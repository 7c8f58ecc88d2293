import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { AddressGuard, networksOf } from '../../../src/platform/http-client/address-guard.js';
import { EndpointCaller, NoAnswerError, type EndpointAnswer } from '../../../src/exits/http/index.js';
import { freePort } from '../../support/free-port.js';

const TIMEOUT_MS = 600;
const LOOPBACK = networksOf(['127.0.0.0/8']);

let server: Server;
let sockets: Set<Socket>;
let requests: number;
/** What the receiver does once a request has come. */
let behave: (socket: Socket) => void;

beforeEach(async () => {
  [sockets, requests] = [new Set(), 0];
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests += 1;
      behave(socket);
    });
  });
  const free = await freePort();
  await new Promise<void>((listening) => server.listen(free, '127.0.0.1', listening));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => server.close(closed));
});

const NOTHING_MORE = { of: () => Promise.resolve(networksOf([])) };
const ORGANIZATION = '01997f2e-1111-7000-8000-000000000001';
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
const caller = new EndpointCaller({ guard: new AddressGuard(LOOPBACK), timeoutMs: TIMEOUT_MS }, NOTHING_MORE);
const post = (to = url(), through = caller): Promise<EndpointAnswer> =>
  through.post({ organizationId: ORGANIZATION, url: to, headers: { 'webhook-id': 'e1' }, body: Buffer.from('{}') });
const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (fault: unknown) => (fault instanceof NoAnswerError ? fault.fault : String(fault)),
  );
/** Writes again and again until the other side hangs up. */
function repeat(socket: Socket, text: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => void socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

describe('a receiver that means harm', () => {
  it.each<readonly [string, (socket: Socket) => void, RegExp]>([
    ['answers nothing', () => undefined, /^timeout$/],
    ['sends its headers letter by letter', (socket) => repeat(socket, 'H', 20), /^(timeout|lost HPE_\w+)$/],
    [
      'never ends its headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        repeat(socket, 'x: y\r\n', 20);
      },
      /^timeout$/,
    ],
    ['says 100 Continue for ever', (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 5), /^timeout$/],
    ['sends headers of a megabyte', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1 << 20)}`), /^lost /],
    ['speaks another protocol', (socket) => socket.end('220 mail.example.org ESMTP\r\n'), /^lost HPE_/],
    ['hangs up', (socket) => socket.destroy(), /^lost ECONNRESET$/],
  ])('that %s is given up, in time', async (_, does, fault) => {
    behave = does;
    const began = performance.now();
    expect(await faultOf(post())).toMatch(fault);
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS * 10);
  });

  it('is not followed along a chain of redirects', async () => {
    behave = (socket) =>
      socket.end(`HTTP/1.1 307 Temporary Redirect\r\nlocation: ${url()}\r\ncontent-length: 0\r\n\r\n`);
    expect((await post()).status).toBe(307);
    expect(requests).toBe(1);
  });

  it('that wants to speak another protocol is hung up on, and has refused', async () => {
    behave = (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    expect((await post()).status).toBe(101);
  });

  it('is hung up on after 2 KiB of its answer, packed or not', async () => {
    behave = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 999999999999\r\n\r\n');
      repeat(socket, Buffer.alloc(65_536, 7), 1);
    };
    const { status, beginning } = await post();
    expect([status, beginning.length, beginning[0]]).toEqual([200, 2048, 7]);
  });

  it('has answered with its status, though its body never ends', async () => {
    behave = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      repeat(socket, 'x', 20);
    };
    expect((await post()).status).toBe(200);
  });

  it('asks for a pause of at most a day, whatever it writes', async () => {
    for (const [said, ms] of [
      ['999999999', 86_400_000],
      ['-5', 0],
      ['1e9', null],
      ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
      ['soon', null],
    ] as const) {
      behave = (socket) => socket.end(`HTTP/1.1 503 No\r\nretry-after: ${said}\r\ncontent-length: 0\r\n\r\n`);
      expect([said, (await post()).retryAfterMs]).toEqual([said, ms]);
    }
  });
});

describe('an address that means harm', () => {
  const named = (...addresses: string[]) =>
    new EndpointCaller(
      { guard: new AddressGuard(networksOf([]), () => Promise.resolve(addresses)), timeoutMs: TIMEOUT_MS },
      NOTHING_MORE,
    );

  it('is not called where its name stands for an address inside, or for one of several', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.216.34', '10.0.0.1'],
      ['169.254.169.254'],
      ['::1'],
      ['::ffff:10.0.0.1'],
      ['64:ff9b::a00:1'],
      ['fe80::1'],
    ]) {
      expect(await faultOf(post('https://inside.example.org/x', named(...addresses)))).toBe('address_refused');
      await expect(named(...addresses).check('https://inside.example.org/x', ORGANIZATION)).rejects.toMatchObject({
        code: 'webhook.url_refused',
      });
    }
  });

  it.each([
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://017700000001/x',
    'https://①②⑦.⓪.⓪.①/x',
    'https://127。0。0。1/x',
    'https://[::ffff:7f00:1]/x',
    'https://[::]/x',
    'https://0/x',
    'https://user@example.org/x',
    'https://:secret@example.org/x',
    'https://example.org/x#part',
    'https://example.org/\r\nx-evil: 1',
    'https://example.org/\tx',
    ' https://example.org/x',
    'https://example.org\\@10.0.0.1/x\u0000',
    'file:///etc/passwd',
    'gopher://example.org/x',
    'javascript:alert(1)',
    'https://example.org:0/x',
    'https://example.org:25/x',
    'https://example.org:6000/x',
    'https://',
    '',
  ])('%j is refused', async (text) => {
    await expect(named('93.184.216.34').check(text, ORGANIZATION)).rejects.toMatchObject({
      code: 'webhook.url_refused',
    });
  });

  it.each(['https://example.org/x', 'https://example.org:8443/a?b=c', 'https://größe.example.org/ä'])(
    '%s is taken',
    async (text) => {
      await expect(named('93.184.216.34').check(text, ORGANIZATION)).resolves.toBeUndefined();
    },
  );
});
