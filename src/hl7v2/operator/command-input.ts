import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { CliMisuse, optional, required, type CliReport, type CliValues } from '../../identity/index.js';
import { parseInput } from '../../platform/http/parse-input.js';
import type { Hl7Desk } from './hl7-desk.js';
import type { TrialView } from './hl7-trial.js';

/** What the commands of this door work with. */
export interface Hl7Services {
  readonly hl7: Hl7Desk;
  /** What a message would do, by the settings of a listener and the records as they are. `hl7.listener_not_found`, `hl7.unreadable`. */
  tryMessage(message: Uint8Array, listenerId: string): Promise<TrialView>;
}

export type Hl7Run = (services: Hl7Services) => Promise<CliReport>;

const OPTION_OF: Readonly<Record<string, string>> = { organizationId: 'org', environment: 'env', listenerId: 'listener', destinationId: 'destination', controlId: 'control-id' };

/** Checks options by the schema that the admin API checks its input by. CliMisuse in the words of the command line. */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  try {
    return parseInput(schema, value);
  } catch (error) {
    if (!isSuturaError(error, 'request.invalid')) throw error;
    throw new CliMisuse((error.facts.errors ?? []).map(({ pointer, detail }) => sentenceOf(pointer.split('/').slice(1), detail)).join('\n'));
  }
}

/** Those options that were given, under the names of the schema. */
export function given(values: CliValues, names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).flatMap(([name, option]) => {
    const value = optional(values, option);
    return value === undefined ? [] : [[name, value]];
  }));
}

/** --settings: further settings as a JSON object. */
export function settingsOf(values: CliValues): Record<string, unknown> {
  const text = optional(values, 'settings');
  if (text === undefined) return {};
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return settings as Record<string, unknown>;
  } catch {
    // Told below, as for other values that are no object.
  }
  throw new CliMisuse('--settings must be a JSON object, such as \'{"timeZone":"Europe/Berlin"}\'.');
}

export function portOf(values: CliValues): number {
  const text = required(values, 'port');
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

function sentenceOf(path: readonly string[], detail: string): string {
  const [field, inner] = path;
  if (field === undefined) return `The options ${detail}.`;
  return field === 'settings' && inner !== undefined ? `The setting ${inner} ${detail}.` : `--${OPTION_OF[field] ?? field} ${detail}.`;
}
