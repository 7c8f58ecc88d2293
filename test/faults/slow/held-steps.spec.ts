import { describeHeldSteps, type Fault } from '../held-steps.js';

const STEPS = 40;
const EVERY = Array.from({ length: STEPS }, (_, index) => index + 1);

const cuts = EVERY.flatMap((at): Fault[] => [
  { kind: 'cut', at, cut: 'before' },
  { kind: 'cut', at, cut: 'after' },
]);
const kills = EVERY.flatMap((at): Fault[] =>
  at % 2 === 0 ? [{ kind: 'kill', at, cut: at % 4 === 0 ? 'before' : 'after' }] : [],
);

describeHeldSteps([...cuts, ...kills]);
