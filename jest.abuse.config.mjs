import { base } from './jest.config.mjs';

// Rounds as at night, unless others are asked for.
process.env.SUTURA_TEST_ROUNDS ??= 'night';

// Everything that a hostile caller does, the long rounds included, one after another: waits of others are measured.
export default { ...base, maxWorkers: 1, testRegex: 'test/abuse/.*\\.spec\\.ts$', testTimeout: 180_000 };
