import type { z } from 'zod';
import { CliMisuse, type CliCommand, type CliReport, type CliValues } from '../../../platform/cli/cli-command.js';
import { checkOptions, listOrNone, onOrOff, optional, required } from '../../../platform/cli/command-options.js';
import { factReport, tableReport } from '../../../platform/cli/command-report.js';
import { readUsage } from '../../../platform/cli/command-usage.js';
import {
  idsIn,
  perform,
  type ActionCommand,
  type ActionContext,
  type AdminAction,
  type Tokens,
} from './admin-action.js';
import { kindOf, shapeOf } from './schema-shape.js';

/** Options whose field has a longer name. */
const OPTION_OF: Readonly<Record<string, string>> = {
  organizationId: 'org',
  environment: 'env',
  keyId: 'key',
  clientId: 'client',
  userId: 'user',
  endpointId: 'endpoint',
  listenerId: 'listener',
  destinationId: 'destination',
  expiresAt: 'expires',
  allowedNetworks: 'networks',
  namesPersons: 'persons',
};

/** The commands of an action. Throws where an option of the usage is no field of its input, so that none is passed over. */
export function commandsOf<T extends Tokens>(action: AdminAction<T>): CliCommand<ActionContext<T>>[] {
  const commands = action.command === undefined ? [] : [action.command, ...(action.also ?? [])];
  return commands.map((command) => {
    refuseUnknown(action, command);
    return {
      usage: command.usage,
      summary: command.says ?? `${action.does}.`,
      ...(command.unlisted === undefined ? {} : { unlisted: command.unlisted }),
      prepare(values) {
        const input = inputOf(action, command, values) as never;
        return async (context) => reportOf(command, await perform(action, context, input), input);
      },
    };
  });
}

function inputOf<T extends Tokens>(action: AdminAction<T>, command: ActionCommand, values: CliValues): object {
  command.check?.(values);
  for (const option of readUsage(command.usage).required) required(values, option);
  const optionOf = (field: string): string => optionFor(command, field);
  const ids = idsIn(action.route).map((id) => [id, required(values, idOptionFor(command, id))]);
  const schema = action.body ?? action.query;
  if (schema === undefined) return Object.fromEntries(ids) as object;
  const fields = Object.entries(shapeOf(schema));
  const named = Object.fromEntries(fields.map(([field]) => [field, optionOf(field)]));
  const taken = command.takes?.(values) ?? readFields(command, fields, values);
  return { ...Object.fromEntries(ids), ...(checkOptions(schema, taken, named) as object) };
}

function readFields(
  command: ActionCommand,
  fields: readonly (readonly [string, z.ZodType])[],
  values: CliValues,
): Record<string, unknown> {
  const { options } = readUsage(command.usage);
  const read = fields.flatMap(([field, schema]) => {
    const option = optionFor(command, field);
    if (options[option] === undefined) return [];
    if (options[option].type === 'boolean') return values[option] === true ? [[field, true]] : [];
    const text = optional(values, option);
    if (text === undefined) return [];
    const own = command.reads?.[field];
    return [[field, own === undefined ? valueOf(schema, text, option) : own(text)]];
  });
  return Object.fromEntries(read) as Record<string, unknown>;
}

/** The value that a text of the command line stands for: `on`, `17`, `a,b`, `none`. */
function valueOf(schema: z.ZodType, text: string, option: string): unknown {
  const { kind, isNullable } = kindOf(schema);
  if (isNullable && text === 'none') return null;
  if (kind === 'boolean') return onOrOff(text, option);
  if (kind === 'array') return listOrNone(text);
  if (kind !== 'number') return text;
  if (!/^[0-9]{1,10}$/.test(text)) throw new CliMisuse(`--${option} must be a whole number.`);
  return Number(text);
}

function optionFor(command: ActionCommand, field: string): string {
  return (
    command.options?.[field] ?? OPTION_OF[field] ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  );
}

/** `--id` is an id of the path, too. */
function idOptionFor(command: ActionCommand, id: string): string {
  const { options } = readUsage(command.usage);
  const option = optionFor(command, id);
  return options[option] === undefined && options['id'] !== undefined ? 'id' : option;
}

function refuseUnknown<T extends Tokens>({ name, route, body, query }: AdminAction<T>, command: ActionCommand): void {
  const schema = body ?? query;
  const fields = schema === undefined ? [] : Object.keys(shapeOf(schema));
  const known = [
    ...idsIn(route).map((id) => idOptionFor(command, id)),
    ...fields.map((field) => optionFor(command, field)),
  ];
  const isFree = command.takes !== undefined || command.check !== undefined;
  const unknown = Object.keys(readUsage(command.usage).options).filter((option) => !known.includes(option));
  if (unknown.length > 0 && !isFree)
    throw new Error(`"${command.usage}" has options that ${name} does not take: ${unknown.join(', ')}`);
}

function reportOf({ table, facts, prints }: ActionCommand, result: unknown, input: never): CliReport {
  if (table !== undefined) return tableReport(result as never[], table);
  if (facts !== undefined) return factReport(result, facts(result, input));
  return prints?.(result, input) ?? { json: result, text: 'Done.' };
}
