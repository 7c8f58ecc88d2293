import type { Type } from '@nestjs/common';
import { Hl7CommandsModule } from './hl7v2.module.js';
import { DESTINATION_ACTIONS } from '../doors/admin/hl7v2/actions/destinations.actions.js';
import { LISTENER_ACTIONS } from '../doors/admin/hl7v2/actions/listeners.actions.js';
import { MESSAGE_SEARCH_ACTIONS } from '../doors/admin/hl7v2/actions/message-searches.actions.js';
import { MESSAGE_ACTIONS } from '../doors/admin/hl7v2/actions/messages.actions.js';
import { AUDIT_ARCHIVE_COMMANDS } from '../doors/admin/audit/audit-archive.commands.js';
import { AUDIT_COMMANDS } from '../doors/admin/audit/audit.commands.js';
import { CLIENT_ACTIONS } from '../doors/admin/organizations/clients.actions.js';
import { KEY_ACTIONS } from '../doors/admin/organizations/keys.actions.js';
import { ORGANIZATION_ACTIONS, USAGE_ACTIONS } from '../doors/admin/organizations/organizations.actions.js';
import { DELIVERY_ACTIONS } from '../doors/admin/deliveries/deliveries.actions.js';
import { ERASURE_ACTIONS } from '../doors/admin/erasure/erasure.actions.js';
import { RETENTION_ACTIONS } from '../doors/admin/erasure/retention.actions.js';
import { HELD_GROUP } from '../doors/admin/held/held.actions.js';
import { JOB_ACTIONS } from '../doors/admin/jobs/jobs.actions.js';
import { REVIEWING_ACTIONS } from '../doors/admin/reviewing/reviewing.actions.js';
import { STANDING_ACTIONS } from '../doors/admin/standing/standing.actions.js';
import { TRACE_ACTIONS } from '../doors/admin/trace/trace.actions.js';
import { USER_ACTIONS } from '../doors/admin/users/users.actions.js';
import type { CliCommand, CommandGroup } from '../platform/cli/cli-command.js';
import { AUTHORITY_ACTIONS } from '../doors/admin/authorities/authorities.actions.js';
import { AuditArchivesModule } from './audit-archives.module.js';
import { BACKUP_COMMANDS } from './backup.commands.js';
import { OBJECT_COMMANDS } from './object.commands.js';
import { ENCRYPTION_COMMANDS } from './encryption.commands.js';
import { WEBHOOK_ACTIONS } from '../doors/admin/webhooks/webhooks.actions.js';
import { WebhookCommandsModule } from '../exits/webhooks/index.js';
import { ExitsModule } from './exits.module.js';
import { StandingModule } from './standing.module.js';
import { CoreModule } from './core.module.js';
import type { CommandSession } from './command-session.js';
import { DATABASE_COMMANDS } from './database.commands.js';
import { HeldModule } from './held.module.js';
import { ErasureModule } from './erasure.module.js';
import { Hl7DryRunOfCommandsModule } from './hl7-dry-run.module.js';
import { RESEARCH_COMMANDS } from '../research/research.commands.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { TenancyModule } from './tenancy.module.js';
import { TraceModule } from './trace.module.js';
import { UsersModule } from './users.module.js';

/** Every command, in the order of the usage text: a line for each group, with the modules that it works with. */
export const COMMANDS: readonly CliCommand<CommandSession>[] = [
  ...commandsOf(ORGANIZATION_ACTIONS.commands),
  ...commandsOf(KEY_ACTIONS.commands),
  ...commandsOf(USAGE_ACTIONS.commands),
  ...commandsOf(CLIENT_ACTIONS.commands),
  ...commandsOf(USER_ACTIONS.commands, UsersModule),
  ...commandsOf(AUDIT_COMMANDS, AuditArchivesModule),
  ...commandsOf(AUDIT_ARCHIVE_COMMANDS, AuditArchivesModule),
  ...commandsOf(RETENTION_ACTIONS.commands),
  ...commandsOf(ERASURE_ACTIONS.commands, ErasureModule),
  ...commandsOf(RESEARCH_COMMANDS, StorageModule),
  ...commandsOf(STANDING_ACTIONS.commands, CoreModule, HeldModule, StandingModule),
  ...commandsOf(TRACE_ACTIONS.commands, TraceModule),
  ...commandsOf(JOB_ACTIONS.commands, CoreModule),
  ...commandsOf(HELD_GROUP.commands, CoreModule, HeldModule),
  ...commandsOf(AUTHORITY_ACTIONS.commands, CoreModule, HeldModule),
  ...commandsOf(REVIEWING_ACTIONS.commands, CoreModule),
  ...commandsOf(WEBHOOK_ACTIONS.commands, WebhookCommandsModule),
  ...commandsOf(DELIVERY_ACTIONS.commands, ExitsModule),
  ...commandsOf(LISTENER_ACTIONS.commands, Hl7CommandsModule),
  ...commandsOf(DESTINATION_ACTIONS.commands, Hl7CommandsModule),
  ...commandsOf(MESSAGE_SEARCH_ACTIONS.commands, Hl7CommandsModule),
  ...commandsOf(MESSAGE_ACTIONS.commands, Hl7CommandsModule, Hl7DryRunOfCommandsModule),
  ...DATABASE_COMMANDS,
  ...BACKUP_COMMANDS,
  ...OBJECT_COMMANDS,
  ...ENCRYPTION_COMMANDS,
];

/** The commands of a group; each starts its application only when it runs. */
function commandsOf<Services>(
  { commands, providers, services }: CommandGroup<Services>,
  ...modules: readonly Type[]
): CliCommand<CommandSession>[] {
  return commands.map((command) => ({
    ...command,
    prepare(values) {
      const run = command.prepare(values);
      const { isStandalone = false } = command;
      if (typeof isStandalone === 'boolean' ? isStandalone : isStandalone(values))
        return () => run(undefined as Services);
      // Each group asks whether the organization exists that a command names.
      return async (session) =>
        run(services(await session.start([...modules, TenancyModule], providers), session.operator));
    },
  }));
}
