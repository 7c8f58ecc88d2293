import type { DiscoveryService } from '@nestjs/core';
import { provided } from './provided.js';

abstract class Probe {
  abstract readonly name: string;
}
class Disk extends Probe {
  readonly name = 'disk';
}
class Network extends Probe {
  readonly name = 'network';
}

const application = (...instances: unknown[]) => ({
  getProviders: () => instances.map((instance) => ({ instance })) as ReturnType<DiscoveryService['getProviders']>,
});

describe('what the modules of an application provide', () => {
  it('is refused where two modules provide the same: its work would be done twice', () => {
    expect(() => provided(application(new Disk(), new Disk()), Probe)).toThrow('Disk is provided by two modules');
  });

  it('is found by its kind, once each, whatever else there is', () => {
    const disk = new Disk();
    const found = provided(application(disk, 'text', null, undefined, new Date(0), disk, new Network()), Probe);
    expect(found.map(({ name }) => name)).toEqual(['disk', 'network']);
  });
});
