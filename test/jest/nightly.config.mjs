import { base } from '../../jest.config.mjs';
import { filesOf } from './tiers.mjs';

// One after another: the slow ones measure waits and recovery times of real processes.
export default { ...base, ...filesOf('unit', 'commit', 'slow', 'system'), maxWorkers: 1, testTimeout: 180_000 };
