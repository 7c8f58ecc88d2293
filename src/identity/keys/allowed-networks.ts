import { BlockList, isIP } from 'node:net';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { networksOf } from '../../platform/http-client/address-guard.js';

/** The form in which a socket for both families names a caller of IPv4. */
const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i;
/** Of records in use; a changed record has another list. */
const known = new WeakMap<readonly string[], BlockList>();

/**
 * `auth.network` unless the address lies in one of the networks; without networks every address does. `address`: of the caller, behind a trusted
 * proxy as that states it.
 */
export function requireAllowedNetwork(allowedNetworks: readonly string[], address: string): void {
  if (allowedNetworks.length === 0) return;
  const plain = address.replace(IPV4_IN_IPV6, '');
  const family = isIP(plain);
  const list = known.get(allowedNetworks) ?? keep(allowedNetworks);
  if (family === 0 || !list.check(plain, family === 4 ? 'ipv4' : 'ipv6')) throw new SuturaError('auth.network');
}

function keep(allowedNetworks: readonly string[]): BlockList {
  const list = networksOf(allowedNetworks);
  known.set(allowedNetworks, list);
  return list;
}
