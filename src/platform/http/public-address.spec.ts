import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { readSettings } from '../config/settings.js';
import { PublicAddress } from './public-address.js';

const addressOf = (variables: Record<string, string>) =>
  new PublicAddress(readSettings(variables), new HttpAdapterHost());

describe('PublicAddress', () => {
  it('is where the server listens by default', () => {
    expect(addressOf({}).url).toBe('http://127.0.0.1:3000');
    expect(addressOf({ HOST: '0.0.0.0', PORT: '80' }).url).toBe('http://127.0.0.1:80');
  });

  it('puts an IPv6 address into brackets', () => {
    expect(addressOf({ HOST: 'fd00::5' }).url).toBe('http://[fd00::5]:3000');
    expect(addressOf({ HOST: '::' }).url).toBe('http://[::1]:3000');
  });

  it('is PUBLIC_URL without a trailing slash', () => {
    expect(addressOf({ PUBLIC_URL: 'https://wounds.example.org/sutura/' }).url).toBe(
      'https://wounds.example.org/sutura',
    );
  });

  it('has the port that was taken for PORT=0, as soon as the server listens', async () => {
    const server = createServer();
    const host = new HttpAdapterHost();
    host.httpAdapter = { getHttpServer: () => server } as never;
    const address = new PublicAddress(readSettings({ PORT: '0' }), host);
    expect(address.url).toBe('http://127.0.0.1:0');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(address.url).toBe(`http://127.0.0.1:${port}`);
    expect(address.port).toBe(port);
    server.close();
  });
});
