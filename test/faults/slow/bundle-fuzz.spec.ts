import { BundleFuzz } from '../../support/bundle-fuzz.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const ROUNDS = 10_000;
const STEP = 1000;

describe('ten thousand mutated Bundles', () => {
  let gateway: Gateway;
  let fuzz: BundleFuzz;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api' });
    fuzz = await BundleFuzz.over(gateway, await gateway.createClient());
  }, 90_000);
  afterAll(async () => {
    await fuzz?.close();
    await gateway?.stop();
  });

  it.each(Array.from({ length: ROUNDS / STEP }, (_, step) => step * STEP + 1))(
    'from seed %i on are taken as a whole or refused as a whole, and never end in a fault of the service',
    async (seed) => {
      const { accepted, faults } = await fuzz.run(STEP, seed);
      expect(faults).toEqual([]);
      expect(accepted).toBeGreaterThan(STEP / 20);
    },
    900_000,
  );
});
