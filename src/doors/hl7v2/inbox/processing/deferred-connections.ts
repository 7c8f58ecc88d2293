import { Injectable } from '@nestjs/common';

/** A connection that can carry a message of our own. */
export interface ReplyConnection {
  readonly isOpen: boolean;
  /** False: the peer is gone. */
  send(message: Uint8Array): boolean;
}

/**
 * The most senders that wait at once; the oldest are dropped. Their outcome is stored, and answers a resend of the
 * message.
 */
const MOST_WAITING = 10_000;

/** Connections of senders that wait for the application acknowledgment of an accepted message. */
@Injectable()
export class DeferredConnections {
  private readonly waiting = new Map<string, ReplyConnection>();

  remember(messageId: string, connection: ReplyConnection): void {
    this.waiting.set(messageId, connection);
    if (this.waiting.size <= MOST_WAITING) return;
    const oldest = this.waiting.keys().next().value;
    if (oldest !== undefined) this.waiting.delete(oldest);
  }

  /** False: the sender no longer waits here. */
  send(messageId: string, message: Uint8Array): boolean {
    const connection = this.waiting.get(messageId);
    this.waiting.delete(messageId);
    return connection?.isOpen === true && connection.send(message);
  }
}
