import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'prom-client';
import type { DestinationRegister } from '../../../../src/exits/mllp/destinations/destination-register.js';
import { DestinationCertificateMetrics } from '../../../../src/exits/mllp/sender/destination-certificates.metrics.js';
import type { Hl7Destination } from '../../../../src/exits/mllp/settings/hl7-destination.js';
import { createAuthority } from '../../../peers/test-certificates.js';

const NAME = 'sutura_hl7_destination_certificate_days';

let folder: string;
beforeEach(async () => {
  register.removeSingleMetric(NAME);
  folder = await mkdtemp(join(tmpdir(), 'sutura-certificates-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileOf = async (name: string, ...certificates: string[]): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, certificates.join('\n'));
  return file;
};

/** Days by destination, of those that have any. */
async function daysOf(
  ...destinations: { readonly id: string; readonly enabled?: boolean; readonly tls: object | null }[]
): Promise<Record<string, number>> {
  const all = destinations.map(({ id, enabled = true, tls }) => ({ id, enabled, settings: { tls } }));
  const known = { all: () => Promise.resolve(all as unknown as Hl7Destination[]) } as unknown as DestinationRegister;
  new DestinationCertificateMetrics(known, { now: () => new Date() }).onModuleInit();
  const { values } = await register.getSingleMetric(NAME)!.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['destination']), value]));
}

test('a paused destination, one without TLS, and one whose files cannot be read have no days', async () => {
  const caFile = await fileOf('ca.pem', createAuthority().certificate);
  const garbage = await fileOf('garbage.pem', 'no certificate');
  expect(
    await daysOf(
      { id: 'paused', enabled: false, tls: { caFile } },
      { id: 'plain', tls: null },
      { id: 'system', tls: {} },
      { id: 'missing', tls: { caFile: join(folder, 'missing.pem') } },
      { id: 'garbage', tls: { caFile: garbage } },
    ),
  ).toEqual({});
});

test('the own certificate counts where it ends before the authorities, even after its end', async () => {
  const authority = createAuthority();
  const caFile = await fileOf('ca.pem', authority.certificate);
  const certFile = await fileOf('ended.pem', authority.issue('gateway', -5).certificate, authority.certificate);
  expect(await daysOf({ id: 'ended', tls: { caFile, certFile } })).toEqual({ ended: expect.any(Number) as number });
  const [days] = Object.values(await daysOf({ id: 'ended', tls: { caFile, certFile } }));
  expect(days).toBeLessThan(0);
});

test('of several authorities the one that lasts longest counts', async () => {
  const authority = createAuthority();
  const bundle = await fileOf(
    'bundle.pem',
    authority.issue('an authority that has ended', -400).certificate,
    authority.issue('its successor', 20).certificate,
  );
  const { ward } = await daysOf({ id: 'ward', tls: { caFile: bundle } });
  expect(ward).toBeGreaterThanOrEqual(19);
  expect(ward).toBeLessThanOrEqual(20);
});
