import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundle, Device, DocumentReference, Observation } from '@medplum/fhirtypes';
import { expectStatus, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, testModelsFolder, type Gateway } from '../../support/gateway.js';
import { TEST_MODEL, TEST_TISSUE_MODEL, writeTestModel, writeTestTissueModel } from '../../support/test-model.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const GUIDE = 'http://hl7.org/fhir/uv/aitransparency';
const CARDS = `DocumentReference?type=${GUIDE}/CodeSystem/AImodelCardCS|AIModelCard`;
const CARD = '# A drawing <script>alert(1)</script>\n\nÜberall „gezeichnet“.\n';

describe('the cards of models', () => {
  let dataDir: string;
  let gateway: Gateway;
  let client: ApiClient;
  const fileOf = (model: string, name: string) => join(testModelsFolder(dataDir), model, name);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-cards-'));
    await writeTestModel(testModelsFolder(dataDir));
    await writeTestTissueModel(testModelsFolder(dataDir));
    await writeFile(fileOf(TEST_MODEL, 'MODEL_CARD.md'), CARD);
    await writeFile(fileOf(TEST_TISSUE_MODEL, 'MODEL_CARD.md'), Buffer.alloc(5_000_000, '# <b>'));
    gateway = await startGateway({ dataDir, env: { SUTURA_SEGMENTATION_MODEL: TEST_MODEL } });
    client = await gateway.createClient();
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const read = async <T>(path: string, by = client): Promise<T> =>
    expectStatus(200, await by.request('GET', `/fhir/R4/${path}`)).body as T;
  const linked = async (by = client): Promise<string[]> => {
    const { body } = expectStatus(200, await by.request('GET', '/api/v1/models'));
    return (body.items as { links: { fhirModelCard: string } }[]).map(({ links }) => links.fhirModelCard);
  };
  const idOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
  const textOf = ({ content }: DocumentReference) =>
    Buffer.from(content![0]!.attachment!.data!, 'base64').toString('utf8');

  describe('are refused', () => {
    it('to who has no key, or one that may not read', async () => {
      const [url] = (await linked()) as [string, string];
      const path = new URL(url).pathname;
      expectStatus(401, await client.request('GET', path, { key: null }));
      const { key } = await gateway.createKey(await gateway.createOrganization(), 'test', ['images:write']);
      expectStatus(404, await client.request('GET', path, { key }));
    });

    it('to who changes one, by a PUT, a patch, criteria or a Bundle', async () => {
      const [url] = (await linked()) as [string, string];
      const path = `DocumentReference/${idOf(url)}`;
      const card = await read<DocumentReference>(path);
      const changed = { ...card, description: 'Cleared', meta: undefined };
      const put = (at: string) => client.request('PUT', `/fhir/R4/${at}`, { json: changed });
      expectStatus(422, await put(path));
      expectStatus(422, await put(`DocumentReference?_id=${card.id!}`));
      const patch = {
        json: { status: 'entered-in-error' },
        headers: { 'content-type': 'application/merge-patch+json' },
      };
      expectStatus(422, await client.request('PATCH', `/fhir/R4/${path}`, patch));
      const entry = { resource: changed, request: { method: 'PUT', url: path } };
      const bundle = { resourceType: 'Bundle', type: 'transaction', entry: [entry] };
      expectStatus(422, await client.request('POST', '/fhir/R4', { json: bundle }));
      expectStatus(405, await client.request('DELETE', `/fhir/R4/${path}`));
      expect(await read(path)).toEqual(card);
    });

    it('to who takes the id of one beforehand, or passes a document off as one', async () => {
      const fresh = await gateway.createClient();
      const [url] = (await linked()) as [string, string];
      const card = await read<DocumentReference>(`DocumentReference/${idOf(url)}`);
      const forged = { ...card, description: 'Forged' };
      const path = `/fhir/R4/DocumentReference/${card.id!}`;
      expectStatus(405, await fresh.request('PUT', path, { json: { ...forged, meta: undefined } }));
      expectStatus(422, await fresh.request('POST', '/fhir/R4/DocumentReference', { json: forged }));
      expect(await read(`DocumentReference/${card.id!}`, fresh)).toMatchObject({ description: card.description });
    });
  });

  it('are no photo that a finding could be about', async () => {
    const [url] = (await linked()) as [string, string];
    const patient = { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'P-7' }] };
    const { body } = expectStatus(201, await client.request('POST', '/fhir/R4/Patient', { json: patient }));
    const pain = {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'https://sutura.dev/fhir/CodeSystem/wound-observation', code: 'pain-nrs' }] },
      subject: { reference: `Patient/${body.id as string}` },
      derivedFrom: [{ reference: `DocumentReference/${idOf(url)}` }],
      valueInteger: 3,
    };
    expectStatus(201, await client.request('POST', '/fhir/R4/Observation', { json: pain }));
  });

  it('are the bytes of the maker, behind the link of the model and that of its Device', async () => {
    const [url] = (await linked()) as [string, string];
    const card = await read<DocumentReference>(`DocumentReference/${idOf(url)}`);
    expect(textOf(card)).toBe(CARD);
    expect(card.content![0]!.attachment).toMatchObject({
      contentType: 'text/markdown',
      size: Buffer.byteLength(CARD),
      hash: createHash('sha1').update(CARD).digest('base64'),
    });
    const device = await read<Device>('Device/wound-segmentation-0.0.1');
    expect(device.extension).toContainEqual({
      url: `${GUIDE}/StructureDefinition/aitransparency.modelCardDescription`,
      valueReference: { reference: `DocumentReference/${card.id!}` },
    });
  });

  it('are made from the manifest where the maker’s is too long', async () => {
    const [, url] = (await linked()) as [string, string];
    const card = await read<DocumentReference>(`DocumentReference/${idOf(url)}`);
    expect(textOf(card)).toContain('longer than 64 KiB');
    expect(textOf(card)).not.toContain('<b>');
  });

  it('are found by type, id, identifier and text, the same in every organization and environment', async () => {
    const ids = (await linked()).map(idOf).sort();
    const { sha256 } = JSON.parse(await readFile(fileOf(TEST_MODEL, 'manifest.json'), 'utf8')) as { sha256: string };
    for (const by of [client, await gateway.createClient(), await gateway.createClient('enterprise', 'live')]) {
      const found = async (query: string) =>
        ((await read<Bundle>(query, by)).entry ?? []).map(({ resource }) => resource!.id!).sort();
      expect(await found(CARDS)).toEqual(ids);
      expect(await found(`DocumentReference?_id=${ids[0]!}`)).toEqual([ids[0]]);
      const weights = `https://sutura.dev/fhir/sid/model-weights|${sha256}`;
      expect(await found(`DocumentReference?identifier=${weights}`)).toHaveLength(1);
      expect(await found('DocumentReference?description=card%20of%20the%20model')).toEqual(ids);
      expect(await found('DocumentReference?patient=Patient/none')).toEqual([]);
    }
  });

  it('are reached from a result, by its Device', async () => {
    const subject = { patientId: 'P-1', woundId: 'W-1' };
    const { links } = await client.analyse(await drawSmallWoundPhoto({ seed: 3 }), { subject });
    const path = `/fhir/R4/Observation/${idOf(links.report as string)}-area`;
    await eventually('the report is shown', async () => (await client.request('GET', path)).status === 200);
    const area = (await client.request('GET', path)).body as Observation;
    const device = await read<Device>(area.device!.reference!);
    const card = device.extension!.find(({ url }) => url.endsWith('modelCardDescription'))!.valueReference!;
    expect(textOf(await read<DocumentReference>(card.reference!))).toBe(CARD);
  });
});
