// npm run bench -- --scenario all|s1,s2,… --secs N --rounds N [--jobs N] [--model NAME] [--consoles N] [--write-baseline]
import { parseArgs } from 'node:util';
import { startPostgres } from './lib/postgres-server.mjs';
import { describeMachine, isWorseThanBaseline, keep, toRow, writeBaseline } from './lib/report.mjs';
import { s1 } from './scenarios/s1-images-per-second.mjs';
import { s2 } from './scenarios/s2-added-latency.mjs';
import { s3 } from './scenarios/s3-create.mjs';
import { s4 } from './scenarios/s4-poll.mjs';
import { s5 } from './scenarios/s5-fhir-create.mjs';
import { s6 } from './scenarios/s6-fhir-transaction.mjs';
import { s7 } from './scenarios/s7-mllp.mjs';
import { s8 } from './scenarios/s8-documents.mjs';
import { s8Timeline } from './scenarios/s8-timeline.mjs';
import { s9 } from './scenarios/s9-growth.mjs';
import { s9Search } from './scenarios/s9-fhir-search.mjs';
import { s10 } from './scenarios/s10-workers.mjs';
import { s10OwnCores } from './scenarios/s10-own-cores.mjs';
import { s11 } from './scenarios/s11-start-up.mjs';
import { s12 } from './scenarios/s12-webhooks.mjs';
import { s13 } from './scenarios/s13-inference-engine.mjs';
import { s14 } from './scenarios/s14-tokens.mjs';
import { s15Photos, s15Transactions } from './scenarios/s15-encryption.mjs';
import { s16 } from './scenarios/s16-webhooks-added.mjs';
import { s17 } from './scenarios/s17-console.mjs';
import { s18 } from './scenarios/s18-database-size.mjs';
import { s19 } from './scenarios/s19-feed.mjs';
import { s20 } from './scenarios/s20-cards.mjs';
import { s21 } from './scenarios/s21-hapi.mjs';
import { s22 } from './scenarios/s22-push.mjs';
import { rls } from './scenarios/rls-poll-cost.mjs';

const SCENARIOS = [
  s1,
  s2,
  s3,
  s4,
  s5,
  s6,
  s7,
  s8,
  s8Timeline,
  s9,
  s9Search,
  s10,
  s10OwnCores,
  s11,
  s12,
  s13,
  s14,
  s15Photos,
  s15Transactions,
  s16,
  s17,
  s18,
  s19,
  s20,
  s21,
  s22,
  rls,
];
const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'all' },
    secs: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    jobs: { type: 'string', default: '1000000' },
    consoles: { type: 'string', default: '0' },
    model: { type: 'string', default: 'fast' },
    'write-baseline': { type: 'boolean', default: false },
  },
});

function chosenScenarios() {
  // Each of these needs a program that somebody installed.
  const needs = { s13: 'SUTURA_TRITON_PYTHON', s21: 'SUTURA_BENCH_HAPI_URL' };
  const all = SCENARIOS.filter(({ id }) => !(id in needs) || process.env[needs[id]] !== undefined);
  if (values.scenario === 'all') return all;
  return values.scenario.split(',').map((id) => {
    const found = SCENARIOS.find((scenario) => scenario.id === id.trim().toLowerCase());
    if (found === undefined)
      throw new Error(`No scenario ${id}. There are: ${SCENARIOS.map((scenario) => scenario.id).join(', ')}.`);
    return found;
  });
}

/** Runs one scenario and says whether it is as it should be; a fault in it is a failure, and the next one still runs. */
async function runScenario(scenario, context, machine) {
  try {
    const outcome = await scenario.run(context);
    const { secs, rounds } = context;
    console.log(toRow(scenario, outcome));
    keep(scenario, outcome, machine, { secs, rounds });
    if (values['write-baseline']) writeBaseline(scenario, outcome);
    const worse = isWorseThanBaseline(scenario, outcome);
    if (worse) console.log('     worse than the baseline → FAIL');
    return outcome.passed && !worse;
  } catch (fault) {
    console.log(`${scenario.id.padEnd(4)} ${scenario.name.padEnd(24)} FAIL: ${fault.stack ?? fault}`);
    return false;
  }
}

const scenarios = chosenScenarios();
const machine = describeMachine();
console.log(JSON.stringify(machine));
const postgres = await startPostgres();
const context = {
  postgres,
  secs: Number(values.secs),
  rounds: Number(values.rounds),
  jobs: Number(values.jobs),
  consoles: Number(values.consoles),
  model: values.model,
};
let failures = 0;
for (const scenario of scenarios) if (!(await runScenario(scenario, context, machine))) failures += 1;
await postgres.stop();
console.log(`${scenarios.length - failures} scenarios as required, ${failures} not`);
process.exit(failures === 0 ? 0 : 1);
