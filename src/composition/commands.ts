import type { Type } from '@nestjs/common';
import type { CliCommand, CommandGroup } from '../platform/cli/cli-command.js';
import type { CommandSession } from './command-session.js';

type Commands = readonly CliCommand<CommandSession>[];
type Modules = () => Promise<readonly Type[]>;

/** Commands that begin with one of these words. What they are made of is read when one of them is asked for: all of it takes longer than most commands. */
interface ListedCommands {
  readonly words: readonly string[];
  load(): Promise<Commands>;
}

const core: Modules = async () => [(await import('./core.module.js')).CoreModule];
const held: Modules = async () => [...(await core()), (await import('./held.module.js')).HeldModule];
const archives: Modules = async () => [(await import('./audit-archives.module.js')).AuditArchivesModule];
const messages: Modules = async () => [(await import('./hl7v2.module.js')).Hl7CommandsModule];
const dryRuns: Modules = async () => [
  ...(await messages()),
  (await import('./hl7-dry-run.module.js')).Hl7DryRunOfCommandsModule,
];

/** All of them, in the order of the usage text, with the modules that each group works with. */
const LISTED: readonly ListedCommands[] = [
  {
    words: ['org'],
    load: async () =>
      commandsOf((await import('../doors/admin/organizations/organizations.actions.js')).ORGANIZATION_ACTIONS.commands),
  },
  {
    words: ['key'],
    load: async () => commandsOf((await import('../doors/admin/organizations/keys.actions.js')).KEY_ACTIONS.commands),
  },
  {
    words: ['usage'],
    load: async () =>
      commandsOf((await import('../doors/admin/organizations/organizations.actions.js')).USAGE_ACTIONS.commands),
  },
  {
    words: ['client'],
    load: async () =>
      commandsOf((await import('../doors/admin/organizations/clients.actions.js')).CLIENT_ACTIONS.commands),
  },
  {
    words: ['user'],
    load: async () =>
      commandsOf((await import('../doors/admin/users/users.actions.js')).USER_ACTIONS.commands, async () => [
        (await import('./users.module.js')).UsersModule,
      ]),
  },
  {
    words: ['audit'],
    load: async () => [
      ...commandsOf((await import('../doors/admin/audit/audit.commands.js')).AUDIT_COMMANDS, archives),
      ...commandsOf((await import('../doors/admin/audit/audit-archive.commands.js')).AUDIT_ARCHIVE_COMMANDS, archives),
    ],
  },
  {
    words: ['retention'],
    load: async () =>
      commandsOf((await import('../doors/admin/erasure/retention.actions.js')).RETENTION_ACTIONS.commands),
  },
  {
    words: ['patient'],
    load: async () =>
      commandsOf((await import('../doors/admin/erasure/erasure.actions.js')).ERASURE_ACTIONS.commands, async () => [
        (await import('./erasure.module.js')).ErasureModule,
      ]),
  },
  {
    words: ['export', 'research'],
    load: async () =>
      commandsOf((await import('../research/research.commands.js')).RESEARCH_COMMANDS, async () => [
        (await import('../storage/drivers/storage.module.js')).StorageModule,
      ]),
  },
  {
    words: ['standing'],
    load: async () =>
      commandsOf((await import('../doors/admin/standing/standing.actions.js')).STANDING_ACTIONS.commands, async () => [
        ...(await held()),
        (await import('./standing.module.js')).StandingModule,
      ]),
  },
  {
    words: ['trace'],
    load: async () =>
      commandsOf((await import('../doors/admin/trace/trace.actions.js')).TRACE_ACTIONS.commands, async () => [
        (await import('./trace.module.js')).TraceModule,
      ]),
  },
  {
    words: ['jobs'],
    load: async () => commandsOf((await import('../doors/admin/jobs/jobs.actions.js')).JOB_ACTIONS.commands, core),
  },
  {
    words: ['held'],
    load: async () => commandsOf((await import('../doors/admin/held/held.actions.js')).HELD_GROUP.commands, held),
  },
  {
    words: ['authorities'],
    load: async () =>
      commandsOf((await import('../doors/admin/authorities/authorities.actions.js')).AUTHORITY_ACTIONS.commands, held),
  },
  {
    words: ['review'],
    load: async () =>
      commandsOf((await import('../doors/admin/reviewing/reviewing.actions.js')).REVIEWING_ACTIONS.commands, core),
  },
  {
    words: ['ehr'],
    load: async () =>
      commandsOf((await import('../doors/admin/ehrs/ehrs.actions.js')).EHR_ACTIONS.commands, async () => [
        (await import('./ehrs.module.js')).EhrsModule,
      ]),
  },
  {
    words: ['webhook'],
    load: async () =>
      commandsOf((await import('../doors/admin/webhooks/webhooks.actions.js')).WEBHOOK_ACTIONS.commands, async () => [
        (await import('../exits/webhooks/index.js')).WebhookCommandsModule,
      ]),
  },
  {
    words: ['deliveries'],
    load: async () =>
      commandsOf(
        (await import('../doors/admin/deliveries/deliveries.actions.js')).DELIVERY_ACTIONS.commands,
        async () => [(await import('./exits.module.js')).ExitsModule],
      ),
  },
  {
    words: ['hl7'],
    load: async () => [
      ...commandsOf(
        (await import('../doors/admin/hl7v2/actions/listeners.actions.js')).LISTENER_ACTIONS.commands,
        messages,
      ),
      ...commandsOf(
        (await import('../doors/admin/hl7v2/actions/destinations.actions.js')).DESTINATION_ACTIONS.commands,
        messages,
      ),
      ...commandsOf(
        (await import('../doors/admin/hl7v2/actions/message-searches.actions.js')).MESSAGE_SEARCH_ACTIONS.commands,
        messages,
      ),
      ...commandsOf(
        (await import('../doors/admin/hl7v2/actions/messages.actions.js')).MESSAGE_ACTIONS.commands,
        dryRuns,
      ),
    ],
  },
  { words: ['database'], load: async () => (await import('./database.commands.js')).DATABASE_COMMANDS },
  { words: ['backup', 'restore'], load: async () => (await import('./backup.commands.js')).BACKUP_COMMANDS },
  { words: ['objects'], load: async () => (await import('./object.commands.js')).OBJECT_COMMANDS },
  { words: ['encryption'], load: async () => (await import('./encryption.commands.js')).ENCRYPTION_COMMANDS },
];

/** The commands that may be meant by a command line whose first word this is: all where no command begins with it, or there is none. */
export async function commandsFor(first: string | undefined): Promise<Commands> {
  const meant = LISTED.filter(({ words }) => first !== undefined && words.includes(first));
  const loaded = await Promise.all((meant.length === 0 ? LISTED : meant).map(({ load }) => load()));
  return loaded.flat();
}

/** The commands of a group; each reads these modules and starts its application only when it runs. */
function commandsOf<Services>(
  { commands, providers, services }: CommandGroup<Services>,
  modules: Modules = () => Promise.resolve([]),
): Commands {
  return commands.map((command) => ({
    ...command,
    prepare(values) {
      const run = command.prepare(values);
      const { isStandalone = false } = command;
      if (typeof isStandalone === 'boolean' ? isStandalone : isStandalone(values))
        return () => run(undefined as Services);
      return async (session) => {
        // Each group asks whether the organization exists that a command names.
        const { TenancyModule } = await import('./tenancy.module.js');
        const app = await session.start([...(await modules()), TenancyModule], providers);
        return run(services(app, session.operator));
      };
    },
  }));
}
