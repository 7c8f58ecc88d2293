/** @jest-environment node */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask } from './api.js';

describe('a question to the gateway', () => {
  let server: Server | undefined;

  async function answering(listener: RequestListener): Promise<string> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/v1/standing`;
  }
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
    server = undefined;
  });

  it.each<[string, RequestListener]>([
    ['that is never answered', () => undefined],
    [
      'whose answer breaks off',
      (_, reply) => void reply.writeHead(200, { 'content-type': 'application/json' }).write('{"state":'),
    ],
  ])('%s is refused in time, as of a service that was not reached', async (_, listener) => {
    const path = await answering(listener);
    await expect(ask('GET', path, { timeoutMs: 100 })).rejects.toMatchObject({ status: 0, code: 'network' });
  });

  it('that its page gave up is no refusal', async () => {
    const path = await answering(() => undefined);
    const signal = AbortSignal.timeout(50);
    await expect(ask('GET', path, { signal, timeoutMs: 10_000 })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('is answered', async () => {
    const path = await answering((_, reply) => void reply.setHeader('content-type', 'application/json').end('{"a":1}'));
    expect((await ask('GET', path, { timeoutMs: 10_000 })).data).toEqual({ a: 1 });
  });
});
