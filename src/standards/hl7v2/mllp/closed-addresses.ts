import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Where no receiver of a hospital stands: link-local addresses (RFC 3927; RFC 4291, 2.5.6), at which the agents of cloud machines answer, the two
 * of such agents that look like others, and addresses of no single host. Receivers are inside, so inner networks stay open, this machine's too.
 */
const CLOSED: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fd00:ec2::254', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const closed = new BlockList();
for (const [network, prefix, family] of CLOSED) closed.addSubnet(network, prefix, family);

/** What Node's own faults have as `code`. */
export const ADDRESS_CLOSED = 'ADDRESS_CLOSED';

/** True for an address to which no message is sent; false for any other, and for a name. */
export function isClosedAddress(host: string): boolean {
  const version = isIP(host);
  return version !== 0 && closed.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** A fault of a connection that is not made. */
export function addressClosed(): Error {
  return Object.assign(new Error('No receiver stands at this address.'), { code: ADDRESS_CLOSED });
}

/** All addresses of a name, and none where one of them is closed: each connection asks anew. `resolve`: the system's unless a test brings its own. */
export function openLookup(resolve: typeof resolveName = resolveName): LookupFunction {
  return (host, options, callback) =>
    resolve(host, { ...options, all: true }, (fault, addresses) => {
      if (fault !== null) callback(fault, '');
      else if (addresses.some(({ address }) => isClosedAddress(address))) callback(addressClosed(), '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
}
