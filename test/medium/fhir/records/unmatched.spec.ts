import type { Media, ServiceRequest } from '@medplum/fhirtypes';
import type { HeldItem } from '../../../../src/core/held/held-item.js';
import type { HeldPage } from '../../../../src/core/held/held-source.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { UnmatchedRecordsSource } from '../../../../src/doors/fhir/records/unmatched-records.source.js';
import { UnmatchedRecords } from '../../../../src/standards/fhir/store/unmatched-records.js';
import { queryDatabase } from '../../../support/database-query.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf } from '../../../support/intake-resources.js';

const ALL: HeldPage = { reason: null, olderThanS: null, after: null, limit: 100 };
const NUMBER = { system: 'urn:oid:1.2.3.4.5.7', value: 'O-1' };

let ground: IntakeGround;
let caller: Caller;
let person: string;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
  person = (await ground.post(caller, patientOf())).resource.id!;
  await sql(`update organizations set unmatched_from = '-infinity' where id = $1`);
});

const sql = (statement: string) => queryDatabase(ground.database.url, statement, [caller.organizationId]);
/** All that has come so far came so many minutes earlier. */
async function age(minutes: number): Promise<void> {
  const earlier = `interval '${minutes} minutes' where organization_id = $1`;
  await sql(`update images set stored_at = stored_at - ${earlier}`);
  await sql(`update analysis_requests set created_at = created_at - ${earlier}`);
}
const source = () => new UnmatchedRecordsSource(new UnmatchedRecords(), ground.get(UnitOfWork));
const listed = (page: Partial<HeldPage> = {}): Promise<readonly HeldItem[]> =>
  ground.get(UnitOfWork).inTenant(caller, (transaction) => source().open(transaction, { ...ALL, ...page }));
const reasons = async () => (await listed()).map(({ reason }) => reason);
const send = async (more: Partial<Media> = {}, seed = 1) =>
  (await ground.post(caller, mediaOf({ data: await photoData(seed) }, { patientId: person }, more))).resource;
const place = async (more: Partial<ServiceRequest> = {}) => (await ground.post(caller, orderOf(person, more))).resource;
const DAY = 1440;

describe('what has not met', () => {
  it('is not listed before its time, nor where the organization wants no list, nor from before there was one', async () => {
    await send();
    await place();
    await age(DAY - 1);
    expect(await listed()).toEqual([]);
    await age(2);
    expect(await listed()).toHaveLength(2);
    await sql('update organizations set unmatched_after_minutes = null where id = $1');
    expect(await listed()).toEqual([]);
    await sql('update organizations set unmatched_after_minutes = 1, unmatched_from = now() where id = $1');
    expect(await listed()).toEqual([]);
  });

  it('is listed after the time that the organization sets', async () => {
    await sql('update organizations set unmatched_after_minutes = 30 where id = $1');
    const order = await place({ identifier: [NUMBER] });
    await age(31);
    expect(await listed()).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^order_without_photo\.[0-9a-f-]{36}$/),
        reason: 'order_without_photo',
        door: 'fhir',
        actions: ['wait'],
        waitsFor: expect.stringContaining('The photo of this order has not come.'),
        came: expect.objectContaining({ orders: [order.id], patientIds: [person] }),
      }),
    ]);
  });

  it.each([
    ['no order at all', {}, 'This photo names no order'],
    [
      'an order that is not here',
      { basedOn: [{ identifier: NUMBER }] },
      'No active order of a wound assessment with the number',
    ],
  ] as const)('is a photo that names %s', async (_, more, words) => {
    const photo = await send(more as Partial<Media>);
    await age(DAY + 1);
    const [item, ...others] = await listed();
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      reason: 'photo_without_order',
      came: { imageIds: [photo.id], resources: [`Media/${photo.id}`] },
    });
    expect(item?.waitsFor).toContain(words);
  });

  it('is a photo of an order that was cancelled before it came; the order is not', async () => {
    const order = await place({ identifier: [NUMBER] });
    await ground.put(caller, { ...order, status: 'revoked' });
    await send({ basedOn: [{ reference: `ServiceRequest/${order.id}` }] });
    await age(DAY + 1);
    const items = await listed();
    expect(items.map(({ reason }) => reason)).toEqual(['photo_without_order']);
    expect(items[0]?.waitsFor).toContain('it was cancelled');
  });

  it('leaves the list once the other comes', async () => {
    await send({ basedOn: [{ identifier: NUMBER }] as Media['basedOn'] });
    await age(DAY + 1);
    expect(await reasons()).toEqual(['photo_without_order']);
    await place({ identifier: [NUMBER] });
    await age(DAY + 1);
    expect(await listed()).toEqual([]);
    await place();
    await age(DAY + 1);
    expect(await reasons()).toEqual(['order_without_photo']);
  });

  it('is neither an order for a day to come, nor one on hold', async () => {
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString();
    await place({ occurrenceDateTime: inTwoDays });
    await place({ occurrencePeriod: { start: inTwoDays.slice(0, 10) } });
    const held = await place();
    await ground.put(caller, { ...held, status: 'on-hold' });
    await age(DAY + 1);
    expect(await listed()).toEqual([]);
  });

  it('is no photo that was analysed, came twice of which one was, or was entered in error', async () => {
    const wrong = await send({}, 3);
    await ground.put(caller, { ...wrong, status: 'entered-in-error' });
    const order = await place();
    await send({ basedOn: [{ reference: `ServiceRequest/${order.id}` }] });
    await send({});
    await age(DAY + 1);
    expect(await listed()).toEqual([]);
  });

  it('is no other tenant’s', async () => {
    await send();
    await age(DAY + 1);
    const [item] = await listed();
    const other = await ground.createCaller();
    const seen = await ground
      .get(UnitOfWork)
      .inTenant(other, async (transaction) => [
        await source().find(transaction, item!.id),
        ...(await source().open(transaction, ALL)),
      ]);
    expect(seen).toEqual([null]);
  });

  it.each(['photo_without_order', 'photo_without_order.1', 'nothing.0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3d', `'; --`])(
    'has no item with the id %s',
    async (id) => {
      expect(await ground.get(UnitOfWork).inTenant(caller, (transaction) => source().find(transaction, id))).toBeNull();
    },
  );
});

describe('the list of what has not met', () => {
  it('is read a page at a time, oldest first', async () => {
    for (const seed of [1, 2]) {
      await send({}, seed);
      await place();
      await age(DAY);
    }
    await age(1);
    const all = await listed();
    expect(new Set(all.slice(0, 2).map(({ reason }) => reason)).size).toBe(2);
    const paged: string[] = [];
    for (let after: HeldPage['after'] = null; ;) {
      const [item] = await listed({ after, limit: 1 });
      if (item === undefined) break;
      paged.push(item.id);
      after = { since: item.since, id: item.id };
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    expect(paged).toHaveLength(4);
    const young = 1.5 * DAY * 60;
    expect(await listed({ reason: 'photo_without_order' })).toHaveLength(2);
    expect(await listed({ reason: 'photo_without_order', olderThanS: young })).toHaveLength(1);
  });

  it('counts for metrics what it lists', async () => {
    await send();
    await place();
    await age(DAY + 1);
    const counts = await ground.get(UnitOfWork).inSystem((transaction) => source().count(transaction));
    const own = counts.filter(({ organizationId }) => organizationId === caller.organizationId);
    expect(own.map(({ reason, items }) => [reason, items])).toEqual([
      ['order_without_photo', 1],
      ['photo_without_order', 1],
    ]);
  });

  it('is left by what a person takes off it, once; a photo that comes later is analysed as ever', async () => {
    const order = await place();
    await age(DAY + 1);
    const [item] = await listed();
    const resolution = { action: 'wait' } as const;
    await source().resolve(caller, item!, resolution, { name: 'operator', person: 'anna' });
    await expect(source().resolve(caller, item!, resolution, { name: 'other' })).rejects.toMatchObject({
      code: 'held.not_found',
    });
    expect(await listed()).toEqual([]);
    expect(await sql('select dismissed_by, person from unmatched_dismissals where organization_id = $1')).toEqual([
      { dismissed_by: 'operator', person: 'anna' },
    ]);
    await send({ basedOn: [{ reference: `ServiceRequest/${order.id}` }] });
    expect(await ground.jobs(caller)).toHaveLength(1);
  });
});
