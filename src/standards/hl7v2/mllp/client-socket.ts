import { connect, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { addressClosed, isClosedAddress, openLookup } from './closed-addresses.js';

export interface MllpClientTls {
  /** PEM of the authorities of the receiver's certificate; absent: those of Node. */
  readonly authorities?: string;
  /** PEM of our own certificate, if the receiver asks for one. */
  readonly key?: string;
  readonly certificate?: string;
  /** Name on the receiver's certificate; absent: the host. */
  readonly serverName?: string;
}

/** The address of a receiver. */
export interface ClientAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: MllpClientTls | null;
}

/** Opens a socket that connects, with TLS of at least 1.2 where `tls` is set; at a closed address it ends with the fault `ADDRESS_CLOSED`. */
export function openSocket({ host, port, tls }: ClientAddress): Socket {
  if (isClosedAddress(host)) return new Socket().destroy(addressClosed());
  const lookup = openLookup();
  if (tls === null) return connect({ host, port, lookup, noDelay: true, keepAlive: true });
  const name = tls.serverName ?? host;
  return connectTls({
    host,
    port,
    lookup,
    minVersion: 'TLSv1.2',
    // A certificate is checked for its name or address; SNI takes names only.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(tls.authorities === undefined ? {} : { ca: tls.authorities }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.certificate === undefined ? {} : { cert: tls.certificate }),
  })
    .setNoDelay(true)
    .setKeepAlive(true, 60_000);
}

/**
 * The code that Node gives a fault. Never a name, an address or a certificate's content: those are in the fault's
 * message alone.
 */
export function faultCodeOf(fault: unknown): string | null {
  const code = (fault as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,80}$/.test(code) ? code : null;
}
