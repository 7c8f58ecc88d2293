import { describeHeldSteps } from './held-steps.js';

// A few steps; test/faults/slow has them all.
describeHeldSteps([
  { kind: 'cut', at: 4, cut: 'before' },
  { kind: 'cut', at: 9, cut: 'after' },
  { kind: 'kill', at: 6, cut: 'after' },
]);
