import { base } from '../../jest.config.mjs';
import { filesOf } from './tiers.mjs';

// `npm run test:faults` and `test:abuse` draw all of their random inputs, `test:nightly` ten times as many.
process.env.SUTURA_TEST_ROUNDS ??= 'full';

// One after another: the slow ones measure waits and recovery times of real processes.
export default {
  ...base,
  ...filesOf('unit', 'commit', 'slow', 'system'),
  maxWorkers: 1,
  testTimeout: 180_000,
  reporters: ['default', '<rootDir>/test/jest/as-they-end.cjs'],
};
