import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface MllpClientTls {
  /** PEM of those who sign the receiver's certificate; absent: those of Node. */
  readonly authorities?: string;
  /** PEM of our own certificate, where the receiver asks for one. */
  readonly key?: string;
  readonly certificate?: string;
  /** Name on the receiver's certificate; absent: the host. */
  readonly serverName?: string;
}

/** Where a receiver is. */
export interface ClientAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: MllpClientTls | null;
}

/** A socket that is about to connect; with TLS 1.2 at least. */
export function openSocket({ host, port, tls }: ClientAddress): Socket {
  if (tls === null) return connect({ host, port, noDelay: true, keepAlive: true });
  const name = tls.serverName ?? host;
  return connectTls({
    host,
    port,
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

/** As Node names it. Never a name, an address or a certificate's content: those stand in the message of the fault alone. */
export function faultCodeOf(fault: unknown): string | null {
  const code = (fault as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,80}$/.test(code) ? code : null;
}
