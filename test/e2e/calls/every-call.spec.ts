import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../support/command-line.js';
import { serveApplication } from '../../support/served-application.js';
import { ACCESS_ROWS } from './access.rows.js';
import { ADMINISTRATION_ROWS } from './administration.rows.js';
import { DELIVERY_COMMAND_ROWS } from './delivery-commands.rows.js';
import { DOOR_ROWS, REFUSED_METHODS } from './doors.rows.js';
import { HL7_COMMAND_ROWS } from './hl7-commands.rows.js';
import { HL7_ROUTE_ROWS } from './hl7-routes.rows.js';
import { KEEPING_ROWS } from './keeping.rows.js';
import { LAUNCH_ROWS } from './launch.rows.js';
import { NATIVE_ROWS } from './native.rows.js';
import { RECORDS_ROWS } from './records.rows.js';
import { REWIND_ROWS } from './rewind.rows.js';
import { SENDING_ROWS } from './sending.rows.js';

const COMMAND_TABLES: Readonly<Record<string, readonly { readonly name: string }[]>> = {
  access: ACCESS_ROWS,
  'delivery-commands': DELIVERY_COMMAND_ROWS,
  'hl7-commands': HL7_COMMAND_ROWS,
  keeping: KEEPING_ROWS,
  records: RECORDS_ROWS,
  rewind: REWIND_ROWS,
};
const ROUTE_TABLES: Readonly<Record<string, readonly { readonly route: string }[]>> = {
  administration: ADMINISTRATION_ROWS,
  doors: [...DOOR_ROWS, ...REFUSED_METHODS.map((route) => ({ route }))],
  'hl7-routes': HL7_ROUTE_ROWS,
  launch: LAUNCH_ROWS,
  native: NATIVE_ROWS,
  sending: SENDING_ROWS,
};

const calledCommands = Object.values(COMMAND_TABLES).flatMap((rows) => rows.map(({ name }) => name));
const calledRoutes = Object.values(ROUTE_TABLES).flatMap((rows) => rows.map(({ route }) => route));

/** What is called and does not exist, exists and is not called, or is called by two rows. */
function compare(called: readonly string[], existing: readonly string[]) {
  return {
    withoutRow: existing.filter((name) => !called.includes(name)),
    unknown: called.filter((name) => !existing.includes(name)),
    twice: called.filter((name, index) => called.indexOf(name) !== index),
  };
}
const NOTHING_AMISS = { withoutRow: [], unknown: [], twice: [] };

it('calls every command of the usage, and no other', async () => {
  const { code, out } = await runCommand(['--help'], {});
  const commands = [...out.matchAll(/^ {2}([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)/gm)].map(([, name]) => name!);
  expect([code, commands.length > 70]).toEqual([0, true]);
  expect(compare(calledCommands, commands)).toEqual(NOTHING_AMISS);
});

it('shows the usage whatever the settings are', async () => {
  expect(await runCommand(['hl7', 'listener', '--help'], { SUTURA_ROLES: 'burnt' })).toMatchObject({
    code: 0,
    err: '',
  });
});

it('calls every route of the router, and no other', async () => {
  const application = await serveApplication();
  await application.close();
  // HEAD goes with every GET.
  const routes = application.routes.filter((route) => !route.startsWith('HEAD '));
  expect(routes.length).toBeGreaterThan(150);
  expect(compare(calledRoutes, routes)).toEqual(NOTHING_AMISS);
});

it('has each table called by the spec beside it', () => {
  const tables = readdirSync(__dirname).flatMap((file) => /^(.+)\.rows\.ts$/.exec(file)?.[1] ?? []);
  expect(tables.sort()).toEqual([...Object.keys(COMMAND_TABLES), ...Object.keys(ROUTE_TABLES)].sort());
  for (const table of tables) {
    const spec = join(__dirname, `${table}.spec.ts`);
    const calls = table in COMMAND_TABLES ? 'callCommands(' : 'callRoutes(';
    expect([table, existsSync(spec) && readFileSync(spec, 'utf8').includes(calls)]).toEqual([table, true]);
  }
});
