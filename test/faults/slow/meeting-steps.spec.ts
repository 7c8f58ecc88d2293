import { describeHeldSteps, type Fault } from '../held-steps.js';
import { MEETINGS } from '../meeting-steps.js';

const STEPS = 24;
const EVERY = Array.from({ length: STEPS }, (_, index) => index + 1);

const cuts = EVERY.map((at): Fault => ({ kind: 'cut', at, cut: at % 2 === 0 ? 'before' : 'after' }));
const kills = EVERY.flatMap((at): Fault[] =>
  at % 5 === 0 ? [{ kind: 'kill', at, cut: at % 2 === 0 ? 'before' : 'after' }] : [],
);

describeHeldSteps([...cuts, ...kills], MEETINGS);
