import { base } from './jest.config.mjs';

// All fault tests, the slow ones included, one after another: they measure recovery times on real processes.
export default { ...base, maxWorkers: 1, testRegex: 'test/faults/.*\\.spec\\.ts$', testTimeout: 180_000 };
