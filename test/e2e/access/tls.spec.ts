import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { readSettings } from '../../../src/platform/config/settings.js';
import { ServerCertificate } from '../../../src/platform/http/server-certificate.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { makeTlsIdentity } from '../../support/tls-identity.js';

const HOST = 'wounds.example.org';

describe('TLS of the HTTP server', () => {
  let gateway: Gateway;
  let folder: string;
  let first: ReturnType<typeof makeTlsIdentity>;
  let files: { cert: string; key: string };
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-tls-'));
    files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    first = makeTlsIdentity([HOST]);
    await put(first);
    gateway = await startGateway({ roles: 'api', until: 'listening', env: settingsOf('TLSv1.2') });
    port = Number(new URL(gateway.baseUrl).port);
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const settingsOf = (minVersion: string) => ({
    TLS_CERT_FILE: files.cert,
    TLS_KEY_FILE: files.key,
    TLS_MIN_VERSION: minVersion,
  });

  const put = async ({ cert, key }: { cert: string; key: string }): Promise<void> => {
    await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
  };

  const handshake = async (options: ConnectionOptions): Promise<TLSSocket> => {
    const socket = connect({ host: '127.0.0.1', port, servername: HOST, ...options });
    await Promise.race([
      once(socket, 'secureConnect'),
      once(socket, 'error').then(([fault]) => Promise.reject(fault as Error)),
    ]);
    return socket;
  };

  const isShown = async (ca: string): Promise<boolean> => {
    const socket = await handshake({ ca, rejectUnauthorized: false });
    const { authorized } = socket;
    socket.destroy();
    return authorized;
  };

  const ask = (
    path: string,
    agent: Agent,
    on = port,
  ): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: on, path, agent, servername: HOST }, (answer) => {
        let text = '';
        answer.on('data', (part: Buffer) => (text += part.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
      })
        .on('error', reject)
        .end();
    });

  it('speaks neither plain HTTP nor TLS 1.1', async () => {
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
    await expect(
      handshake({ ca: first.cert, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s, with the certificate of the file', async (version) => {
    const socket = await handshake({ ca: first.cert, minVersion: version, maxVersion: version });
    expect([socket.authorized, socket.getProtocol()]).toEqual([true, version]);
    socket.destroy();
  });

  it('answers every door over it, hands out https addresses, and tells browsers to stay', async () => {
    const agent = new Agent({ ca: first.cert });
    const answer = await eventually('readiness', async () => {
      const ready = await ask('/health/ready', agent);
      return ready.status === 200 ? ready : undefined;
    });
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const refused = await ask('/api/v1/usage', agent);
    expect([refused.status, refused.headers['strict-transport-security']]).toEqual([401, 'max-age=31536000']);
    const { implementation } = JSON.parse((await ask('/fhir/metadata', agent)).text) as {
      implementation: { url: string };
    };
    expect(implementation.url).toBe(`https://127.0.0.1:${port}/fhir`);
    agent.destroy();
  });

  it('shows a renewed certificate without a restart, and open connections go on', async () => {
    const agent = new Agent({ ca: first.cert, keepAlive: true, maxSockets: 1 });
    expect((await ask('/health/live', agent)).status).toBe(200);
    const renewed = makeTlsIdentity([HOST]);
    await put(renewed);
    await gateway.process.waitForEvent('http.certificate_changed', 20_000);
    expect([await isShown(renewed.cert), await isShown(first.cert)]).toEqual([true, false]);
    expect((await ask('/health/live', agent)).status).toBe(200);
    expect(gateway.process.events('http.certificate_changed')).toHaveLength(1);
    // Both are good for a day.
    const days = Number(/^sutura_tls_certificate_days (\S+)$/m.exec((await ask('/metrics', agent)).text)?.[1]);
    expect(days).toBeGreaterThan(0.9);
    expect(days).toBeLessThanOrEqual(1);
    agent.destroy();
  });

  it('keeps its certificate where the files no longer fit together, and says so once', async () => {
    const { cert } = makeTlsIdentity([HOST]);
    await writeFile(files.cert, cert);
    await gateway.process.waitForEvent('http.certificate_unusable', 20_000);
    expect(await isShown(cert)).toBe(false);
    expect(gateway.logs).not.toContain('PRIVATE KEY');
  });

  it('does not start with files that cannot be used, or with one of the two', async () => {
    expect(() => readSettings({ TLS_CERT_FILE: files.cert })).toThrow(/TLS_CERT_FILE and TLS_KEY_FILE/);
    const { tls } = readSettings({ ...settingsOf('TLSv1.2'), TLS_KEY_FILE: join(folder, 'none.pem') });
    expect(() => ServerCertificate.read(tls)).toThrow(/TLS_CERT_FILE and TLS_KEY_FILE cannot be used/);
    const started = await startGateway({ roles: 'api', until: 'spawned', env: settingsOf('TLSv1.2') });
    const { code } = await started.process.exited;
    expect(code).toBe(1);
    expect(started.logs).toMatch(/TLS_CERT_FILE and TLS_KEY_FILE/);
    await started.stop();
  });

  it('speaks TLS 1.3 alone where that is the oldest, and answers what was asked before a stop', async () => {
    const identity = makeTlsIdentity([HOST]);
    await put(identity);
    const strict = await startGateway({
      roles: 'api',
      until: 'listening',
      env: { ...settingsOf('TLSv1.3'), HSTS_MAX_AGE_S: '0' },
    });
    const strictPort = Number(new URL(strict.baseUrl).port);
    await expect(handshake({ port: strictPort, ca: identity.cert, maxVersion: 'TLSv1.2' })).rejects.toThrow();
    const agent = new Agent({ ca: identity.cert, keepAlive: true });
    const before = await ask('/health/live', agent, strictPort);
    expect(before.headers['strict-transport-security']).toBeUndefined();
    const asked = ask('/fhir/metadata', agent, strictPort);
    strict.process.signal('SIGTERM');
    expect((await asked).status).toBe(200);
    expect((await strict.process.exited).code).toBe(0);
    await strict.stop();
  });
});
