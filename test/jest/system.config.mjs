import { base } from '../../jest.config.mjs';
import { filesOf } from './tiers.mjs';

export default { ...base, ...filesOf('system') };
