import { BulkClient, statusUrlOf, type Manifest } from '../../support/bulk-export.js';
import { ApiClient, expectStatus, send } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const RESOURCES = 20_000;
const TEXT_BYTES = 12_000;
/** Pages and parts that the collector has not got to; the resources are twice as much. */
const MOST_GROWTH_MIB = 120;
/** What would be held for the length of the export would not fit into it. */
const HEAP_MIB = 256;
const MIB = 1024 * 1024;

/** As the store writes them, but for the index rows, which an export without filters does not read. */
const FILL = `with made as (
    insert into fhir_resources (organization_id, environment, type, id, version, last_updated, sort_at, is_long, present)
      select $1, 'test', 'Organization', 'o-' || n, 1, now() - interval '1 hour', '-infinity', false, '{}' from generate_series(1, ${RESOURCES}) n
      returning number, id, last_updated)
  insert into fhir_versions (resource, version, organization_id, environment, last_updated, content)
    select number, 1, $1, 'test', last_updated, json_build_object('resourceType', 'Organization', 'id', id, 'name', repeat('ward ', ${TEXT_BYTES / 5})) from made`;

describe('a bulk export of many resources', () => {
  let gateway: Gateway;
  let client: ApiClient;
  let bulk: BulkClient;
  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api', env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` } });
    const organization = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organization)).key);
    bulk = new BulkClient(`${gateway.baseUrl}/fhir`, client.key);
    expectStatus(200, await client.request('GET', '/fhir/Organization'));
    await queryDatabase(gateway.databaseUrl, FILL, [organization]);
  });
  afterAll(() => gateway?.stop());

  const heldMib = async (): Promise<number> => {
    const text = (await send('GET', `${gateway.baseUrl}/metrics`)).bytes.toString('utf8');
    const of = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1]);
    return (of('nodejs_heap_size_used_bytes') + of('nodejs_external_memory_bytes')) / MIB;
  };

  it('is in several parts, each resource once, while memory stays as it is and polls are answered', async () => {
    const before = await heldMib();
    const statusUrl = statusUrlOf(await bulk.kickOff('/$export?_type=Organization'));
    const [held, tookMs]: number[][] = [[], []];
    await eventually('the export ended', async () => {
      const began = performance.now();
      const { status } = await bulk.ask('GET', statusUrl);
      tookMs!.push(performance.now() - began);
      held!.push(await heldMib());
      return status === 200;
    });
    const manifest = (await bulk.poll(statusUrl)).done.body as Manifest;
    expect(manifest.output.length).toBeGreaterThan((RESOURCES * TEXT_BYTES) / (10 * MIB));
    expect(manifest.output.reduce((sum, { count }) => sum + count, 0)).toBe(RESOURCES);
    const found = (await bulk.resources(manifest)).get('Organization')!;
    expect(new Set(found.map(({ id }) => id)).size).toBe(RESOURCES);
    expect(Math.max(...held!) - before).toBeLessThan(MOST_GROWTH_MIB);
    tookMs!.sort((left, right) => left - right);
    expect(tookMs![Math.floor(tookMs!.length * 0.95)]).toBeLessThan(500);
  });
});
