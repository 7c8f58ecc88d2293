import { readFileSync } from 'node:fs';
import { BundleFuzz } from '../../support/bundle-fuzz.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { seedsOf } from '../../support/rounds.js';

const STEPS = 10;

/** Above what a gateway holds after its first rounds: room for what the collector has not come to yet. */
const MOST_GROWTH = 1.4;

/** Resident memory in pages (Linux). */
const residentPages = (pid: number): number => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);

describe('ten thousand mutated Bundles', () => {
  let gateway: Gateway;
  let fuzz: BundleFuzz;
  const pages: number[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ roles: 'api' });
    fuzz = await BundleFuzz.over(gateway, await gateway.createClient());
  });
  afterAll(async () => {
    await fuzz?.close();
    await gateway?.stop();
  });

  it.each(Array.from({ length: STEPS }, (_, step) => step * 1000 + 1))(
    'from seed %i on are taken as a whole or refused as a whole, and never end in a fault of the service',
    async (first) => {
      const seeds = seedsOf('bundle-fuzz', 100, first);
      const { accepted, faults } = await fuzz.run(seeds);
      expect(faults).toEqual([]);
      expect(accepted).toBeGreaterThan(seeds.length / 20);
      pages.push(residentPages(gateway.process.pid));
    },
    900_000,
  );

  it('leave the gateway as large as it was after the first two thousand', () => {
    expect(pages.at(-1)! / pages[1]!).toBeLessThan(MOST_GROWTH);
  });
});
