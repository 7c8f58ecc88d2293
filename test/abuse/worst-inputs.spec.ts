import { describeHostileCaller } from './hostile-caller.js';
import { WORST_INPUTS } from './hostile-inputs.js';

describeHostileCaller(WORST_INPUTS);
