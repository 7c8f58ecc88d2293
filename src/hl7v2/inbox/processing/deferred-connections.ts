import { Injectable } from '@nestjs/common';

/** A connection that a message of our own may be sent on. */
export interface ReplyConnection {
  readonly isOpen: boolean;
  /** False: the peer is gone. */
  send(message: Uint8Array): boolean;
}

/** As many as can wait at once; the oldest are forgotten. Their outcome is stored, and a resend of the message is answered with it. */
const MOST_WAITING = 10_000;

/** Senders that wait on their connection for the outcome of a message that was accepted. */
@Injectable()
export class DeferredConnections {
  private readonly waiting = new Map<string, ReplyConnection>();

  remember(messageId: string, connection: ReplyConnection): void {
    this.waiting.set(messageId, connection);
    if (this.waiting.size <= MOST_WAITING) return;
    const oldest = this.waiting.keys().next().value;
    if (oldest !== undefined) this.waiting.delete(oldest);
  }

  /** False: nobody waits here any more. */
  send(messageId: string, message: Uint8Array): boolean {
    const connection = this.waiting.get(messageId);
    this.waiting.delete(messageId);
    return connection?.isOpen === true && connection.send(message);
  }
}
