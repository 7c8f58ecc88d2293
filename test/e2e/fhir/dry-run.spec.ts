import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bundle } from '@medplum/fhirtypes';
import { AdminBrowser } from '../../support/admin-browser.js';
import { expectStatus, send, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const EXAMPLE = readFileSync(resolve(__dirname, '../../../fhir-profiles/examples/transaction-request.json'), 'utf8');
const rowsOf = (table: string, condition = 'true') =>
  `(select count(*) from ${table} where organization_id = $1 and ${condition})`;
/** Everything that a transaction leaves behind; of a photo that was taken back only a row that says so is left. */
const KEPT = `select concat_ws(' ', ${[
  rowsOf('patients'),
  rowsOf('patient_identifiers'),
  rowsOf('wounds'),
  rowsOf('images', `status <> 'deleted'`),
  rowsOf('analysis_jobs'),
  rowsOf('analysis_requests'),
  rowsOf('fhir_resources'),
  rowsOf('fhir_versions'),
  '(select coalesce(sum(used), 0) from quota_usage where organization_id = $1)',
  rowsOf('outbox_events'),
  rowsOf('audit_events', `interaction <> '$dry-run' and refusal is null`),
].join(', ')}) as kept`;
/** Of users whom no other file has. */
const OURS = randomBytes(3).toString('hex');

let gateway: SharedGateway;
let organizationId: string;
let integrator: AdminBrowser;
let viewer: AdminBrowser;

beforeAll(async () => {
  gateway = await sharedGateway();
  organizationId = await gateway.createOrganization('enterprise');
  const roles = (role: string) => ({ roles: [{ organizationId, role }] });
  const made = [
    expectStatus(201, await gateway.admin('POST', '/users', { name: `ines-${OURS}`, ...roles('integrator') })),
    expectStatus(201, await gateway.admin('POST', '/users', { name: `vera-${OURS}`, ...roles('viewer') })),
  ].map(({ body }) => body as { name: string; setupCode: string });
  integrator = await new AdminBrowser(gateway).enter(made[0]!);
  viewer = await new AdminBrowser(gateway).enter(made[1]!);
});

const path = (of = organizationId) => `/fhir/dry-run?organizationId=${of}&environment=test`;
const tried = (json: unknown): Promise<Answer> => integrator.ask('POST', path(), json);
const kept = async () => (await queryDatabase<{ kept: string }>(gateway.databaseUrl, KEPT, [organizationId]))[0]!.kept;

async function assessment(): Promise<Bundle> {
  const bundle = JSON.parse(EXAMPLE) as Bundle;
  (bundle.entry![2]!.resource as { data: string }).data = (await drawSmallWoundPhoto()).toString('base64');
  return bundle;
}

describe('a dry run of FHIR', () => {
  it('is for integrators of the organization, who send the token of their page', async () => {
    const other = await gateway.createOrganization();
    const refused = [
      await viewer.ask('POST', path(), { resourceType: 'Patient' }),
      await integrator.ask('POST', path(other), { resourceType: 'Patient' }),
      await integrator.ask('POST', path(), { resourceType: 'Patient' }, { 'x-csrf-token': 'another' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'auth.role'],
      [403, 'auth.role'],
      [403, 'auth.csrf'],
    ]);
    expect((await send('POST', `${gateway.baseUrl}/admin/v1${path()}`, { json: {} })).status).toBe(401);
  });

  it('does not read what is no JSON, or has a name twice', async () => {
    for (const text of ['{ "resourceType": ', '{"resourceType":"Patient","resourceType":"Media"}']) {
      const answer = await send('POST', `${gateway.baseUrl}/admin/v1${path()}`, {
        bytes: Buffer.from(text),
        headers: {
          'content-type': 'application/json',
          cookie: integrator.cookie,
          'x-csrf-token': integrator.csrfToken,
        },
      });
      expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
    }
  });

  it.each([
    [null, null],
    [[], null],
    [{ resourceType: 7 }, null],
    [{ resourceType: 'Patient', birthDate: '12.3.1950' }, 'Patient.birthDate'],
    [{ resourceType: 'Spaceship' }, 'Spaceship'],
    [{ resourceType: 'Bundle', type: 'collection' }, 'Bundle.type'],
    [{ resourceType: 'Bundle', type: 'transaction', entry: [{ resource: {} }] }, 'Bundle.entry[0].request'],
    [
      {
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [{ resource: { resourceType: 'Patient', active: 'yes' }, request: { method: 'POST', url: 'Patient' } }],
      },
      'Bundle.entry[0].resource.active',
    ],
  ])('says of %j where it is wrong: at %s', async (json, expression) => {
    const { taken, issues } = expectStatus(200, await tried(json)).body;
    expect([taken, issues[0].expression]).toEqual([false, expression]);
    expect(issues[0].text).not.toBe('');
  });

  it('says of each entry of a batch what it would come to', async () => {
    const entry = [
      { resource: { resourceType: 'Patient', birthDate: 'x' }, request: { method: 'POST', url: 'Patient' } },
      { resource: { resourceType: 'Patient' }, request: { method: 'POST', url: 'Patient' } },
    ];
    const { kind, taken, entries, issues } = expectStatus(
      200,
      await tried({ resourceType: 'Bundle', type: 'batch', entry }),
    ).body;
    expect([kind, taken, entries.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
      'batch',
      false,
      ['refused', 'created'],
    ]);
    expect(issues[0].expression).toBe('Bundle.entry[0].resource.birthDate');
  });

  it('does what a transaction with a photo and an order does, and leaves nothing of it but that it was tried', async () => {
    await tried({ resourceType: 'Patient' });
    const before = await kept();
    const bundle = await assessment();
    const { taken, entries, analyses, issues } = expectStatus(200, await tried(bundle)).body;
    expect({
      taken,
      analyses,
      errors: issues.filter(({ severity }: { severity: string }) => severity === 'error'),
    }).toEqual({ taken: true, analyses: 1, errors: [] });
    expect(entries).toHaveLength(bundle.entry!.length);
    expect(new Set(entries.map(({ outcome }: { outcome: string }) => outcome))).toEqual(new Set(['created']));
    expect(await kept()).toBe(before);
    const [row] = await queryDatabase<{ key_id: string; organization_id: string }>(
      gateway.databaseUrl,
      `select key_id, organization_id from audit_events where interaction = '$dry-run' and organization_id = $1 order by id desc limit 1`,
      [organizationId],
    );
    expect(row).toEqual({ key_id: `user:ines-${OURS}`, organization_id: organizationId });
  });

  it('tells the truth: what it said is what the posted Bundle comes to, and then finds what is there', async () => {
    const { key } = await gateway.createKey(organizationId);
    const bundle = await assessment();
    const posted = await send('POST', `${gateway.baseUrl}/fhir`, {
      key,
      bytes: Buffer.from(JSON.stringify(bundle)),
      headers: { 'content-type': 'application/fhir+json' },
    });
    expectStatus(200, posted);
    // Reports and resources of the posted one may come meanwhile: patients, jobs and quota do not.
    const steady = async () => {
      const counts = (await kept()).split(' ');
      return [counts[0], counts[1], counts[4], counts[8]];
    };
    const before = await steady();
    const again = { ...bundle, entry: bundle.entry!.slice(0, 2) };
    const { taken, entries } = expectStatus(200, await tried(again)).body;
    expect([taken, ...entries.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
      true,
      'matched',
      'matched',
    ]);
    expect(await steady()).toEqual(before);
  });
});
