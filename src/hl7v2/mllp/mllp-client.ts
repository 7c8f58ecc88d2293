import type { Timers } from './mllp-timers.js';

export interface MllpClientTls {
  /** PEM of those who sign the receiver's certificate; absent: those of Node. */
  readonly authorities?: string;
  /** PEM of our own certificate, where the receiver asks for one. */
  readonly key?: string;
  readonly certificate?: string;
  /** Name on the receiver's certificate; absent: the host. */
  readonly serverName?: string;
}

export interface MllpClientOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: MllpClientTls | null;
  /** 10 s where absent. */
  readonly connectTimeoutMs?: number;
  readonly timers?: Timers;
  /** An acknowledgment that does not belong to the message in flight: a late one, one of enhanced mode's second kind, or one with a wrong MSA-2. */
  onOther?(acknowledgment: Acknowledgment): void;
}

/** What a receiver answered. */
export interface Acknowledgment {
  /** MSA-1. */
  readonly code: 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR';
  /** MSA-2. */
  readonly controlId: string;
  /** Codes of table 0357 in its ERR segments, errors only. */
  readonly conditions: readonly string[];
  readonly bytes: Uint8Array;
}

/** Why there is no acknowledgment. In every case the connection is gone and the next `send` opens a new one; the message may or may not have arrived. */
export class MllpDeliveryError extends Error {
  override readonly name = 'MllpDeliveryError';
  constructor(readonly reason: 'unreachable' | 'tls' | 'timeout' | 'closed' | 'unreadable') {
    super(`No acknowledgment: ${reason}`);
  }
}

/** One connection to one receiver, opened by the first message, kept, and opened again when needed. One message in flight. */
export class MllpClient {
  constructor(_options: MllpClientOptions) {}

  get isConnected(): boolean {
    throw new Error('being written');
  }

  /** Sends a message (without frame) and waits for the acknowledgment whose MSA-2 is `controlId`; others are passed to onOther. MllpDeliveryError. */
  async send(_message: Uint8Array, _controlId: string, _timeoutMs: number): Promise<Acknowledgment> {
    throw new Error('being written');
  }

  /** A message in flight ends with `closed`. */
  close(): void {
    throw new Error('being written');
  }
}
