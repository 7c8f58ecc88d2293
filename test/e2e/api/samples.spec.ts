import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expectStatus, type Answer } from '../../support/api-client.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const FOLDER = resolve(__dirname, '../../../samples');

describe('the samples of a running service', () => {
  it('are not for a key without analysis:read, and no text of a caller leads out of their folder', async () => {
    const gateway = await sharedGateway();
    const client = await gateway.createClient();
    for (const name of [
      'burnt',
      '..%2fpackage.json',
      '..%2Fsamples%2Fclean-wound',
      'clean-wound.jpg',
      'samples.json',
      'CLEAN-WOUND',
      '%00',
    ]) {
      const { status, body } = await client.request('GET', `/api/v1/samples/${name}`);
      expect([name, status, body.code]).toEqual([name, 404, 'sample.not_found']);
    }
    const organization = await gateway.createOrganization('enterprise');
    const { key } = await gateway.createKey(organization, 'test', ['images:write', 'analysis:write']);
    for (const path of ['/api/v1/samples', '/api/v1/samples/clean-wound']) {
      const refused = await client.request('GET', path, { key });
      expect([refused.status, refused.body.code]).toEqual([403, 'auth.scope']);
    }
  });

  it('are listed with their digests and with what was seen of them, and are the bytes of the list', async () => {
    const client = await (await sharedGateway()).createClient();
    const { body } = expectStatus(200, await client.request('GET', '/api/v1/samples'));
    const items = body.items as Answer['body'][];
    expect(items).toHaveLength(24);
    // The gateway of the tests has a model of its own.
    expect(body).toMatchObject({ nextCursor: null, seenWithActiveModels: false });
    expect(items.find(({ name }) => name === 'damaged')).toMatchObject({
      seen: { job: 'refused', refusedWith: 'image.damaged' },
    });
    for (const { sha256, sizeBytes, links, name } of items.slice(0, 3)) {
      const photo = expectStatus(200, await client.request('GET', links.photo as string));
      expect(photo.headers.get('content-type')).toBe('image/jpeg');
      expect([photo.bytes.length, createHash('sha256').update(photo.bytes).digest('hex')]).toEqual([sizeBytes, sha256]);
      expect(photo.bytes).toEqual(readFileSync(`${FOLDER}/${name as string}.jpg`));
      const headers = { 'if-none-match': photo.headers.get('etag')! };
      expect((await client.request('GET', links.photo as string, { headers })).status).toBe(304);
    }
  });
});
