import { describeHostileCaller } from '../hostile-caller.js';
import { HOSTILE_INPUTS } from '../hostile-inputs.js';

describeHostileCaller(HOSTILE_INPUTS);
