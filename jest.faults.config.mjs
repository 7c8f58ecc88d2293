import { base } from './jest.config.mjs';

// Rounds as at night, unless others are asked for.
process.env.SUTURA_TEST_ROUNDS ??= 'night';

// All fault tests, the slow ones included, one after another: they measure recovery times on real processes.
export default { ...base, maxWorkers: 1, testRegex: 'test/faults/.*\\.spec\\.ts$', testTimeout: 180_000 };
