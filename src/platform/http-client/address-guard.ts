import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that no name on the public internet stands for (IANA special-purpose registries for IPv4 and IPv6). */
const CLOSED_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Of public numbers, but inside of every machine of Azure: the agent of its host.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Of IPv6 only global unicast is open (2000::/3), without addresses that embed an IPv4 address and those for documentation. */
const CLOSED_V6: readonly (readonly [string, number])[] = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

// Two lists: one list would take every IPv4 address for its form within IPv6.
const CLOSED = { ipv4: listOf('ipv4', CLOSED_V4), ipv6: listOf('ipv6', CLOSED_V6) } as const;

/** A host whose addresses were all checked. */
export interface AdmittedHost {
  /** The one to connect to. */
  readonly address: string;
  /** Resolves to the admitted address, whatever the name resolves to later. */
  readonly lookup: LookupFunction;
}

/** All addresses of a host name. */
type ResolveHost = (host: string) => Promise<readonly string[]>;

/**
 * Keeps requests whose address a caller chose out of inner networks (SSRF). A name is resolved once, all its addresses are checked, and the
 * connection goes to the address that was checked, so that the name cannot mean something else a moment later (DNS rebinding).
 */
export class AddressGuard {
  /** `opened`: inner networks that the operator allows. `resolve`: the system's resolver unless a test brings its own. */
  constructor(
    private readonly opened: BlockList,
    private readonly resolve: ResolveHost = resolveAll,
  ) {}

  /**
   * Where one request to the host goes, a name or an address without brackets. null: any of its addresses is closed. Throws where it has none.
   * `opened`: only what the operator opened is admitted, as for connections without TLS. `more`: networks that are opened for this request beside
   * those of all, asked for where one of those does not do.
   */
  async admit(
    host: string,
    reach: 'public' | 'opened' = 'public',
    more: () => Promise<BlockList> = () => Promise.resolve(new BlockList()),
  ): Promise<AdmittedHost | null> {
    const addresses = isIP(host) === 0 ? await this.resolve(host) : [host];
    const first = addresses[0];
    if (first === undefined) throw new Error('The host has no address.');
    const isAdmitted = (address: string): boolean =>
      reach === 'public' ? isOpenAddress(address, this.opened) : isListed(address, this.opened);
    const left = addresses.filter((address) => !isAdmitted(address));
    const further = left.length === 0 ? null : await more();
    return left.every((address) => isListed(address, further!)) ? { address: first, lookup: pinnedTo(first) } : null;
  }
}

/** True for an address of the public internet, or of one of the networks that the operator opened. */
export function isOpenAddress(address: string, opened: BlockList): boolean {
  const family = familyOf(address);
  return family !== null && (opened.check(address, family) || !CLOSED[family].check(address, family));
}

function isListed(address: string, list: BlockList): boolean {
  const family = familyOf(address);
  return family !== null && list.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6';
}

function listOf(family: 'ipv4' | 'ipv6', networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

async function resolveAll(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

function pinnedTo(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

/** Networks as `10.20.0.0/16` or `fd00:1::/48`. Throws for text that is none. */
export function networksOf(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [network = '', prefix = ''] = text.split('/');
    const version = isIP(network);
    if (version === 0 || !/^\d{1,3}$/.test(prefix)) throw new Error('A network is written like 10.20.0.0/16.');
    list.addSubnet(network, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
