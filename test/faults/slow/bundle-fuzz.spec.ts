import { BundleFuzz } from '../../support/bundle-fuzz.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const ROUNDS = 10_000;
const STEP = 1000;

describe('ten thousand mutated Bundles', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api' });
  }, 90_000);
  afterAll(() => gateway?.stop());

  it('are taken as a whole or refused as a whole, and never end in a fault of the service', async () => {
    const fuzz = await BundleFuzz.over(gateway, await gateway.createClient());
    const faults: string[] = [];
    for (let seed = 1; seed <= ROUNDS; seed += STEP) faults.push(...(await fuzz.run(STEP, seed)).faults);
    await fuzz.close();
    expect(faults).toEqual([]);
  }, 1_800_000);
});
