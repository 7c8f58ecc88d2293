import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf } from '../docs/pages.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { literalsOf, OVERLAYS, WORKLOADS, yamlOf } from './manifests.js';

const PAGE = textOf('docs/deployment.md');
/** As it stands in the steps of compose and of Kubernetes. */
const MAKES_THE_KEY = /^\(umask 077; echo .* > encryption\.keys\)$/gm;
const FORM_OF_AN_OBJECT = Buffer.from('SUTURA\0\u0001', 'latin1');

describe('the set-up of compose.yaml, with the key file that docs/deployment.md has a command for', () => {
  let folder: string;
  let gateway: Gateway;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-key-'));
    const [command] = PAGE.match(MAKES_THE_KEY)!;
    execFileSync('/bin/sh', ['-c', command!], { cwd: folder });
    const { 'x-settings': settings } = yamlOf('compose.yaml') as { 'x-settings': Readonly<Record<string, string>> };
    const { SUTURA_STORAGE, SUTURA_ENCRYPTION_KEY_FILE } = settings;
    expect(SUTURA_ENCRYPTION_KEY_FILE).toBe('/run/secrets/encryption.keys');
    const env = { SUTURA_STORAGE: SUTURA_STORAGE!, SUTURA_ENCRYPTION_KEY_FILE: join(folder, 'encryption.keys') };
    gateway = await startGateway({ env });
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has a key that its account alone reads', async () => {
    const file = join(folder, 'encryption.keys');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toMatch(/^key-1 [A-Za-z0-9+/]{43}=\n$/);
    expect(gateway.logs).not.toContain('key_exposed');
  });

  it('encrypts every object of an analysis, and reads it again', async () => {
    const client = await gateway.createClient();
    const photo = await drawWoundPhoto();
    const job = await client.analyse(photo, { subject: { patientId: 'MRN-4711', woundId: 'W1' } });
    const overlay = await client.request('GET', `/api/v1/analysis/jobs/${job.id}/artifacts/overlay`);
    expect(overlay.status).toBe(200);
    const entries = await readdir(join(gateway.dataDir, 'objects'), { recursive: true, withFileTypes: true });
    const objects = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    expect(objects.length).toBeGreaterThan(1);
    for (const object of objects) {
      const bytes = await readFile(object);
      expect([object, bytes.subarray(0, FORM_OF_AN_OBJECT.length)]).toEqual([object, FORM_OF_AN_OBJECT]);
      expect(bytes.includes(photo.subarray(0, 256))).toBe(false);
    }
  });
});

describe('the key file in Kubernetes', () => {
  it('is made by the same command, and given to every role and to the Job that migrates', () => {
    const commands = PAGE.match(MAKES_THE_KEY)!;
    expect([commands.length, new Set(commands).size]).toEqual([2, 1]);
    const own = WORKLOADS.filter(({ workload }) =>
      workload.spec.template.spec.containers.some(({ image }) => image === 'sutura'),
    );
    expect(own.map(({ workload }) => workload.metadata.name).sort()).toEqual([
      'sutura-gateway',
      'sutura-hl7',
      'sutura-migrate',
      'sutura-worker',
    ]);
    const { SUTURA_ENCRYPTION_KEY_FILE: file } = literalsOf('ops/kustomize/base');
    for (const { workload } of own) {
      const pod = JSON.stringify(workload.spec.template.spec);
      expect(pod).toContain(`"mountPath":"${file!.replace('/encryption.keys', '')}","readOnly":true`);
      expect(pod).toContain('"secretName":"sutura-encryption"');
    }
  });

  it.each(OVERLAYS)('%s encrypts photos too: in a folder by the key, in a bucket by the store', (folder) => {
    const { SUTURA_STORAGE, S3_ENCRYPTION } = literalsOf(folder);
    expect([SUTURA_STORAGE, S3_ENCRYPTION]).toEqual(SUTURA_STORAGE === 's3' ? ['s3', 'AES256'] : ['local', undefined]);
  });

  it.each(OVERLAYS)(
    '%s believes a node’s pods on the address of a caller, not those of the whole cluster',
    (folder) => {
      const networks = literalsOf(folder)['TRUST_PROXY']!.split(',');
      expect(networks.filter((network) => Number(network.split('/')[1] ?? 32) < 24)).toEqual([]);
    },
  );
});

it('systemd has a key file outside the data folder, which the steps make', () => {
  expect(textOf('ops/systemd/sutura.env.example')).toMatch(
    /^SUTURA_ENCRYPTION_KEY_FILE=\/etc\/sutura\/encryption\.keys$/m,
  );
  expect(PAGE).toMatch(/^\(umask 077; .* > \/etc\/sutura\/encryption\.keys\) && chown sutura /m);
});
