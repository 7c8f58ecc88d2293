import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { CliMisuse, type CliCommand, type CliValues, type CliReport } from '../../../../platform/cli/cli-command.js';
import { checkOptions, optional, required, given } from '../../../../platform/cli/command-options.js';
import type { DryRunView } from '../operations/dry-run.views.js';
import type { MessageOperations } from '../operations/message-operations.js';
import type { PeerOperations } from '../operations/peer-operations.js';

/** The services that commands of this door use. */
export interface Hl7Services {
  readonly peers: PeerOperations;
  readonly messages: MessageOperations;
  readonly dryRun: CommandDryRun;
}

/**
 * A dry run for a command. The composition provides it, since it needs the records, and with them most other modules.
 */
export abstract class CommandDryRun {
  /** The effects of a message by the settings of a listener. `hl7.listener_not_found`, `hl7.unreadable`. */
  abstract run(message: Uint8Array, listenerId: string): Promise<DryRunView>;
}

export type Hl7Command = CliCommand<Hl7Services>;

const OPTION_OF: Readonly<Record<string, string>> = {
  organizationId: 'org',
  environment: 'env',
  listenerId: 'listener',
  destinationId: 'destination',
  controlId: 'control-id',
  type: 'type',
};

/** As `checkOptions`, with the option names of these commands. */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  return checkOptions(schema, value, OPTION_OF);
}

/** --settings: further settings as a JSON object. */
export function settingsOf(values: CliValues): Record<string, unknown> {
  const text = optional(values, 'settings');
  if (text === undefined) return {};
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings))
      return settings as Record<string, unknown>;
  } catch {
    // Reported below, like other values that are not objects.
  }
  throw new CliMisuse('--settings must be a JSON object, such as \'{"timeZone":"Europe/Berlin"}\'.');
}

/** A change of a listener or destination, with the given options alone. */
export function changeOf(
  values: CliValues,
  named: Readonly<Record<string, string>>,
  tls: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const port = optional(values, 'port');
  const settings = {
    ...settingsOf(values),
    ...named,
    ...(port === undefined ? {} : { port: toPort(port) }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
  const name = optional(values, 'name');
  if (name === undefined && Object.keys(settings).length === 0)
    throw new CliMisuse('Name what is to be changed, for example --host or --settings.');
  return { ...(name === undefined ? {} : { name }), ...(Object.keys(settings).length === 0 ? {} : { settings }) };
}

export function portOf(values: CliValues): number {
  return toPort(required(values, 'port'));
}

export function toPort(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new CliMisuse('--port must be a number.');
  return Number(text);
}

/** The file named on the command line. `hl7.unreadable` where it cannot be read. */
export async function readMessageFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new SuturaError('hl7.unreadable', { detail: 'The file cannot be read.' });
  }
}

export function fileOf(values: CliValues): string {
  const file = values['file'];
  if (typeof file !== 'string') throw new CliMisuse('FILE is missing.');
  return file;
}

const OWNER = { organizationId: 'org', environment: 'env', name: 'name' } as const;

/** The organization, environment and name of a listener or destination. */
export function ownerOf(values: CliValues): Record<string, string> {
  for (const option of Object.values(OWNER)) required(values, option);
  return given(values, OWNER);
}

/** A command that lists one organization's entries, or all. */
export function listOf(
  name: string,
  summary: string,
  list: (services: Hl7Services, organizationId: string | null) => Promise<CliReport>,
): Hl7Command {
  return {
    usage: `${name} [--org ID]`,
    summary,
    prepare(values) {
      const organizationId = optional(values, 'org') ?? null;
      return (services) => list(services, organizationId);
    },
  };
}
