import { eachSeed, seedsOf } from '../../support/rounds.js';
import { DrawnHistory } from './drawn/memory-draws.js';

/** The night draws ten times as many as a full run. */
const ROUNDS_MS = 3_600_000;

it(
  'whatever happens, what the ledger calls filed or withdrawn is so in the chart, or waits for a person who is told why',
  async () => {
    await eachSeed('ehr-push-drawn-histories', seedsOf('ehr-push-drawn-histories', 3000), (seed) =>
      new DrawnHistory(seed).run(),
    );
  },
  ROUNDS_MS,
);
