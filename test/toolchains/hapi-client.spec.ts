import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { buildHapi, hapi, LACKS_MAVEN, type ClientCall } from './hapi-program.js';
import { describeWith } from './toolchain.js';

describeWith(LACKS_MAVEN)('HAPI’s client', () => {
  let gateway: Gateway;
  let folder: string;
  let calls: ClientCall[];

  beforeAll(async () => {
    await buildHapi();
    folder = await mkdtemp(join(tmpdir(), 'sutura-hapi-'));
    const photo = join(folder, 'photo.jpg');
    await writeFile(photo, await drawWoundPhoto());
    gateway = await startGateway();
    const organizationId = await gateway.createOrganization();
    await gateway.admin('PATCH', `/organizations/${organizationId}`, { allowedHosts: ['ward.example'] });
    const { key } = await gateway.createKey(organizationId);
    calls = await hapi<ClientCall>('client', `${gateway.baseUrl}/fhir`, key, photo);
  }, 600_000);
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is answered as it expects, in JSON and in XML', () => {
    expect(calls.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('made at least sixty calls of a kind in each format', () => {
    for (const format of ['json', 'xml'])
      expect(calls.filter(({ call }) => call.startsWith(`${format}: `)).length).toBeGreaterThanOrEqual(60);
  });
});
