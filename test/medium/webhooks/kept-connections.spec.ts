import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { EndpointCaller, NoAnswerError, KeptConnections } from '../../../src/exits/http/index.js';
import { AddressGuard, networksOf } from '../../../src/platform/http-client/address-guard.js';
import { freePort } from '../../support/free-port.js';

const ACCEPTED = 'HTTP/1.1 204 No Content\r\n\r\n';

let server: Server;
/** Connections in the order of their arrival, with the requests that came over each. */
let connections: { readonly socket: Socket; requests: number }[];
/** What the receiver does with a request; default: it accepts it. */
let behave: (socket: Socket, request: number) => void;
/** What the receiver's name stands for. */
let addresses: string[];
let kept: KeptConnections;

beforeEach(async () => {
  connections = [];
  addresses = ['127.0.0.1'];
  behave = (socket) => socket.write(ACCEPTED);
  kept = new KeptConnections();
  let requests = 0;
  server = createServer((socket) => {
    const connection = { socket, requests: 0 };
    connections.push(connection);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      connection.requests += 1;
      behave(socket, ++requests);
    });
  });
  const free = await freePort();
  await new Promise<void>((listening) => server.listen(free, '0.0.0.0', listening));
});
afterEach(async () => {
  kept.close();
  for (const { socket } of connections) socket.destroy();
  await new Promise((closed) => server.close(closed));
});

const ORGANIZATION = '01997f2e-1111-7000-8000-000000000001';
const caller = new EndpointCaller(
  { guard: new AddressGuard(networksOf(['127.0.0.0/8']), () => Promise.resolve(addresses)), timeoutMs: 5000 },
  { of: () => Promise.resolve(networksOf([])) },
);
const post = (timeoutMs = 5000) =>
  caller
    .post({
      organizationId: ORGANIZATION,
      url: `http://receiver.example:${(server.address() as AddressInfo).port}/events`,
      headers: { 'webhook-id': 'e1' },
      body: Buffer.from('{}'),
      timeoutMs,
      kept,
    })
    .then(
      ({ status }) => status,
      (fault: unknown) => (fault instanceof NoAnswerError ? fault.fault : String(fault)),
    );
const requestsOfEach = () => connections.map(({ requests }) => requests);

describe('a connection that is kept', () => {
  it('is not used once the name of the receiver stands for an address that is closed', async () => {
    expect(await post()).toBe(204);
    addresses = ['10.0.0.1'];
    expect(await post()).toBe('address_refused');
    addresses = ['127.0.0.1', '10.0.0.1'];
    expect(await post()).toBe('address_refused');
    expect(requestsOfEach()).toEqual([1]);
  });

  it('is not used for another address than the one it leads to', async () => {
    expect(await post()).toBe(204);
    addresses = ['127.0.0.2'];
    expect(await post()).toBe(204);
    expect(requestsOfEach()).toEqual([1, 1]);
    expect(connections[1]?.socket.localAddress).toBe('127.0.0.2');
  });

  it('is not used again after an answer that was longer than what is read of it', async () => {
    behave = (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 4096\r\n\r\n${'x'.repeat(4096)}`);
    expect([await post(), await post()]).toEqual([200, 200]);
    expect(requestsOfEach()).toEqual([1, 1]);
  });

  it('takes no answer that came before its request', async () => {
    behave = (socket, request) =>
      socket.write(request === 1 ? ACCEPTED + ACCEPTED : 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n');
    expect([await post(), await post()]).toEqual([204, 500]);
    expect(requestsOfEach()).toEqual([1, 1]);
  });

  it('is not used again after an answer that did not come in time', async () => {
    behave = (socket, request) => request > 1 && socket.write(ACCEPTED);
    expect([await post(200), await post()]).toEqual(['timeout', 204]);
    expect(requestsOfEach()).toEqual([1, 1]);
  });

  it('carries one request after another', async () => {
    expect([await post(), await post(), await post()]).toEqual([204, 204, 204]);
    expect(requestsOfEach()).toEqual([3]);
  });

  it('is followed by another where the receiver closes it just as it is used again', async () => {
    behave = (socket, request) => (request === 2 ? socket.destroy() : socket.write(ACCEPTED));
    expect([await post(), await post()]).toEqual([204, 204]);
    expect(requestsOfEach()).toEqual([2, 1]);
  });

  it('may have brought its request, though nobody listens any more when it is tried anew', async () => {
    behave = (socket, request) => {
      if (request === 1) return socket.write(ACCEPTED);
      server.close();
      return socket.destroy();
    };
    expect(await post()).toBe(204);
    const url = `http://receiver.example:${(server.address() as AddressInfo).port}/events`;
    const again = caller.post({ organizationId: ORGANIZATION, url, headers: {}, body: Buffer.from('{}'), kept });
    await expect(again).rejects.toMatchObject({ fault: 'unreachable ECONNREFUSED', mayHaveArrived: true });
  });

  it('is tried anew once, and then has failed', async () => {
    behave = (socket, request) => (request >= 2 ? socket.destroy() : socket.write(ACCEPTED));
    expect([await post(), await post()]).toEqual([204, 'lost ECONNRESET']);
    expect(requestsOfEach()).toEqual([2, 1]);
  });
});
