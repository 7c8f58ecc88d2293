/** A connected peer. */
export interface MllpConnection {
  readonly id: string;
  readonly remoteAddress: string;
  /** Common name of a client certificate that was verified; null: none. */
  readonly certificateName: string | null;
  readonly isOpen: boolean;
  /** Sends a message of our own (a deferred acknowledgment). false: the peer is gone. */
  send(message: Uint8Array): boolean;
}

/** What a sender speaks instead of what the listener does. */
export type OtherProtocol = 'tls' | 'http' | 'plain';

/** Events for logs and metrics; none carries a byte of a message. */
export type MllpListenerEvent =
  | {
      readonly kind:
        | 'connected'
        | 'disconnected'
        | 'refused-network'
        | 'refused-full'
        | 'silent-closed'
        | 'idle-closed'
        | 'oversize'
        | 'junk-overflow';
    }
  /**
   * `code`: of Node or OpenSSL (CERT_HAS_EXPIRED, ERR_SSL_…), or CLIENT_NAME_NOT_ALLOWED; null: none was given. Never a
   * subject, which may be a person.
   */
  | { readonly kind: 'tls-failed'; readonly code: string | null }
  /** The first bytes are no MLLP: `tls` (a ClientHello) or `http` to a listener, or no TLS (`plain`) to one that speaks it. */
  | { readonly kind: 'other-protocol'; readonly protocol: OtherProtocol; readonly address: string }
  /** Bytes between frames; a frame that had not ended when the next one began. */
  | { readonly kind: 'junk' | 'discarded-frame'; readonly sizeBytes: number; readonly address: string }
  /** A frame whose end did not come. */
  | { readonly kind: 'half-frame-closed'; readonly address: string }
  | { readonly kind: 'handler-failed'; readonly fault: unknown };

/** The receiver of frames. */
export interface MllpHandler {
  /**
   * Returns the answer (without frame), or null for none. Called for one frame of a connection at a time, in order of
   * receipt. A rejection closes the connection without an answer, so that the peer sends again.
   */
  onFrame(message: Uint8Array, connection: MllpConnection): Promise<Uint8Array | null>;
  /**
   * Called for a frame over the limit; `beginning` is its first 64 KiB. The answer is sent, then the connection closed.
   */
  onOversize(beginning: Uint8Array, connection: MllpConnection): Promise<Uint8Array | null>;
  onEvent?(event: MllpListenerEvent): void;
}
