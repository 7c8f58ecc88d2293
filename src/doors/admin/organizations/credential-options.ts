import type { CliValues } from '../../../platform/cli/cli-command.js';
import { listOrNone, onOrOff, optional, definedOnly } from '../../../platform/cli/command-options.js';

/** What `key` and `client` commands say of a credential in use: --networks, --persons; what is left out stays. */
export function credentialChange(values: CliValues): Record<string, unknown> {
  return definedOnly<unknown>({
    allowedNetworks: listOrNone(optional(values, 'networks')),
    namesPersons: onOrOff(optional(values, 'persons'), 'persons'),
  });
}
