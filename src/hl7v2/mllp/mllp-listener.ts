import type { Timers } from './mllp-timers.js';

export interface MllpTls {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** PEM of those who sign client certificates; without it none is asked for. */
  readonly clientAuthorities?: string;
  /** A client without a valid certificate is turned away. */
  readonly requireClientCertificate: boolean;
}

export interface MllpListenerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly tls: MllpTls | null;
  readonly maxFrameBytes: number;
  readonly maxConnections?: number;
  /** `10.0.0.0/8`, `2001:db8::/32`; empty: any peer. */
  readonly allowedNetworks?: readonly string[];
  readonly timers?: Timers;
}

/** A peer as long as it is connected. */
export interface MllpConnection {
  readonly id: string;
  readonly remoteAddress: string;
  /** Common name of a client certificate that was verified; null: none. */
  readonly certificateName: string | null;
  readonly isOpen: boolean;
  /** A message of our own (a deferred acknowledgment). false: the peer is gone. */
  send(message: Uint8Array): boolean;
}

export type MllpListenerEvent =
  | { readonly kind: 'connected' | 'disconnected' | 'refused-network' | 'refused-full' | 'idle-closed' | 'half-frame-closed' | 'oversize' | 'junk-overflow' | 'handler-failed' | 'tls-failed' }
  | { readonly kind: 'junk' | 'discarded-frame'; readonly sizeBytes: number };

/** What is done with what arrives. Neither message carries its frame. */
export interface MllpHandler {
  /** The answer, or null for none. Called for one frame of a connection at a time, in order of receipt. A rejection closes the connection without an answer. */
  onFrame(message: Uint8Array, connection: MllpConnection): Promise<Uint8Array | null>;
  /** The frame is over its limit: its beginning. The answer is sent, then the connection closed. */
  onOversize(beginning: Uint8Array, connection: MllpConnection): Promise<Uint8Array | null>;
  onEvent?(event: MllpListenerEvent): void;
}

export class MllpListener {
  constructor(_options: MllpListenerOptions, _handler: MllpHandler) {}

  /** Rejects with the error of node:net (EADDRINUSE). */
  async start(): Promise<void> {
    throw new Error('being written');
  }

  get port(): number {
    throw new Error('being written');
  }

  get connectionCount(): number {
    throw new Error('being written');
  }

  /** Takes no further connection and no further frame, answers the frames in work, and closes; what takes longer than `graceMs` is cut off. */
  async stop(_graceMs?: number): Promise<void> {
    throw new Error('being written');
  }
}
