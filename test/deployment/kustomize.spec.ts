import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadAll, dump } from 'js-yaml';
import { readSettings } from '../../src/platform/config/settings.js';
import { KILL_AFTER_MS } from '../../src/platform/stop-limit.js';
import { FILES, FOLDERS, ROOT, textOf } from '../docs/pages.js';
import {
  assignmentsIn,
  documentsOf,
  filesOf,
  KUSTOMIZATIONS,
  kustomizationOf,
  literalsOf,
  namedBy,
  OVERLAYS,
  SECRETS,
  SETTINGS,
  WORKLOADS,
  type Container,
  type Workload,
} from './manifests.js';
import { findTool } from './tools.js';

/** Names of PostgreSQL's own image. */
const OF_OTHERS = /^(POSTGRES_(USER|DB|PASSWORD)|PGDATA)$/;
const SECRET_VALUES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://sutura:secret@database:5432/sutura',
  REDIS_URL: 'redis://redis:6379/0',
  HL7_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

/** Every object below a key of this name, however deep. */
function valuesAt(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesAt(key, value)]);
}

describe.each(KUSTOMIZATIONS)('%s', (folder) => {
  const documents = filesOf(folder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap(documentsOf);

  it('names files and folders that exist', () => {
    expect(namedBy(folder).filter((path) => !FILES.includes(path) && !FOLDERS.has(path))).toEqual([]);
  });

  it('names every file beside it, but for the examples of secrets', () => {
    const unnamed = filesOf(folder).filter((file) => !namedBy(folder).includes(file));
    expect(unnamed.filter((file) => !file.endsWith('.example.env'))).toEqual([]);
  });

  it('sets only variables that the gateway reads, as text', () => {
    // A patch that adds a list of variables has them under "value".
    const lists = [...valuesAt('env', documents), ...valuesAt('value', documents)].filter(Array.isArray);
    const variables = lists.flat() as NonNullable<Container['env']>;
    const names = [...variables.map(({ name }) => name), ...Object.keys(literalsOf(folder))];
    expect(names.filter((name) => !SETTINGS.has(name) && !OF_OTHERS.test(name))).toEqual([]);
    expect(variables.filter(({ value }) => value !== undefined && typeof value !== 'string')).toEqual([]);
  });

  it('has no secret outside of a Secret', () => {
    const literals = (kustomizationOf(folder).configMapGenerator ?? []).flatMap(({ literals = [] }) => literals);
    expect(Object.keys(assignmentsIn(literals.join('\n'))).filter((name) => SECRETS.includes(name))).toEqual([]);
    const plain = (valuesAt('env', documents).flat() as NonNullable<Container['env']>).filter(
      ({ name, value }) => value !== undefined && (SECRETS.includes(name) || /PASSWORD/.test(name)),
    );
    expect(plain).toEqual([]);
    expect(documents.filter((document) => ['Secret', 'ConfigMap'].includes((document as Workload).kind))).toEqual([]);
  });
});

it('knows which settings are secrets', () => {
  expect(SECRETS.length).toBeGreaterThan(6);
});

describe.each(OVERLAYS)('the settings of %s', (folder) => {
  const example = folder.endsWith('/gpu') ? folder.replace('/gpu', '/production') : folder;
  const secrets = Object.fromEntries(
    Object.keys(assignmentsIn(textOf(`${example}/secrets.example.env`))).map((name) => [
      name,
      SECRET_VALUES[name] ?? 'a'.repeat(48),
    ]),
  );

  it('are accepted by a gateway, and leave migrating to the Job', () => {
    const settings = readSettings({ DATABASE_URL: SECRET_VALUES['DATABASE_URL'], ...literalsOf(folder), ...secrets });
    expect(settings.database.migrateAtStart).toBe(false);
    expect(settings.http.publicUrl).toMatch(/^https:/);
    expect(settings.http.trustProxy).not.toBe(false);
    expect(settings.hl7.allowPlain).toBe(false);
  });
});

describe.each(
  WORKLOADS.map(({ file, workload }) => [`${workload.kind} ${workload.metadata.name}`, file, workload] as const),
)('%s of %s', (_name, _file, { kind, spec }) => {
  const { template } = spec;
  const pod = template.spec;

  it('runs without rights, as an account that is not root, with a read-only root folder', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const { securityContext } of pod.containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  });

  it('asks for what it needs, and may take no more memory than stated', () => {
    for (const { resources } of pod.containers) {
      expect(resources?.requests).toMatchObject({
        cpu: expect.any(String),
        memory: expect.stringMatching(/^\d+[MG]i$/),
      });
      expect(resources?.limits?.memory).toMatch(/^\d+[MG]i$/);
    }
  });

  it('is of a stated release', () => {
    for (const { image } of pod.containers) expect(image).toMatch(/^sutura$|:(?!latest)[\w.-]+$/);
  });

  if (kind === 'Job') return;

  it('is asked whether it has started, is ready and lives', () => {
    for (const container of pod.containers)
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const)
        expect([probe, container[probe]]).toEqual([
          probe,
          expect.objectContaining({ periodSeconds: expect.any(Number) }),
        ]);
  });

  it('is given the time that it takes to stop', () => {
    for (const { image, lifecycle } of pod.containers.filter(({ image: name }) => name === 'sutura')) {
      const sleepS = lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect([image, pod.terminationGracePeriodSeconds]).toEqual([image, expect.any(Number)]);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(sleepS + KILL_AFTER_MS / 1000 + 5);
    }
  });
});

it('has the workloads of every role', () => {
  const roles = WORKLOADS.flatMap(({ workload }) => workload.spec.template.spec.containers).flatMap(({ env = [] }) =>
    env.filter(({ name }) => name === 'SUTURA_ROLES').map(({ value }) => value),
  );
  expect(roles.sort()).toEqual(['api', 'hl7', 'worker']);
});

const kubectl = findTool('kubectl', 'the overlays of ops/kustomize are not rendered.');
const validate = findTool(
  'kubernetes-validate',
  'what the overlays of ops/kustomize render is not compared with Kubernetes’ schemas (pip install kubernetes-validate).',
);

(kubectl === undefined ? describe.skip : describe).each(OVERLAYS)('%s rendered', (folder) => {
  let objects: Workload[];
  let scratch: string | undefined;

  beforeAll(() => {
    const text = execFileSync(kubectl!, ['kustomize', folder], { cwd: ROOT, encoding: 'utf8' });
    objects = loadAll(text) as Workload[];
    scratch = mkdtempSync(join(tmpdir(), 'sutura-kustomize-'));
  });
  afterAll(() => scratch !== undefined && rmSync(scratch, { recursive: true, force: true }));

  it('has every object in its namespace, and no image without a registry', () => {
    const placed = objects.filter(({ kind }) => kind !== 'Namespace');
    expect(placed.map(({ metadata }) => (metadata as { namespace?: string }).namespace)).toEqual(
      placed.map(() => 'sutura'),
    );
    const images = valuesAt('containers', objects)
      .flat()
      .map((container) => (container as Container).image);
    expect(images.length).toBeGreaterThan(3);
    expect(images.filter((image) => !/^[\w.-]+\.[a-z]+\/.+:[\w.-]+$/.test(image))).toEqual([]);
  });

  it('gives each role its name, and all of them one database', () => {
    const own = (valuesAt('containers', objects).flat() as Container[]).filter(({ image }) =>
      image.includes('/sutura:'),
    );
    const roles = own.flatMap(({ env = [] }) => env.filter(({ name }) => name === 'SUTURA_ROLES'));
    expect(roles.map(({ value }) => value).sort()).toEqual(['api', 'hl7', 'worker']);
    const addresses = own.map(({ env = [] }) => env.find(({ name }) => name === 'DATABASE_URL'));
    expect(new Set(addresses.map((address) => JSON.stringify(address))).size).toBe(1);
    for (const { envFrom } of own) expect(JSON.stringify(envFrom)).toMatch(/sutura-settings.*sutura-secrets/);
  });

  it('denies by default what no policy names', () => {
    expect(objects.find(({ metadata }) => metadata.name === 'default-deny')?.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  (validate === undefined ? it.skip : it)('passes kubernetes-validate --strict', () => {
    // The schemas of operators are not among those of Kubernetes.
    const ownKinds = objects.filter(
      (object) => !/\.(cnpg\.io|sh)\/|^postgresql\.cnpg/.test((object as unknown as { apiVersion: string }).apiVersion),
    );
    expect(ownKinds.length).toBeGreaterThan(10);
    const file = join(scratch!, 'objects.yaml');
    writeFileSync(file, ownKinds.map((object) => dump(object, { noRefs: true })).join('---\n'));
    const output = execFileSync(validate!, ['--strict', file], { encoding: 'utf8', cwd: resolve(ROOT) });
    expect(output).not.toMatch(/WARN|ERROR/);
  });
});
