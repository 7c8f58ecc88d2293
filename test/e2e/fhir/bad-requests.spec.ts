import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProfileLibrary } from '../../../src/standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../../src/standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../../src/standards/fhir/validation/resource-validator.js';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { fill, toBytes } from '../api/placeholders.js';
import { sendRaw, type RawAnswer } from '../api/raw-request.js';

/** One row of fhir.json: a request and the OperationOutcome that answers it (reliability table B5.3, and what standards 3.2 adds). */
interface Row {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** issue.code and the code of issue.details of the first issue. */
  readonly issue: string;
  readonly code: string;
  /** Default: a key that may do everything. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: string;
  /** A body that is too long to stand in the table. */
  readonly generated?: 'entries';
  /** Of the first issue. */
  readonly expression?: string;
  /** Headers of the answer, by pattern. */
  readonly answer?: Readonly<Record<string, string>>;
}

const ROWS = JSON.parse(readFileSync(resolve(__dirname, '../../fixtures/bad-input/fhir.json'), 'utf8')) as Row[];
const MARKER = 'Mustermann';
const TABLES = [
  'fhir_resources',
  'fhir_versions',
  'fhir_identifiers',
  'patients',
  'wounds',
  'images',
  'attachments',
  'analysis_requests',
  'analysis_jobs',
];

describe('bad FHIR requests', () => {
  const definitions = new R4Definitions();
  const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
  let gateway: SharedGateway;
  let client: ApiClient;
  let names: Record<string, string>;
  let keys: Record<string, string>;
  let before: Record<string, number>;
  /** Others of this worker's gateway may still be worked off. */
  const organizations: string[] = [];

  beforeAll(async () => {
    gateway = await sharedGateway();
    const organization = await gateway.createOrganization();
    const key = async (scopes?: string[], environment: 'test' | 'live' = 'test') =>
      (await gateway.createKey(organization, environment, scopes)).key;
    client = new ApiClient(gateway.baseUrl, await key());
    const revoked = await gateway.createKey(organization);
    expectStatus(204, await gateway.admin('DELETE', `/keys/${revoked.keyId}`));
    const poor = await gateway.createOrganization();
    organizations.push(organization, poor);
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${poor}`, { dailyLimit: 0 }));
    const usedUp = new ApiClient(gateway.baseUrl, (await gateway.createKey(poor)).key);
    const stranger = await gateway.createClient();
    const good = client.key ?? '';
    keys = {
      good,
      garbage: 'hello',
      mistyped: good.slice(0, -8) + (good.at(-8) === 'a' ? 'b' : 'a') + good.slice(-7),
      revoked: revoked.key,
      reader: await key(['analysis:read']),
      photographer: await key(['images:write']),
      writer: await key(['images:write', 'analysis:write']),
      live: await key(undefined, 'live'),
      usedUp: usedUp.key ?? '',
    };
    const photo = (await drawWoundPhoto()).toString('base64');
    const create = async (by: ApiClient, resource: object) =>
      expectStatus(201, await postFhir(by, resource)).body.id as string;
    const patient = (family: string, value?: string) => ({
      resourceType: 'Patient',
      gender: 'female',
      name: [{ family }],
      ...(value === undefined ? {} : { identifier: [{ system: 'urn:oid:1.2.3', value }] }),
    });
    const mediaOf = async (by: ApiClient, subject: string) =>
      create(by, {
        resourceType: 'Media',
        status: 'completed',
        subject: { reference: `Patient/${subject}` },
        content: { contentType: 'image/jpeg', data: photo },
      });
    const known = await create(client, patient(MARKER, 'W-12'));
    for (const value of ['Z-1', 'Z-2']) await create(client, patient('Zwilling', value));
    const media = await mediaOf(client, known);
    names = {
      key: good,
      photo,
      patient: known,
      media,
      binary: media,
      strangerPatient: await create(stranger, patient('Fremd', 'W-12')),
      usedUpMedia: await mediaOf(usedUp, await create(usedUp, patient('Arm', 'A-1'))),
      unknown: '0199e1c4-6b00-7d44-8b30-7a8b9c0d1e08',
    };
    before = await countRows();
  });

  async function countRows(): Promise<Record<string, number>> {
    const counts = TABLES.map(
      (table) => `(select count(*)::int from ${table} where organization_id = any ($1)) as ${table}`,
    );
    const sql = `select ${counts.join(', ')}`;
    return (await queryDatabase<Record<string, number>>(gateway.databaseUrl, sql, [organizations]))[0]!;
  }

  function postFhir(by: ApiClient, resource: object): Promise<Answer> {
    return by.request('POST', `/fhir/${(resource as { resourceType: string }).resourceType}`, { json: resource });
  }

  function send(row: Row): Promise<RawAnswer> {
    const { key = 'good', headers = {}, generated, ...filled } = fill(row, names);
    const authorization: Record<string, string> = key === 'none' ? {} : { authorization: `Bearer ${keys[key] ?? ''}` };
    const body = generated === undefined ? bodyOf(filled) : JSON.stringify(manyEntries());
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/fhir+json' };
    const wanted = Object.fromEntries(
      Object.entries({ ...authorization, ...type, ...headers }).filter(
        ([name, value]) => name !== 'content-type' || value !== '',
      ),
    );
    return sendRaw(gateway.baseUrl, { method: filled.method, path: filled.path, headers: wanted, body });
  }

  it.each(ROWS.map((row) => [row.title, row] as const))('refuses %s', async (_, row) => {
    const answer = await send(row);
    const first = answer.body?.issue?.[0];
    expect([answer.status, first?.code, first?.details?.coding?.[0]?.code]).toEqual([row.status, row.issue, row.code]);
    expect(validator.validate(answer.body)).toEqual({ level: null, issues: [] });
    expect(answer.headers['content-type']).toBe('application/fhir+json; charset=utf-8');
    expect(first.diagnostics).toBe(`requestId=${String(answer.headers['x-request-id'])}`);
    expect(first.details.text).toMatch(/\w/);
    if (row.expression !== undefined) expect(first.expression).toEqual([row.expression]);
    for (const [name, pattern] of Object.entries(row.answer ?? {}))
      expect(answer.headers[name]).toMatch(new RegExp(pattern));
    expect(answer.text).not.toMatch(/node_modules|\.ts:|\.js:|select |postgres|Mustermann/i);
  });

  it('answers a long address with an outcome too, even one that Node refuses itself', async () => {
    for (const length of [9000, 40_000]) {
      const answer = await sendRaw(gateway.baseUrl, {
        method: 'GET',
        path: `/fhir/Patient?name=${'x'.repeat(length)}`,
        headers: { authorization: `Bearer ${keys['good']}` },
      });
      expect([answer.status, answer.body?.resourceType, answer.body?.issue[0].code]).toEqual([
        414,
        'OperationOutcome',
        'too-long',
      ]);
    }
  });

  it('caps a page instead of refusing it, and names what it left out of a search', async () => {
    const answer = expectStatus(200, await client.request('GET', '/fhir/Patient?_count=100000&colour=red'));
    const self = (answer.body.link as { relation: string; url: string }[]).find(
      ({ relation }) => relation === 'self',
    )!.url;
    expect(self).toContain('_count=200');
    expect(self).not.toContain('colour');
    expect(answer.body.entry.at(-1)).toMatchObject({
      search: { mode: 'outcome' },
      resource: { resourceType: 'OperationOutcome', issue: [{ severity: 'warning' }] },
    });
  });

  it('takes a pattern in a search for the text that it is', async () => {
    const answer = expectStatus(200, await client.request('GET', '/fhir/Patient?name=%25&family:contains=.*'));
    expect(answer.body.total).toBe(0);
  });

  it('kept nothing of it', async () => {
    expect(await countRows()).toEqual(before);
  });
});

function bodyOf({ json, raw }: Pick<Row, 'json' | 'raw'>): string | Buffer | undefined {
  if (raw !== undefined) return toBytes(raw);
  return json === undefined ? undefined : JSON.stringify(json);
}

function manyEntries(): object {
  const entry = { resource: { resourceType: 'Patient' }, request: { method: 'POST', url: 'Patient' } };
  return { resourceType: 'Bundle', type: 'transaction', entry: Array.from({ length: 501 }, () => entry) };
}
