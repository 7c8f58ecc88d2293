import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus, send } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../support/hl7-hospital.js';
import { testServerUrl } from '../support/test-servers.js';
import { makeTlsIdentity } from '../support/tls-identity.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { textOf } from '../docs/pages.js';
import {
  describedMetrics,
  EXPRESSIONS,
  metricOf,
  readExposition,
  selectorsOf,
  valuesListed,
  type Metric,
  type Sample,
} from './prometheus.js';

/** Of Node.js and of its process: some are there only after a collection of garbage, or while something is open. */
const OF_NODE = /^(?:nodejs|process)_/;
/** Codes that need not have come up in the minute of this test. */
const ERROR_CODES = new Set([...textOf('docs/errors.md').matchAll(/^\| `([\w.]+)` \|/gm)].map(([, code]) => code!));

const sorted = (metrics: readonly Metric[]): Metric[] =>
  metrics
    .map((metric) => ({ ...metric, labels: [...metric.labels].sort() }))
    .sort((one, other) => one.name.localeCompare(other.name));

/** All of our own; of Node.js those that the page describes. */
const shownOf = (metrics: readonly Metric[]): readonly Metric[] => {
  const described = new Set(describedMetrics().map(({ name }) => name));
  return metrics.filter(({ name }) => !OF_NODE.test(name) || described.has(name));
};

/**
 * Of a PostgreSQL that archives its WAL: `test/medium/database/database-metrics.spec.ts`; of HTTPS: `test/e2e/access/tls.spec.ts`; of the
 * audit trail, minutes after the start: `src/doors/fhir/audit/audit-sealer.spec.ts`.
 */
const ELSEWHERE = [
  'sutura_database_archive_age_seconds',
  'sutura_tls_certificate_days',
  'sutura_audit_chain_breaks',
  'sutura_audit_seal_age_seconds',
];

function withoutValue({ metrics, samples }: ReturnType<typeof readExposition>): string[] {
  const valued = new Set(samples.map(({ name }) => metricOf(name, metrics)?.name));
  return metrics
    .map(({ name }) => name)
    .filter((name) => !OF_NODE.test(name) && !ELSEWHERE.includes(name) && !valued.has(name));
}

describe('/metrics of a gateway with all roles, Redis, a listener with TLS, a destination and a webhook', () => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  let metrics: Metric[];
  let samples: Sample[];

  const read = async (): Promise<ReturnType<typeof readExposition>> =>
    readExposition(await (await fetch(`${gateway.baseUrl}/metrics`)).text());

  beforeAll(async () => {
    gateway = await startGateway({ env: { REDIS_URL: await testServerUrl('redis'), SUTURA_LEASE_S: '30' } });
    await oneOfEach();
    // What is of the database is read afresh every five seconds.
    ({ metrics, samples } = await eventually('every metric has a value', async () => {
      const now = await read();
      return withoutValue(now).length === 0 ? now : undefined;
    }).catch(() => read()));
  }, 180_000);
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
  });

  /** Does once what the figures count. */
  async function oneOfEach(): Promise<void> {
    await send('GET', `${gateway.baseUrl}/api/v1/usage`, { key: 'unknown' });
    hospital = await Hl7Hospital.open(gateway);
    await useTls();
    await tellAnAddressThatIsNotThere();
    expect(await hospital.send('MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260316080000+0100||ZZZ^Z99|C-1|T|2.5.1\r')).toMatch(
      /MSA\|A[ER]/,
    );
    const photo = await drawWoundPhoto({ seed: 3 });
    expect(await hospital.send(orderMessage({ order: 'O-1', photo }))).toContain('MSA|AA');
    await hospital.result('O-1');
    const [{ id }] = (
      expectStatus(200, await gateway.admin('GET', '/organizations')).body as { items: { id: string }[] }
    ).items as [{ id: string }];
    expectStatus(200, await gateway.admin('PATCH', `/organizations/${id}`, { dailyLimit: 1 }));
    writeFileSync(join(gateway.dataDir, 'last-backup'), '');
  }

  async function tellAnAddressThatIsNotThere(): Promise<void> {
    const json = { url: 'https://receiver.invalid/events' };
    expectStatus(201, await hospital.client.request('POST', '/api/v1/webhooks', { json }));
    const channel = { type: 'rest-hook', endpoint: json.url, payload: 'application/fhir+json' };
    const asked = { resourceType: 'Subscription', status: 'requested', reason: 'Reports', channel };
    const ehr = {
      name: 'EHR',
      environment: 'test',
      fhirBaseUrl: 'https://receiver.invalid/fhir',
      patientSystem: 'https://hospital.example/mrn',
      push: { enabled: true },
    };
    const organization = `/organizations/${hospital.organizationId}`;
    // An EHR is sent what is final.
    expectStatus(200, await gateway.admin('PATCH', organization, { resultPolicy: 'auto-final' }));
    expectStatus(201, await gateway.admin('POST', `${organization}/ehrs`, ehr));
    const criteria = 'DiagnosticReport?status=final';
    expectStatus(201, await hospital.client.request('POST', '/fhir/Subscription', { json: { ...asked, criteria } }));
  }

  /** A listener that shows a certificate, and a destination whose receiver is checked by it. */
  async function useTls(): Promise<void> {
    const identity = makeTlsIdentity(['localhost']);
    const [certFile, keyFile] = ['cert.pem', 'key.pem'].map((name) => join(gateway.dataDir, name)) as [string, string];
    writeFileSync(certFile, identity.cert);
    writeFileSync(keyFile, identity.key);
    const organizationId = await gateway.createOrganization();
    expectStatus(
      201,
      await gateway.admin('POST', '/hl7/listeners', {
        organizationId,
        environment: 'test',
        name: 'tls',
        settings: { port: 0, normalSilenceMinutes: 60, tls: { certFile, keyFile } },
      }),
    );
    expectStatus(
      201,
      await gateway.admin('POST', '/hl7/destinations', {
        organizationId,
        environment: 'test',
        name: 'tls',
        settings: { host: 'localhost', port: 1, tls: { caFile: certFile } },
      }),
    );
  }

  it('has a value for each metric', () => {
    expect(withoutValue({ metrics, samples })).toEqual([]);
  });

  it('has the metrics of docs/metrics.md, no more of our own and no fewer, as they are described there', () => {
    const described = sorted(describedMetrics());
    expect(sorted(shownOf(metrics)).map(({ name, type, help }) => ({ name, type, help }))).toEqual(
      described.map(({ name, type, help }) => ({ name, type, help })),
    );
  });

  it('has each metric by the labels of docs/metrics.md', () => {
    const described = describedMetrics();
    const shown = sorted(shownOf(metrics));
    expect(shown.length).toBeGreaterThan(40);
    expect(shown.map(({ name, labels }) => [name, labels])).toEqual(
      sorted(described.filter(({ name }) => shown.some((each) => each.name === name))).map(({ name, labels }) => [
        name,
        labels,
      ]),
    );
  });

  it('has every metric and every value that alarms and dashboards ask for', () => {
    const asked = EXPRESSIONS.flatMap(([place, expr]) =>
      selectorsOf(expr).map((selector) => ({ place, ...selector })),
    ).filter(({ metric }) => metric !== 'up' && metric !== 'ALERTS' && !ELSEWHERE.includes(metric));
    expect(asked.filter(({ metric }) => !samples.some(({ name }) => name === metric))).toEqual([]);
    const missing = asked.flatMap(({ place, metric, matchers }) =>
      matchers
        .filter(({ label }) => label !== 'job' && label !== 'instance')
        .flatMap((matcher) =>
          (valuesListed(matcher) ?? []).map((value) => ({ place, metric, label: matcher.label, value })),
        )
        .filter(({ label, value }) => !(label === 'code' && ERROR_CODES.has(value)))
        .filter(({ label, value }) => !(label === 'caller' && ['known', 'unknown'].includes(value)))
        .filter(({ label, value }) => !samples.some(({ name, labels }) => name === metric && labels[label] === value)),
    );
    expect(missing).toEqual([]);
  });
});
