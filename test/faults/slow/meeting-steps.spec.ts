import { describeHeldSteps, type Fault } from '../held-steps.js';
import { MEETINGS } from '../meeting-steps.js';

/** Of the things that the gateway sends to its database for all of them together. */
const STEPS = Array.from({ length: 30 }, (_, index) => 1 + index * 4);

const cuts = STEPS.map((at, index): Fault => ({ kind: 'cut', at, cut: index % 2 === 0 ? 'before' : 'after' }));
const kills = STEPS.flatMap((at, index): Fault[] =>
  index % 4 === 0 ? [{ kind: 'kill', at, cut: index % 8 === 0 ? 'before' : 'after' }] : [],
);

describeHeldSteps([...cuts, ...kills], MEETINGS);
