import type { CliValues } from '../../../../platform/cli/cli-command.js';
import { given } from '../../../../platform/cli/command-options.js';

export const SEARCH_USAGE =
  '[--org ID] [--env test|live] [--state STATE] [--listener ID] [--destination ID] [--control-id ID] [--type TYPE] [--patient NUMBER] [--order NUMBER] [--error WORDS] [--from MOMENT] [--to MOMENT]';

/** The search under the names of the admin API's query. */
export function searchOf(values: CliValues): Record<string, string> {
  const names = {
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
  return { ...(values['out'] === true ? { direction: 'out' } : {}), ...given(values, names) };
}
