import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readSettings } from '../../src/platform/config/settings.js';
import { KILL_AFTER_MS } from '../../src/platform/stop-limit.js';
import { FILES, ROOT, textOf } from '../docs/pages.js';
import { assignmentsIn, SETTINGS, yamlOf } from './manifests.js';
import { findTool } from './tools.js';

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly object[];
  readonly networks?: Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<'max-size' | 'max-file', string>> };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly init?: boolean;
  readonly mem_limit?: string;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

describe('compose.yaml', () => {
  const { services, secrets: files } = yamlOf('compose.yaml') as {
    services: Readonly<Record<string, Service>>;
    secrets: Readonly<Record<string, { readonly file: string }>>;
  };
  const own = Object.entries(services).filter(([, { image }]) => image.includes('SUTURA_IMAGE'));
  const example = assignmentsIn(textOf('ops/compose/example.env'));

  /** As compose fills in: the value of the example, else the default; what the operator has to give is made up. */
  const filledIn = (text: string): string =>
    text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, fallback = '') => {
      const value = example[name] ?? '';
      if (value !== '') return value;
      return kind === '-' ? fallback : 'made-up';
    });

  it('asks for no value that ops/compose/example.env lacks, and the example has no other', () => {
    const asked = [...textOf('compose.yaml').matchAll(/\$\{(\w+)(?!_IMAGE)[:}]/g)].map(([, name]) => name!);
    const named = new Set(asked.filter((name) => name === 'SUTURA_IMAGE' || !name.endsWith('_IMAGE')));
    expect([...named].sort()).toEqual(Object.keys(example).sort());
  });

  it.each(own)('%s has settings that a gateway accepts', (_name, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !SETTINGS.has(name))).toEqual([]);
    const variables = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value)]));
    const { storage, encryption } = readSettings(variables);
    expect([storage.driver, encryption.keyFile]).toEqual(['local', '/run/secrets/encryption.keys']);
  });

  it.each(own)('%s runs without rights in a read-only container, and has time to stop', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String),
    });
    expect(parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(KILL_AFTER_MS / 1000 + 5);
    expect(service.healthcheck?.disable ?? service.healthcheck?.test).toBeTruthy();
  });

  it.each(own)('%s has the encryption key as a secret, in no volume', (_name, { secrets, volumes }) => {
    expect(secrets).toEqual([{ source: 'encryption-keys', target: 'encryption.keys' }]);
    expect(volumes).toEqual(['service-data:/var/lib/sutura']);
    expect(filledIn(files['encryption-keys']!.file)).toBe('./encryption.keys');
    for (const list of ['.gitignore', '.dockerignore']) expect(textOf(list)).toMatch(/^\/?encryption\.keys$/m);
  });

  it('believes nobody on the address of a caller but the proxy, in each of its networks', () => {
    const trusted = own.flatMap(([, { environment }]) => environment?.['TRUST_PROXY'] ?? []);
    const addresses = Object.values(services['proxy']!.networks!).map(({ ipv4_address }) => ipv4_address);
    expect(addresses).toHaveLength(2);
    expect(new Set(trusted)).toEqual(new Set([addresses.join(',')]));
  });

  it.each(Object.entries(services))('%s has a log that does not grow without end', (_name, { logging }) => {
    const { driver, options } = logging!;
    expect(driver).toBe('json-file');
    expect(parseInt(options['max-size'], 10) * Number(options['max-file'])).toBeLessThanOrEqual(100);
  });

  it('has two gateways, workers, HL7 v2, and what they need', () => {
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(['gateway-1', 'gateway-2', 'worker', 'hl7', 'database', 'redis', 'proxy']),
    );
    const roles = own.flatMap(([, { environment }]) => environment?.['SUTURA_ROLES'] ?? []);
    expect(new Set(roles)).toEqual(new Set(['api', 'worker', 'hl7']));
  });

  it('names files and services that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((path) => path.startsWith('./')),
    );
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((path) => !FILES.includes(path.split(':')[0]!.slice(2)))).toEqual([]);
    const needed = Object.values(services).flatMap(({ depends_on = {} }) => Object.keys(depends_on));
    expect(needed.filter((name) => services[name] === undefined)).toEqual([]);
  });

  it('is reached through the proxy, which asks both gateways whether they are ready', () => {
    const proxy = textOf('ops/compose/Caddyfile');
    expect(proxy).toContain('gateway-1:3000 gateway-2:3000');
    expect(proxy).toContain('health_uri /health/ready');
  });
});

const UNITS = FILES.filter((file) => /^ops\/systemd\/.*\.service$/.test(file));

describe('systemd units', () => {
  const directives = (file: string): Map<string, string[]> => {
    const lines = textOf(file)
      .split('\n')
      .filter((line) => /^[A-Z]\w+=/.test(line));
    const all = new Map<string, string[]>();
    for (const line of lines) {
      const [name, value] = line.split(/=(.*)/s, 2) as [string, string];
      all.set(name, [...(all.get(name) ?? []), value]);
    }
    return all;
  };

  it('are those of the whole service, of its roles, and of the migration', () => {
    expect(UNITS.map((file) => basename(file)).sort()).toEqual([
      'sutura-migrate.service',
      'sutura.service',
      'sutura@.service',
    ]);
  });

  it.each(UNITS)('%s has no rights, and of the machine only its folder', (file) => {
    const unit = directives(file);
    expect(Object.fromEntries(unit)).toMatchObject({
      User: ['sutura'],
      NoNewPrivileges: ['yes'],
      ProtectSystem: ['strict'],
      ProtectHome: ['yes'],
      PrivateTmp: ['yes'],
      StateDirectory: ['sutura'],
      CapabilityBoundingSet: [''],
    });
    const hardening = (name: string) => textOf(name).split('NoNewPrivileges')[1]!.split('[Install]')[0];
    expect(hardening(file)).toBe(hardening(UNITS[0]!));
  });

  it.each(UNITS)('%s sets only variables that the gateway reads', (file) => {
    const names = (directives(file).get('Environment') ?? []).flatMap((line) =>
      line.split(' ').map((part) => part.split('=')[0]!),
    );
    expect(names.filter((name) => !SETTINGS.has(name) && name !== 'NODE_ENV')).toEqual([]);
  });

  it.each(UNITS.filter((file) => !file.includes('migrate')))('%s gives the service its time to stop', (file) => {
    expect(Number(directives(file).get('TimeoutStopSec')?.[0])).toBeGreaterThanOrEqual(KILL_AFTER_MS / 1000 + 5);
  });

  it('start the gateway as npm start does', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: { start: string } };
    for (const file of ['ops/systemd/sutura.service', 'ops/systemd/sutura@.service'])
      expect(directives(file).get('ExecStart')?.[0]?.replace('/usr/bin/', '').replace('/opt/sutura/', '')).toBe(
        scripts.start.replace('exec ', '').replace('scripts/start.mjs', 'dist/src/main.js'),
      );
  });

  it('have an example of settings that a gateway accepts', () => {
    const given = assignmentsIn(textOf('ops/systemd/sutura.env.example'));
    expect(Object.keys(given).filter((name) => !SETTINGS.has(name))).toEqual([]);
    const made = { HL7_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), SUTURA_ADMIN_TOKEN: 'a'.repeat(48) };
    expect(readSettings({ ...given, ...made }).http.publicUrl).toMatch(/^https:/);
  });

  const analyze = findTool('systemd-analyze', 'the units of ops/systemd are not verified.');
  (analyze === undefined ? it.skip : it)('pass systemd-analyze verify', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sutura-units-'));
    try {
      // A program that is there stands for those that are not installed on this machine.
      for (const file of UNITS)
        writeFileSync(
          join(folder, basename(file)),
          textOf(file).replaceAll('/usr/bin/node', process.execPath).replaceAll('/opt/sutura/docs', join(ROOT, 'docs')),
        );
      const units = ['sutura.service', 'sutura-migrate.service', 'sutura@.service'].map((name) => join(folder, name));
      expect(execFileSync(analyze!, ['verify', '--man=no', ...units], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const caddy = findTool('caddy', 'ops/compose/Caddyfile is not validated.');
(caddy === undefined ? it.skip : it)('the proxy accepts ops/compose/Caddyfile', () => {
  const env = { ...process.env, SUTURA_HOST: 'localhost', SUTURA_TLS: 'internal' };
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'ops/compose/Caddyfile'];
  expect(() => execFileSync(caddy!, args, { cwd: ROOT, env, stdio: 'pipe' })).not.toThrow();
});
