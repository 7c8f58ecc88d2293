import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { MllpTls } from '../../../../standards/hl7v2/mllp/mllp-listener.js';
import type { Hl7Listener } from './hl7-listener.js';

/** Reads the TLS files of a listener; null: it has none. Rejects with the fault of node:fs. */
export async function readListenerTls({ settings: { tls } }: Hl7Listener): Promise<MllpTls | null> {
  if (tls === null) return null;
  const [key, certificate, clientAuthorities] = await Promise.all([
    readFile(tls.keyFile, 'utf8'),
    readFile(tls.certFile, 'utf8'),
    tls.caFile === undefined ? undefined : readFile(tls.caFile, 'utf8'),
  ]);
  const authorities = clientAuthorities === undefined ? {} : { clientAuthorities };
  return {
    key,
    certificate,
    ...authorities,
    requireClientCertificate: tls.clientCertificate === 'required',
    clientNames: tls.clientNames,
  };
}

export function isSameTls(one: MllpTls | null, other: MllpTls | null): boolean {
  return (
    one?.key === other?.key &&
    one?.certificate === other?.certificate &&
    one?.clientAuthorities === other?.clientAuthorities
  );
}

/** Expiry of a listener's certificate, the first of its file; null: it has none. */
export function certificateEnd(tls: MllpTls | null): Date | null {
  return tls === null ? null : new Date(new X509Certificate(tls.certificate).validTo);
}
