import type { z } from 'zod';
import type { CliValues } from '../../../../platform/cli/cli-command.js';
import { checkOptions, given } from '../../../../platform/cli/command-options.js';

/** The option of each field of a search. */
const OPTION_OF = {
  organizationId: 'org',
  environment: 'env',
  state: 'state',
  listenerId: 'listener',
  destinationId: 'destination',
  controlId: 'control-id',
  type: 'type',
  patient: 'patient',
  order: 'order',
  error: 'error',
  from: 'from',
  to: 'to',
};

export const SEARCH_USAGE =
  '[--org ID] [--env test|live] [--state STATE] [--listener ID] [--destination ID] [--control-id ID] [--type TYPE] [--patient NUMBER] [--order NUMBER] [--error WORDS] [--from MOMENT] [--to MOMENT]';

/** The search under the names of the admin API's query. */
export function searchOf(values: CliValues): Record<string, string> {
  return { ...(values['out'] === true ? { direction: 'out' } : {}), ...given(values, OPTION_OF) };
}

/** Checks a search by the schema of the admin API. */
export function check<T extends z.ZodType>(schema: T, search: unknown): z.output<T> {
  return checkOptions(schema, search, OPTION_OF);
}
