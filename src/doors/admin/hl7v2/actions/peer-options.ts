import type { z } from 'zod';
import { CliMisuse, type CliValues } from '../../../../platform/cli/cli-command.js';
import { given, optional } from '../../../../platform/cli/command-options.js';
import type { DESTINATION_CHANGE } from '../operations/hl7.schema.js';

const OWNER = { organizationId: 'org', environment: 'env', name: 'name' } as const;

/** The settings of a listener or a destination that have options of their own. */
export interface SettingOptions {
  readonly named: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, string>>;
}

/** A new listener or destination, as the admin API takes it. */
export function newPeerOf(values: CliValues, options: SettingOptions): Record<string, unknown> {
  return { ...given(values, OWNER), settings: settingsOf(values, options) };
}

/** A change of one, with the given options alone. */
export function peerChangeOf(values: CliValues, options: SettingOptions): Record<string, unknown> {
  const settings = settingsOf(values, options);
  const change = { ...given(values, { name: 'name' }), ...(Object.keys(settings).length === 0 ? {} : { settings }) };
  if (Object.keys(change).length === 0)
    throw new CliMisuse('Name what is to be changed, for example --host or --settings.');
  return change;
}

function settingsOf(values: CliValues, { named, tls }: SettingOptions): Record<string, unknown> {
  const port = optional(values, 'port');
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw new CliMisuse('--port must be a number.');
  const files = given(values, tls);
  return {
    ...furtherSettingsOf(values),
    ...given(values, named),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(Object.keys(files).length === 0 ? {} : { tls: files }),
  };
}

/** --settings: a JSON object. */
function furtherSettingsOf(values: CliValues): Record<string, unknown> {
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

/** A change of `enabled` alone is a pause or a resume. */
export function interactionOf({ name, settings, enabled }: z.output<typeof DESTINATION_CHANGE>): string {
  if (enabled === undefined || name !== undefined || settings !== undefined) return 'update';
  return enabled ? '$resume' : '$pause';
}
