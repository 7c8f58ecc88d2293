import type { CliCommand } from '../platform/cli/cli-command.js';
import type { CommandSession } from './command-session.js';

const migrate: CliCommand<CommandSession> = {
  usage: 'database migrate',
  summary:
    'Bring the database to the schema of this release, and end. Every start does this too, unless SUTURA_MIGRATE_AT_START=off.',
  prepare: () => async (session) => {
    const applied = await session.migrate();
    return { json: { applied }, text: applied === 0 ? 'Nothing to do.' : `Migrations applied: ${applied}.` };
  },
};

/** Commands about the database itself. They need no application over it. */
export const DATABASE_COMMANDS: readonly CliCommand<CommandSession>[] = [migrate];
