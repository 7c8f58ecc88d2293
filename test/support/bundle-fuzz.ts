import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bundle, Resource } from '@medplum/fhirtypes';
import { Client } from 'pg';
import type { ApiClient } from './api-client.js';
import type { Gateway } from './gateway.js';
import { Dice, mutateBundle, mutateText } from './mutations.js';
import { drawWoundPhoto } from './wound-photo.js';

const EXAMPLES = resolve(__dirname, '../../fhir-profiles/examples');
/** What clients send, beside the worked transaction. */
const POSTED = [
  'patient',
  'bodystructure-wound',
  'media-1',
  'servicerequest',
  'observation-exudate-clinician',
  'documentreference-alt',
  'task-in-progress',
  'device-ai',
  'diagnosticreport-1',
];
/** Rows that a Bundle makes. Tasks follow jobs by themselves. */
const COUNTS = `select
  (select count(*)::int from fhir_versions v join fhir_resources r on r.number = v.resource where r.type <> 'Task') as versions,
  (select count(*)::int from fhir_versions v join fhir_resources r on r.number = v.resource where r.type = 'Task') as tasks,
  (select count(*)::int from patients) as patients,
  (select count(*)::int from wounds) as wounds,
  (select count(*)::int from images where status = 'stored') as images,
  (select count(*)::int from analysis_requests) as requests,
  (select count(*)::int from analysis_jobs) as jobs,
  (select coalesce(sum(used), 0)::int from quota_usage) as charged`;

type Counts = Readonly<
  Record<'versions' | 'tasks' | 'patients' | 'wounds' | 'images' | 'requests' | 'jobs' | 'charged', number>
>;

export interface FuzzOutcome {
  readonly accepted: number;
  readonly refused: number;
  /** Rounds in which something went wrong, by seed. */
  readonly faults: readonly string[];
}

/** Posts mutated Bundles, one after another: none may be answered with 5xx, none may leave a part of itself. */
export class BundleFuzz {
  private constructor(
    private readonly database: Client,
    private readonly client: ApiClient,
    private readonly bundles: readonly Bundle[],
  ) {}

  /** The gateway is this test's own and runs without workers, so that rows come from requests alone. */
  static async over(gateway: Gateway, client: ApiClient): Promise<BundleFuzz> {
    const photo = (await drawWoundPhoto({ width: 96, height: 96 })).toString('base64');
    const example = (name: string): Resource =>
      JSON.parse(
        readFileSync(resolve(EXAMPLES, `${name}.json`), 'utf8').replace(
          /("data"\s*:\s*")[A-Za-z0-9+/=]{200,}"/g,
          `$1${photo}"`,
        ),
      ) as Resource;
    const transaction = example('transaction-request') as Bundle;
    const each = POSTED.map((name, index) => ({
      fullUrl: `urn:uuid:${index}`,
      resource: example(name),
      request: { method: 'POST', url: example(name).resourceType },
    })) as NonNullable<Bundle['entry']>;
    const patch = {
      resourceType: 'Binary',
      contentType: 'application/json-patch+json',
      data: Buffer.from('[{"op":"add","path":"/active","value":true}]').toString('base64'),
    };
    const mixed = [
      each[0],
      { request: { method: 'GET', url: 'Patient?_count=1' } },
      { resource: patch, request: { method: 'PATCH', url: 'Patient/1' } },
    ] as NonNullable<Bundle['entry']>;
    const bundles = [
      transaction,
      transaction,
      { ...transaction, type: 'batch' },
      { ...transaction, entry: [each[0]!, each[4]!] },
      { ...transaction, type: 'batch', entry: each },
      { ...transaction, entry: mixed },
    ];
    const database = new Client({ connectionString: gateway.databaseUrl });
    await database.connect();
    // The service's own Devices and model cards are written at the first look, whoever takes it.
    await client.request('GET', '/fhir/Device');
    return new BundleFuzz(database, client, bundles as Bundle[]);
  }

  async run(seeds: readonly number[]): Promise<FuzzOutcome> {
    const faults: string[] = [];
    let accepted = 0;
    let before = await this.counts();
    for (const seed of seeds) {
      const answer = await this.post(seed);
      const after = await this.counts();
      const fault = answer.status >= 500 ? `answered ${answer.status}` : faultIn(answer, before, after);
      if (fault !== null) faults.push(`seed ${seed}: ${fault}`);
      if (answer.status === 200) accepted += 1;
      before = after;
    }
    return { accepted, refused: seeds.length - accepted, faults };
  }

  close(): Promise<void> {
    return this.database.end();
  }

  private async post(seed: number): Promise<{ status: number; body: Bundle | null }> {
    const dice = new Dice(seed);
    const bundle = mutateBundle(dice.pick(this.bundles), dice);
    const answer = await this.client.request('POST', '/fhir', {
      bytes: mutateText(JSON.stringify(bundle), dice),
      headers: { 'content-type': 'application/fhir+json' },
    });
    const body = answer.body as Bundle | null;
    const inner = body?.entry?.find(({ response }) => response?.status?.startsWith('5') === true);
    return inner === undefined ? { status: answer.status, body } : { status: 500, body };
  }

  private async counts(): Promise<Counts> {
    return (await this.database.query<Counts>(COUNTS)).rows[0]!;
  }
}

/** What does not fit between an answer and the rows that came with it; null where all does. */
function faultIn(
  { status, body }: { status: number; body: Bundle | null },
  before: Counts,
  after: Counts,
): string | null {
  const grown = Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, count - before[name as keyof Counts]]),
  ) as Counts;
  if (status !== 200)
    return Object.values(grown).every((by) => by === 0)
      ? null
      : `refused with ${status}, and left ${JSON.stringify(grown)}`;
  const written = (body?.entry ?? []).flatMap(({ response }) => {
    const [type] = response?.location?.split('/') ?? [];
    return type === undefined || type === 'Task' ? [] : [response!.status!];
  });
  const created = written.filter((line) => line.startsWith('201')).length;
  const reused = written.length - created;
  if (grown.versions < created || grown.versions > created + reused)
    return `${created} created and ${reused} reused or changed, but ${grown.versions} versions`;
  if (grown.charged !== grown.jobs) return `${grown.jobs} jobs, ${grown.charged} charged`;
  return grown.jobs > grown.requests || grown.tasks < grown.requests
    ? `${grown.requests} requests, ${grown.jobs} jobs, ${grown.tasks} versions of Tasks`
    : null;
}
