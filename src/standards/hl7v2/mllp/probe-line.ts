import { TLSSocket, type PeerCertificate } from 'node:tls';
import { faultCodeOf, openSocket, type ClientAddress } from './client-socket.js';
import { certificateDays, certificateNames } from './certificates.js';
import { SYSTEM_TIMERS, type Timers } from './mllp-timers.js';

/** The facts of a certificate that a person needs. */
export interface LineCertificate {
  /** Common name, and the names and addresses that it is valid for. */
  readonly names: readonly string[];
  readonly expiresAt: string;
  /** Whole days; negative after expiry. */
  readonly expiresInDays: number;
}

/** The outcome of a test connection. */
export interface LineReport {
  /** TCP, and TLS if configured, were established. Says nothing about messages. */
  readonly reached: boolean;
  /** As a code: `unreachable ECONNREFUSED`, `tls CERT_HAS_EXPIRED`; null: none. */
  readonly fault: string | null;
  /** The receiver's certificate; null without TLS, or where the handshake failed. */
  readonly certificate: LineCertificate | null;
}

/**
 * Time for a receiver that asks for a client certificate to refuse ours: with TLS 1.3 it does so after the handshake.
 */
const SECOND_THOUGHT_MS = 300;

/** Connects and hangs up; sends nothing. Never rejects. */
export function probeLine(
  address: ClientAddress,
  timeoutMs: number,
  timers: Timers = SYSTEM_TIMERS,
): Promise<LineReport> {
  return new Promise((done) => {
    const socket = openSocket(address);
    let stage: 'unreachable' | 'tls' = 'unreachable';
    let code: string | null = null;
    let certificate: LineCertificate | null = null;
    let isReached = false;
    const timer = timers.start(timeoutMs, () => {
      code ??= 'ETIMEDOUT';
      socket.destroy();
    });
    socket.on('error', (fault) => (code ??= faultCodeOf(fault)));
    if (address.tls !== null) socket.once('connect', () => (stage = 'tls'));
    socket.once(address.tls === null ? 'connect' : 'secureConnect', () => {
      isReached = true;
      if (!(socket instanceof TLSSocket)) return void socket.destroy();
      certificate = certificateOf(socket.getPeerCertificate());
      socket.resume();
      timers.start(SECOND_THOUGHT_MS, () => socket.destroy());
    });
    socket.once('close', () => {
      timer.stop();
      const isFine = isReached && code === null;
      done({ reached: isFine, fault: isFine ? null : `${stage}${code === null ? '' : ` ${code}`}`, certificate });
    });
  });
}

function certificateOf(certificate: PeerCertificate): LineCertificate {
  const end = new Date(certificate.valid_to);
  return {
    names: certificateNames(certificate),
    expiresAt: end.toISOString(),
    expiresInDays: certificateDays(end, new Date()),
  };
}
