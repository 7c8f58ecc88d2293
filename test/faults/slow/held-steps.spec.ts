import { describeHeldSteps, type Fault } from '../held-steps.js';

/** Of the things that the gateway sends to its database for all of them together. */
const STEPS = Array.from({ length: 40 }, (_, index) => 1 + index * 4);

const cuts = STEPS.flatMap((at): Fault[] => [
  { kind: 'cut', at, cut: 'before' },
  { kind: 'cut', at, cut: 'after' },
]);
const kills = STEPS.flatMap((at, index): Fault[] =>
  index % 2 === 0 ? [{ kind: 'kill', at, cut: index % 4 === 0 ? 'before' : 'after' }] : [],
);

describeHeldSteps([...cuts, ...kills]);
