import { BundleFuzz } from '../../support/bundle-fuzz.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { seedsOf } from '../../support/rounds.js';

describe('mutated Bundles', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api' });
  });
  afterAll(() => gateway?.stop());

  it('are taken as a whole or refused as a whole, and never end in a fault of the service', async () => {
    const seeds = seedsOf('bundle-fuzz', 250);
    const fuzz = await BundleFuzz.over(gateway, await gateway.createClient());
    const { accepted, refused, faults } = await fuzz.run(seeds);
    await fuzz.close();
    expect(faults).toEqual([]);
    expect([accepted, refused].every((count) => count > seeds.length / 20)).toBe(true);
  });
});
