import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WEBHOOK_ACTIONS } from '../../../src/doors/admin/webhooks/webhooks.actions.js';
import { EHR_ACTIONS } from '../../../src/doors/admin/ehrs/ehrs.actions.js';
import { ENCRYPTION_COMMANDS } from '../../../src/composition/encryption.commands.js';
import { HL7_ADMIN_GROUPS } from '../../../src/doors/admin/hl7v2/actions/hl7-groups.js';
import { AUDIT_ARCHIVE_COMMANDS } from '../../../src/doors/admin/audit/audit-archive.commands.js';
import { AUDIT_COMMANDS } from '../../../src/doors/admin/audit/audit.commands.js';
import type { CliCommand, CommandGroup } from '../../../src/platform/cli/cli-command.js';
import { runCli } from '../../../src/platform/cli/run-cli.js';
import { CLIENT_ACTIONS } from '../../../src/doors/admin/organizations/clients.actions.js';
import { KEY_ACTIONS } from '../../../src/doors/admin/organizations/keys.actions.js';
import { ORGANIZATION_ACTIONS, USAGE_ACTIONS } from '../../../src/doors/admin/organizations/organizations.actions.js';
import { DELIVERY_ACTIONS } from '../../../src/doors/admin/deliveries/deliveries.actions.js';
import { ERASURE_ACTIONS } from '../../../src/doors/admin/erasure/erasure.actions.js';
import { RETENTION_ACTIONS } from '../../../src/doors/admin/erasure/retention.actions.js';
import { RESEARCH_COMMANDS } from '../../../src/research/research.commands.js';
import { AUTHORITY_ACTIONS } from '../../../src/doors/admin/authorities/authorities.actions.js';
import { HELD_GROUP } from '../../../src/doors/admin/held/held.actions.js';
import { JOB_ACTIONS } from '../../../src/doors/admin/jobs/jobs.actions.js';
import { REVIEWING_ACTIONS } from '../../../src/doors/admin/reviewing/reviewing.actions.js';
import { STANDING_ACTIONS } from '../../../src/doors/admin/standing/standing.actions.js';
import { TRACE_ACTIONS } from '../../../src/doors/admin/trace/trace.actions.js';
import { USER_ACTIONS } from '../../../src/doors/admin/users/users.actions.js';

const ROOT = resolve(__dirname, '../../..');
const SOMEBODY = '01997f2e-1111-7000-8000-000000000001';
const GROUPS = [
  ORGANIZATION_ACTIONS.commands,
  KEY_ACTIONS.commands,
  USAGE_ACTIONS.commands,
  USER_ACTIONS.commands,
  CLIENT_ACTIONS.commands,
  AUDIT_COMMANDS,
  AUDIT_ARCHIVE_COMMANDS,
  ERASURE_ACTIONS.commands,
  RETENTION_ACTIONS.commands,
  RESEARCH_COMMANDS,
  STANDING_ACTIONS.commands,
  TRACE_ACTIONS.commands,
  WEBHOOK_ACTIONS.commands,
  EHR_ACTIONS.commands,
  DELIVERY_ACTIONS.commands,
  JOB_ACTIONS.commands,
  HELD_GROUP.commands,
  AUTHORITY_ACTIONS.commands,
  REVIEWING_ACTIONS.commands,
  ...HL7_ADMIN_GROUPS.map(({ commands }) => commands),
] as readonly CommandGroup<unknown>[];
const COMMANDS = [
  ...GROUPS.flatMap(({ commands }) => commands),
  ...(ENCRYPTION_COMMANDS as readonly CliCommand<unknown>[]),
];
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** As a shell reads it: words, quotes, and a comment behind them. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(#.*)|(\S+)/g)].flatMap(([, double, single, comment, plain]) =>
    comment === undefined ? [(double ?? single ?? plain)!] : [],
  );
  return words.map((word) => (['ID', 'DESTINATION'].includes(word) ? SOMEBODY : word));
}

/** Lines of blocks alone: what stands within a sentence may name two choices at once. */
const LINES = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^npm run --silent cli -- (.+)$/gm)].map(
    ([, line]) => [page, line!] as const,
  ),
);

class Opened extends Error {}

test('the documentation has commands', () => {
  expect(LINES.length).toBeGreaterThan(25);
});

test.each(LINES)('%s: %s is understood', async (_, line) => {
  let said = '';
  const output = { out: (text: string) => (said += text), err: (text: string) => (said += text) };
  const ended = await runCli(wordsOf(line), COMMANDS, () => Promise.reject(new Opened()), output).catch(
    (fault: unknown) => (fault instanceof Opened ? 'understood' : fault),
  );
  // What opens nothing (hl7 send) is refused for its file, which is not there.
  expect([ended, said]).toEqual(
    line.startsWith('hl7 send') ? [1, expect.stringContaining('The file cannot be read')] : ['understood', ''],
  );
});
