import sharp from 'sharp';
import { CALIBRATION_CARDS, type CalibrationCard } from '../../../src/core/calibration/calibration-card.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { disc, photograph, printedCard, viewOf, type Light } from '../../support/card-scene.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const CARD = '/api/v1/calibration-card';
const PDF = `${CARD}.pdf`;
const SIZES = [
  { size: 'a4', barMm: 100, measuredBarMm: null, measuredAt: null },
  { size: 'credit-card', barMm: 80, measuredBarMm: null, measuredAt: null },
];
const NONE = { cards: SIZES, items: SIZES, nextCursor: null };
/** Red enough for the test model to call it wound. */
const RED: Light = [0.6, 0.02, 0.02];
const RADIUS_MM = 28;

/** A disc of 56 mm beside a card, which itself has a patch as red, seen at 35 degrees. */
async function drawPhoto(card: CalibrationCard, print = 1): Promise<Buffer> {
  const view = viewOf({
    width: 1200,
    height: 900,
    distanceMm: 290,
    tiltDegrees: 35,
    tiltAxisDegrees: 10,
    turnDegrees: 5,
    aimMm: [95, 80],
  });
  const { pixels, width, height } = await photograph(
    view,
    [disc([95, 20], 9, RED), printedCard(card, { print }), disc([95, 122], RADIUS_MM, RED)],
    { blur: 0.7, noise: 2, shade: 0.95 },
  );
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}

describe('the calibration card', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let keyWith: (...scopes: string[]) => Promise<ApiClient>;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
    const organizationId = await gateway.createOrganization();
    keyWith = async (...scopes) =>
      new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId, 'test', scopes)).key);
  });

  it('is not handed out without a key', async () => {
    expect((await client.request('GET', PDF, { key: null })).body).toMatchObject({ status: 401, code: 'auth.missing' });
    expect((await client.request('GET', PDF, { key: 'sut_test_x' })).body).toMatchObject({
      status: 401,
      code: 'auth.invalid',
    });
  });

  it.each([`${PDF}?size=a5`, `${PDF}?size=credit_card`, `${PDF}?size=a4&size=a4`, `${PDF}?paper=a4`])(
    'has no %s',
    async (path) => {
      expect((await client.request('GET', path)).body).toMatchObject({ status: 400, code: 'request.invalid' });
    },
  );

  it('is served as PDF only', async () => {
    expect((await client.request('GET', PDF, { headers: { accept: 'image/png' } })).body).toMatchObject({
      status: 406,
      code: 'request.not_acceptable',
    });
  });

  it.each([
    ['a bar of nothing', { size: 'a4', measuredBarMm: 0 }, '/measuredBarMm'],
    ['a bar far too short', { size: 'a4', measuredBarMm: 89.9 }, '/measuredBarMm'],
    ['a bar far too long', { size: 'a4', measuredBarMm: 110.1 }, '/measuredBarMm'],
    ['the other card’s bar', { size: 'credit-card', measuredBarMm: 100 }, '/measuredBarMm'],
    ['a text', { size: 'a4', measuredBarMm: '98' }, '/measuredBarMm'],
    ['no length', { size: 'a4' }, '/measuredBarMm'],
    ['an unknown size', { size: 'letter', measuredBarMm: 98 }, '/size'],
    ['no size', { measuredBarMm: 98 }, '/size'],
    ['a misspelt field', { size: 'a4', measuredBarMm: 98, unit: 'mm' }, '/unit'],
  ])('takes no measurement of %s', async (_, json, pointer) => {
    const { body } = await client.request('PUT', CARD, { json });
    expect(body).toMatchObject({ status: 400, code: 'request.invalid' });
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
    expect((await client.request('GET', CARD)).body).toEqual(NONE);
  });

  it('asks for the scopes of analyses where corrections are read or changed', async () => {
    const reader = await keyWith('analysis:read');
    const uploader = await keyWith('images:write');
    const change = { json: { size: 'a4', measuredBarMm: 99 } };
    expect((await uploader.request('GET', CARD)).body).toMatchObject({ status: 403, code: 'auth.scope' });
    expect((await reader.request('PUT', CARD, change)).body).toMatchObject({ status: 403, code: 'auth.scope' });
    expect((await reader.request('DELETE', CARD)).body).toMatchObject({ status: 403, code: 'auth.scope' });
    expect((await reader.request('GET', CARD)).body).toEqual(NONE);
  });

  it('comes to every key, both sizes or one, and not again where it is known', async () => {
    const uploader = await keyWith('images:write');
    const both = expectStatus(200, await uploader.request('GET', PDF, { headers: { accept: 'application/pdf' } }));
    expect(both.headers.get('content-type')).toBe('application/pdf');
    expect(both.headers.get('content-disposition')).toContain('calibration-card.pdf');
    expect(both.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const small = expectStatus(200, await uploader.request('GET', `${PDF}?size=credit-card`));
    expect(small.bytes.length).toBeLessThan(both.bytes.length);
    const again = await uploader.request('GET', PDF, { headers: { 'if-none-match': both.headers.get('etag')! } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('keeps one measurement for each size, for this environment of this organization only', async () => {
    const owner = await gateway.createClient();
    await owner.request('PUT', CARD, { json: { size: 'a4', measuredBarMm: 97 } });
    await owner.request('PUT', CARD, { json: { size: 'credit-card', measuredBarMm: 79.5 } });
    const put = expectStatus(200, await owner.request('PUT', CARD, { json: { size: 'a4', measuredBarMm: 98.5 } }));
    expect(put.body.cards).toMatchObject([
      { size: 'a4', measuredBarMm: 98.5 },
      { size: 'credit-card', measuredBarMm: 79.5 },
    ]);
    expect((await owner.request('GET', CARD)).body).toEqual(put.body);
    expect((await client.request('GET', CARD)).body).toEqual(NONE);
    expectStatus(204, await owner.request('DELETE', `${CARD}?size=credit-card`));
    expect((await owner.request('GET', CARD)).body.cards[1]).toMatchObject({ measuredBarMm: null, measuredAt: null });
    expectStatus(204, await owner.request('DELETE', CARD));
    expectStatus(204, await owner.request('DELETE', CARD));
    expect((await owner.request('GET', CARD)).body).toEqual(NONE);
  });

  it('gives a photo centimetres, seen from the side too, and a stored correction moves them', async () => {
    const owner = await gateway.createClient();
    const trueCm2 = (Math.PI * RADIUS_MM ** 2) / 100;
    const plain = (await owner.analyse(await drawPhoto(CALIBRATION_CARDS.a4))).result;
    expect(plain.scale).toMatchObject({
      source: 'marker',
      marker: { status: 'used', card: 'a4', markerIds: [15, 23] },
    });
    expect(plain.scale.uncertaintyPct).toBeLessThan(2);
    expect(plain.wounds[0].area.cm2.value / trueCm2).toBeCloseTo(1, 1);
    expect(plain.trace.cardBarMm).toBeNull();
    expect(plain.totals.woundCount).toBe(1);

    const shrunken = await drawPhoto(CALIBRATION_CARDS.a4, 0.92);
    const wrong = (await owner.analyse(shrunken)).result;
    expectStatus(200, await owner.request('PUT', CARD, { json: { size: 'a4', measuredBarMm: 92 } }));
    const right = (await owner.analyse(shrunken)).result;
    expect(right.trace.cardBarMm).toBe(92);
    expect(right.wounds[0].area.cm2.value / wrong.wounds[0].area.cm2.value).toBeCloseTo(0.92 ** 2, 2);
    expect(right.wounds[0].area.cm2.value / trueCm2).toBeCloseTo(1, 1);
  });

  it('gives way to a scale that the caller states', async () => {
    const { result } = await client.analyse(await drawPhoto(CALIBRATION_CARDS.a4), {
      calibration: { mmPerPixel: 0.5 },
    });
    expect(result.scale).toMatchObject({
      source: 'client',
      marker: { status: 'ignored', reason: 'client_scale_given' },
    });
    expect(result.quality.warnings).toContain('scale_mismatch');
  });
});
