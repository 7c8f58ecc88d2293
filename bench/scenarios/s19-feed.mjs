import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { updateMessages, PATIENTS } from '../lib/adt-messages.mjs';
import { endProcess, startFloor } from '../lib/child-program.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { openListener } from '../lib/hl7-listener.mjs';
import { loadMllp, sendOneByOne } from '../lib/load-mllp.mjs';
import { query } from '../lib/postgres-server.mjs';
import { median } from '../lib/statistics.mjs';
import { createTenants } from '../lib/tenants.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-mllp-insert.mjs');
const CONNECTIONS = 10;
const POOL = 16;
const WORKED_OFF_PER_S = 1000;
const ORIGINAL_P99_MS = 100;
const LOOK_MS = 20;

/** ADT^A08 of 500 known patients over ten connections: carried out before the answer in original mode, behind it in enhanced mode. */
export const s19 = {
  id: 's19',
  name: 'a feed of ADT^A08, worked off',
  unit: 'messages/s',
  goal: `at least ${WORKED_OFF_PER_S} a second worked off in both modes, p99 of original mode at most ${ORIGINAL_P99_MS} ms`,
  async run({ postgres, secs, rounds }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({
      databaseUrl,
      env: { SUTURA_ROLES: 'api,hl7', SUTURA_DATABASE_POOL: String(POOL) },
    });
    const [tenant] = await createTenants(gateway, 1);
    const port = await openListener(gateway, tenant);
    const floor = await startFloor(FLOOR, { databaseUrl, poolSize: POOL });
    await sendOneByOne({ port, count: PATIENTS, messageOf: updateMessages({ enhanced: false }), expected: 'AA' });
    const load = (to, expected, enhanced) =>
      loadMllp({ port: to, connections: CONNECTIONS, secs, messageOf: updateMessages({ enhanced }), expected });
    const [original, accepted, workedOff, bare] = [[], [], [], []];
    let acknowledged = PATIENTS;
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await gateway.pausedDuring(() => load(floor.port, 'CA', true)));
      original.push(await load(port, 'AA', false));
      const began = performance.now();
      const before = await endedIn(databaseUrl);
      accepted.push(await load(port, 'CA', true));
      acknowledged += original.at(-1).acknowledged + accepted.at(-1).acknowledged;
      await untilWorkedOff(databaseUrl);
      workedOff.push((((await endedIn(databaseUrl)) - before) / (performance.now() - began)) * 1000);
    }
    await assertWorkedOff(databaseUrl, acknowledged);
    await endProcess(floor.child, 'SIGKILL');
    await gateway.stop();
    const of = (runs, key) => median(runs.map((run) => run[key]));
    const floorPerSecond = of(bare, 'perSecond');
    const originalMode = { perSecond: of(original, 'perSecond'), p50: of(original, 'p50'), p99: of(original, 'p99') };
    const enhancedMode = { acceptedPerSecond: of(accepted, 'perSecond'), workedOffPerSecond: median(workedOff) };
    return {
      ours: originalMode.perSecond,
      floor: floorPerSecond,
      ratio: originalMode.perSecond / floorPerSecond,
      original: originalMode,
      enhanced: enhancedMode,
      passed:
        originalMode.perSecond >= WORKED_OFF_PER_S &&
        originalMode.p99 <= ORIGINAL_P99_MS &&
        enhancedMode.workedOffPerSecond >= WORKED_OFF_PER_S,
    };
  },
};

async function endedIn(databaseUrl) {
  const [{ ended }] = await query(
    databaseUrl,
    `select count(*)::int as ended from hl7_inbound where state <> 'received'`,
  );
  return ended;
}

async function untilWorkedOff(databaseUrl) {
  for (;;) {
    const [{ waiting }] = await query(
      databaseUrl,
      `select exists (select from hl7_inbound where state = 'received') as waiting`,
    );
    if (!waiting) return;
    await pause(LOOK_MS);
  }
}

/** Every acknowledged message is there once, and none failed; every patient has one record. */
async function assertWorkedOff(databaseUrl, acknowledged) {
  const [{ kept, failed, patients }] = await query(
    databaseUrl,
    `select count(*)::int as kept, (count(*) filter (where state not in ('processed', 'ignored')))::int as failed,
      (select count(*)::int from patients) as patients from hl7_inbound`,
  );
  if (kept !== acknowledged || failed > 0 || patients !== PATIENTS)
    throw new Error(
      `${acknowledged} messages were acknowledged, ${kept} are kept, ${failed} did not go well; ${patients} patients.`,
    );
}
