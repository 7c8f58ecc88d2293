import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startGateway, type Gateway } from '../support/gateway.js';
import { collect, liveThrough } from './emitted-resources.js';
import { buildHapi, hapi, LACKS_MAVEN, type Validated } from './hapi-program.js';
import { describeWith } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const PROFILES = join(ROOT, 'fhir-profiles');
/** Warnings that stay, by HL7's name of the message, and why. */
const REASONS: Readonly<Record<string, string>> = {};

describeWith(LACKS_MAVEN)('HAPI’s validator', () => {
  let gateway: Gateway;
  let folder: string;
  const validated: Validated[] = [];

  beforeAll(async () => {
    await buildHapi();
    folder = await mkdtemp(join(tmpdir(), 'sutura-emitted-'));
    gateway = await startGateway();
    const client = await liveThrough(gateway);
    for (const format of ['json', 'xml'] as const) await collect(client, join(folder, format), format);
    validated.push(...(await hapi<Validated>('validate', '--definitions', PROFILES, folder, PROFILES)));
  }, 900_000);
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds no error in what the gateway emits, in its definitions and in its examples', () => {
    const errors = validated.flatMap(({ file, thrown, issues = [] }) => [
      ...(thrown === undefined ? [] : [`${nameOf(file)}: ${thrown}`]),
      ...issues
        .filter(({ severity }) => severity === 'error' || severity === 'fatal')
        .map(({ location, message }) => `${nameOf(file)} ${location}: ${message}`),
    ]);
    expect(errors).toEqual([]);
    expect(validated.length).toBeGreaterThan(200);
  });

  it('has no warning without a reason', () => {
    const warnings = validated.flatMap(({ file, issues = [] }) =>
      issues
        .filter(({ severity, id }) => severity === 'warning' && !(String(id) in REASONS))
        .map(({ id, location, message }) => `${id} ${nameOf(file)} ${location}: ${message}`),
    );
    expect(warnings).toEqual([]);
  });
});

function nameOf(file: string): string {
  return file.split('/').slice(-2).join('/');
}
