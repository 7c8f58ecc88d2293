import type { z } from 'zod';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { parseInput } from '../http/parse-input.js';
import { CliMisuse, type CliCommand, type CliReport, type CliValues } from './cli-command.js';

interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** The option that takes the id, without dashes. */
  readonly by: string;
}

/** A command whose only option is an id: `key revoke --key ID`. */
export function commandOn<Services>(
  { name, summary, by }: CommandWords,
  run: (services: Services, id: string) => Promise<CliReport>,
): CliCommand<Services> {
  return {
    usage: `${name} --${by} ID`,
    summary,
    prepare(values) {
      const id = required(values, by);
      return (services) => run(services, id);
    },
  };
}

/** The value of an option that must be given. */
export function required(values: CliValues, name: string): string {
  const value = optional(values, name);
  if (value === undefined) throw new CliMisuse(`--${name} is missing.`);
  return value;
}

export function optional(values: CliValues, name: string): string | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '') throw new CliMisuse(`--${name} needs a value.`);
  return value;
}

/** A list by commas, in lower case; `none` is the empty one. */
export function listOrNone(value: string | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  return value === 'none' ? [] : value.split(',').map((part) => part.trim().toLowerCase());
}

/** `on` or `off`. CliMisuse for another word. */
export function onOrOff(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw new CliMisuse(`--${name} must be on or off.`);
  return value === 'on';
}

/** The given options, under the field names of the schema that checks them. */
export function given(values: CliValues, names: Readonly<Record<string, string>>): Record<string, string> {
  return definedOnly(
    Object.fromEntries(Object.entries(names).map(([name, option]) => [name, optional(values, option)])),
  );
}

/** The fields that have a value; the others are left out. */
export function definedOnly<T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Checks options by the schema of the admin API. `optionOf`: the option of each field of the schema whose name
 * differs. CliMisuse names the options at fault.
 */
export function checkOptions<T extends z.ZodType>(
  schema: T,
  value: unknown,
  optionOf: Readonly<Record<string, string>>,
): z.output<T> {
  try {
    return parseInput(schema, value);
  } catch (error) {
    if (!isSuturaError(error, 'request.invalid')) throw error;
    throw new CliMisuse(
      (error.facts.errors ?? [])
        .map(({ pointer, detail }) => sentenceOf(pointer.split('/').slice(1), detail, optionOf))
        .join('\n'),
    );
  }
}

function sentenceOf(
  [field, inner]: readonly string[],
  detail: string,
  optionOf: Readonly<Record<string, string>>,
): string {
  if (field === undefined) return `The options ${detail}.`;
  return field === 'settings' && inner !== undefined
    ? `The setting ${inner} ${detail}.`
    : `--${optionOf[field] ?? field} ${detail}.`;
}
