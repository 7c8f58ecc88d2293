import type { Media } from '@medplum/fhirtypes';
import { AnalysisRequestService } from '../../../../src/core/analysis/analysis-request.service.js';
import { RemoteImageService, type FetchFailure } from '../../../../src/core/remote-images/remote-image.service.js';
import { ImageService } from '../../../../src/core/images/image.service.js';
import { Clock } from '../../../../src/core/ports/clock.js';
import { IdSource } from '../../../../src/core/ports/id-source.js';
import { Digest } from '../../../../src/core/ports/digest.js';
import { ImageRepository } from '../../../../src/core/images/image.repository.js';
import { ObjectStore } from '../../../../src/core/images/object-store.js';
import { OrganizationRepository } from '../../../../src/core/organizations/organization.repository.js';
import { Outbox } from '../../../../src/core/domain-events/outbox.js';
import { RemoteImageRepository } from '../../../../src/core/remote-images/remote-image.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { GuardedImageSource } from '../../../../src/storage/fetch/guarded-image.source.js';
import { AddressGuard, networksOf } from '../../../../src/platform/http-client/address-guard.js';
import { findPointedPhotos } from '../../../../src/doors/hl7v2/inbox/store/pointed-photos.js';
import { SystemStatements } from '../../../../src/platform/database/statements.js';
import { queryDatabase } from '../../../support/database-query.js';
import { eventually } from '../../../support/eventually.js';
import { ImageHost } from '../../../support/image-host.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf } from '../../../support/intake-resources.js';
import { drawWoundPhoto } from '../../../support/wound-photo.js';

const NAME = 'images.test';

let ground: IntakeGround;
let host: ImageHost;
let caller: Caller;
let fetching: RemoteImageService;
const failures: FetchFailure[] = [];

beforeAll(async () => {
  [ground, host] = [await IntakeGround.open(), await ImageHost.start([NAME])];
  const source = new GuardedImageSource({
    guard: new AddressGuard(networksOf(['127.0.0.1/32']), () => Promise.resolve(['127.0.0.1'])),
    timeoutMs: 5000,
    ca: host.ca,
  });
  const get = ground.get.bind(ground);
  const ports = {
    unitOfWork: get(UnitOfWork),
    images: get(ImageRepository),
    organizations: get(OrganizationRepository),
    remote: get(RemoteImageRepository),
    source,
    store: get(ObjectStore),
    digest: get(Digest),
    outbox: get(Outbox),
    clock: get(Clock),
    ids: get(IdSource),
    tell: (failure: FetchFailure) => void failures.push(failure),
  };
  fetching = new RemoteImageService(ports, get(ImageService), get(AnalysisRequestService), 1_000_000);
});
afterAll(async () => {
  await ground?.close();
  await host?.close();
});
beforeEach(async () => {
  host.answer = (_, response) => void response.writeHead(404).end();
  caller = await ground.createCaller('pro', { imageHosts: [`${NAME}:${host.port}`] });
});

const address = () => `https://${NAME}:${host.port}/photo.jpg`;
async function ordered(): Promise<string> {
  const person = (await ground.post(caller, patientOf())).resource.id!;
  const { resource } = await ground.post(
    caller,
    mediaOf({ url: address(), contentType: 'image/jpeg' }, { patientId: person }),
  );
  await ground.post(caller, orderOf(person, { supportingInfo: [{ reference: `Media/${resource.id}` }] }));
  return resource.id!;
}
const dueNow = () => queryDatabase(ground.database.url, 'update remote_images set next_try_at = now()');
const becameOf = async (id: string) =>
  (await findPointedPhotos(ground.get(SystemStatements), [{ pointedImageIds: [id] }])).get(id);
const kept = async (id: string) =>
  (
    await queryDatabase<{ url: string; nextTry: string }>(
      ground.database.url,
      `select url, initcap(next_try_at::text) as "nextTry" from remote_images where image_id = $1`,
      [id],
    )
  )[0];
const statuses = async () =>
  (await ground.tasks(caller)).map(({ status, statusReason }) => [status, statusReason?.coding?.[0]?.code]);

describe('a photo on a listed host', () => {
  it('is asked for only after the commit, and then once', async () => {
    const id = await ordered();
    expect(await becameOf(id)).toMatchObject({
      state: 'waiting',
      tries: 0,
      fault: null,
      nextTryAt: expect.any(Date) as Date,
    });
    expect([host.requested.length, await statuses()]).toEqual([0, [['received', undefined]]]);
    expect(await ground.find<Media>(caller, 'Media', id)).toMatchObject({
      status: 'preparation',
      content: { url: `Binary/${id}` },
    });
    const bytes = await drawWoundPhoto({ width: 160, height: 120 });
    host.answer = (_, response) => void response.writeHead(200).end(bytes);
    expect(await fetching.fetchDue()).toBe(1);
    expect(await fetching.fetchDue()).toBe(0);
    expect(await becameOf(id)).toEqual({ imageId: id, state: 'fetched', tries: 0, fault: null, nextTryAt: null });
    await ground.relay();
    expect(await ground.find<Media>(caller, 'Media', id)).toMatchObject({ status: 'completed', width: 160 });
    expect(await ground.jobs(caller)).toMatchObject([{ imageId: id }]);
    expect(await statuses()).toEqual([['accepted', undefined]]);
    expect(host.requested).toHaveLength(1);
  });

  it('that does not come is asked for again, and given up after the fifth time', async () => {
    const id = await ordered();
    host.answer = (_, response) => void response.writeHead(503).end();
    failures.length = 0;
    for (let tries = 0; tries < 4; tries += 1) {
      expect(await fetching.fetchDue()).toBe(1);
      await dueNow();
    }
    expect(await becameOf(id)).toMatchObject({ state: 'waiting', tries: 4, fault: 'status 503' });
    await ground.relay();
    expect(await statuses()).toEqual([['received', undefined]]);
    await fetching.fetchDue();
    await ground.relay();
    expect(await statuses()).toEqual([['rejected', 'image-unavailable']]);
    expect(await ground.find<Media>(caller, 'Media', id)).toMatchObject({ status: 'not-done' });
    expect([await ground.count('remote_images', caller), await ground.jobs(caller), await kept(id)]).toEqual([
      1,
      [],
      { url: '', nextTry: 'Infinity' },
    ]);
    expect(await becameOf(id)).toEqual({
      imageId: id,
      state: 'failed',
      tries: 5,
      fault: 'status 503',
      nextTryAt: null,
    });
    expect(failures.map(({ tries, isGivenUp, reason }) => [tries, isGivenUp, reason])).toEqual(
      [1, 2, 3, 4, 5].map((tries) => [tries, tries === 5, 'status 503']),
    );
  });

  it.each([401, 403, 404, 410])('that the host answers %i for is asked for twice and given up', async (status) => {
    const id = await ordered();
    host.answer = (_, response) => void response.writeHead(status).end();
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await fetching.fetchDue()).toBe(1);
      await dueNow();
    }
    expect(await fetching.fetchDue()).toBe(0);
    expect(await becameOf(id)).toEqual({
      imageId: id,
      state: 'failed',
      tries: 2,
      fault: `status ${status}`,
      nextTryAt: null,
    });
    await ground.relay();
    expect(await statuses()).toEqual([['rejected', 'image-unavailable']]);
  });

  it('does not wait for hosts of another organization that say nothing', async () => {
    const silent: (() => void)[] = [];
    host.answer = (_, response) => void silent.push(() => response.destroy());
    const slow = caller;
    for (let count = 0; count < 8; count += 1)
      await ground.post(slow, mediaOf({ url: `${address()}?${count}`, contentType: 'image/jpeg' }));
    expect(await fetching.beginDue()).toBe(2);
    await eventually('two are asked for', () => silent.length === 2);
    expect(await fetching.beginDue()).toBe(0);
    caller = await ground.createCaller('pro', { imageHosts: [`${NAME}:${host.port}`] });
    const bytes = await drawWoundPhoto({ width: 160, height: 120 });
    host.answer = (_, response) => void response.writeHead(200).end(bytes);
    await ordered();
    expect(await fetching.beginDue()).toBe(1);
    await eventually('the photo is there', async () => (await ground.count('remote_images', caller)) === 0);
    expect(await ground.count('remote_images', slow)).toBe(8);
    for (const end of silent) end();
    await fetching.settled();
    await queryDatabase(ground.database.url, 'delete from remote_images');
  });

  it('that turns out to be none is given up at once', async () => {
    const id = await ordered();
    host.answer = (_, response) => void response.writeHead(200).end('<html>Log in</html>');
    await fetching.fetchDue();
    expect(await becameOf(id)).toMatchObject({ state: 'failed', tries: 1, fault: 'image.type' });
    await ground.relay();
    expect(await statuses()).toEqual([['rejected', 'image-type']]);
  });

  it('is not asked for once the operator has taken the host off the list', async () => {
    await ordered();
    await queryDatabase(ground.database.url, `update organizations set image_hosts = '{}' where id = $1`, [
      caller.organizationId,
    ]);
    host.requested.length = 0;
    await fetching.fetchDue();
    await ground.relay();
    expect(await statuses()).toEqual([['rejected', 'fhir-url-refused']]);
    expect(host.requested).toEqual([]);
  });

  it('that redirects inside is given up', async () => {
    await ordered();
    host.answer = (_, response) =>
      void response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data' }).end();
    await fetching.fetchDue();
    await ground.relay();
    expect(await statuses()).toEqual([['rejected', 'fhir-url-refused']]);
  });

  it('is another organization’s matter where only that has listed it', async () => {
    const stranger = await ground.createCaller();
    await expect(ground.post(stranger, mediaOf({ url: address() }))).rejects.toMatchObject({
      code: 'fhir.url_refused',
    });
    expect(await ground.count('images', stranger)).toBe(0);
  });
});
