import { BundleFuzz } from '../../support/bundle-fuzz.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

// As many as CI has time for; test/faults/slow runs ten thousand.
const ROUNDS = 250;

describe('mutated Bundles', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api' });
  });
  afterAll(() => gateway?.stop());

  it('are taken as a whole or refused as a whole, and never end in a fault of the service', async () => {
    const fuzz = await BundleFuzz.over(gateway, await gateway.createClient());
    const { accepted, refused, faults } = await fuzz.run(ROUNDS, 1);
    await fuzz.close();
    expect(faults).toEqual([]);
    expect([accepted, refused].every((count) => count > ROUNDS / 20)).toBe(true);
  });
});
