import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { encodeFrame, FrameDecoder, type FrameEvent } from './frame-decoder.js';
import type { MllpConnection, MllpHandler } from './mllp-handler.js';
import { NO_TIMER, type RunningTimer, type Timers } from './mllp-timers.js';
import { protocolOf } from './other-protocol.js';

export interface ConnectionLimits {
  readonly maxFrameBytes: number;
  readonly maxJunkBytes: number;
  /** Frames and bytes that are read ahead of the one in work. */
  readonly readAheadFrames: number;
  readonly readAheadBytes: number;
  readonly idleMs: number;
  /** Time allowed until the first frame begins; 0, as for `idleMs`: any. */
  readonly firstFrameMs: number;
  readonly halfFrameMs: number;
  /** Time allowed for the peer to close after us. */
  readonly lingerMs: number;
}

type Work = Extract<FrameEvent, { kind: 'frame' | 'oversize' }>;

/** The connection of one peer. Its frames are answered one at a time, in the order of receipt. */
export class ListenerConnection implements MllpConnection {
  readonly id = randomUUID();
  readonly remoteAddress: string;
  readonly certificateName: string | null;
  readonly closed: Promise<void>;
  private readonly decoder: FrameDecoder;
  private readonly queue: Work[] = [];
  private queuedBytes = 0;
  private readonly idle: RunningTimer;
  /** A peer that sends nothing does not keep its place. */
  private readonly silence: RunningTimer;
  private halfFrame: RunningTimer | null = null;
  private linger: RunningTimer | null = null;
  private isWorking = false;
  private isHandling = false;
  /** Nothing more is read: the peer has ended, or we are about to. */
  private isEnding = false;
  private hasPeerEnded = false;
  private isFirstChunk = true;
  private spoken: (isAtRest: () => boolean) => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly handler: MllpHandler,
    private readonly limits: ConnectionLimits,
    private readonly timers: Timers,
  ) {
    this.remoteAddress = socket.remoteAddress ?? '';
    this.certificateName = commonNameOf(socket);
    this.decoder = new FrameDecoder(limits);
    this.idle = limits.idleMs === 0 ? NO_TIMER : timers.start(limits.idleMs, () => this.onIdle());
    this.silence = limits.firstFrameMs === 0 ? NO_TIMER : timers.start(limits.firstFrameMs, () => this.onSilence());
    socket.setNoDelay(true).setKeepAlive(true, 60_000);
    socket.on('data', (chunk: Buffer) => this.onData(chunk));
    socket.on('end', () => this.onPeerEnd());
    // A socket error is followed by its close; the peer resends what was not answered.
    socket.on('error', () => undefined);
    this.closed = new Promise((closed) => {
      socket.once('close', () => {
        this.onClose();
        closed();
      });
    });
    handler.onEvent?.({ kind: 'connected' });
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  send(message: Uint8Array): boolean {
    if (!this.isOpen) return false;
    this.socket.write(encodeFrame(message));
    return true;
  }

  /** Calls back at each whole frame. `isAtRest`: nothing is being read, waits or is being answered. */
  onSpoken(spoken: (isAtRest: () => boolean) => void): void {
    this.spoken = spoken;
  }

  /** Stops reading, answers the frame in work, and closes. */
  stop(): void {
    this.isEnding = true;
    this.queue.length = 0;
    this.stopHalfFrame();
    if (!this.isWorking) this.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private onData(chunk: Buffer): void {
    if (this.isEnding) return;
    if (this.isOtherProtocol(chunk)) return this.destroy();
    this.idle.restart();
    for (const event of this.decoder.push(chunk)) this.take(event);
    if (this.decoder.isInFrame || this.queue.length > 0) this.silence.stop();
    if (this.socket.destroyed) return;
    if (this.mustWait()) this.socket.pause();
    this.watchHalfFrame();
    void this.work();
  }

  /** A sender of another protocol waits for an answer that we have not: it is cut off at its first bytes, which may hold a VT by chance. */
  private isOtherProtocol(chunk: Buffer): boolean {
    if (!this.isFirstChunk) return false;
    this.isFirstChunk = false;
    const protocol = protocolOf(chunk);
    if (protocol !== null) this.handler.onEvent?.({ kind: 'other-protocol', protocol, address: this.remoteAddress });
    return protocol !== null;
  }

  private take(event: FrameEvent): void {
    switch (event.kind) {
      case 'frame':
        this.spoken(() => !this.isWorking && !this.decoder.isInFrame && this.socket.writableLength === 0);
        this.queuedBytes += event.bytes.length;
        this.queue.push(event);
        return;
      case 'oversize':
        this.handler.onEvent?.({ kind: 'oversize' });
        this.queue.push(event);
        return;
      case 'flooded':
        this.handler.onEvent?.({ kind: 'junk-overflow' });
        this.destroy();
        return;
      case 'junk':
      case 'discarded':
        this.handler.onEvent?.({
          kind: event.kind === 'junk' ? 'junk' : 'discarded-frame',
          sizeBytes: event.sizeBytes,
          address: this.remoteAddress,
        });
    }
  }

  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    try {
      for (let next = this.queue.shift(); next !== undefined && this.isOpen; next = this.queue.shift())
        await this.answer(next);
    } catch (fault) {
      // The message may not be safe: nothing is answered, and the peer sends it again.
      this.handler.onEvent?.({ kind: 'handler-failed', fault });
      this.destroy();
    } finally {
      this.isWorking = false;
    }
    if (this.isEnding || this.hasPeerEnded) this.end();
  }

  private async answer(next: Work): Promise<void> {
    this.isHandling = true;
    const answer = await (
      next.kind === 'frame' ? this.handler.onFrame(next.bytes, this) : this.handler.onOversize(next.beginning, this)
    ).finally(() => (this.isHandling = false));
    if (next.kind === 'frame') this.queuedBytes -= next.bytes.length;
    else this.isEnding = true;
    this.idle.restart();
    if (answer !== null && this.isOpen && !this.socket.write(encodeFrame(answer))) await this.drained();
    if (this.socket.isPaused() && !this.isEnding && !this.mustWait()) {
      this.socket.resume();
      this.watchHalfFrame();
    }
  }

  /** Nothing is read from a peer that does not read its answers. */
  private async drained(): Promise<void> {
    const settled = new AbortController();
    const { signal } = settled;
    await Promise.race([once(this.socket, 'drain', { signal }), this.closed]).catch(() => undefined);
    settled.abort();
  }

  private mustWait(): boolean {
    return this.queue.length >= this.limits.readAheadFrames || this.queuedBytes >= this.limits.readAheadBytes;
  }

  private watchHalfFrame(): void {
    if (!this.decoder.isInFrame || this.socket.isPaused()) return this.stopHalfFrame();
    if (this.halfFrame !== null) return this.halfFrame.restart();
    this.halfFrame = this.timers.start(this.limits.halfFrameMs, () => {
      this.handler.onEvent?.({ kind: 'half-frame-closed', address: this.remoteAddress });
      this.destroy();
    });
  }

  private stopHalfFrame(): void {
    this.halfFrame?.stop();
    this.halfFrame = null;
  }

  private onIdle(): void {
    if (this.isHandling) return this.idle.restart();
    this.handler.onEvent?.({ kind: 'idle-closed' });
    this.destroy();
  }

  private onSilence(): void {
    this.handler.onEvent?.({ kind: 'silent-closed' });
    this.destroy();
  }

  private onPeerEnd(): void {
    this.hasPeerEnded = true;
    this.stopHalfFrame();
    if (!this.isWorking) this.end();
  }

  /**
   * Bytes that still arrive are read and dropped: closing a socket with unread bytes resets it, and the peer may never
   * see the answer.
   */
  private end(): void {
    this.isEnding = true;
    if (this.socket.destroyed || this.linger !== null) return;
    this.linger = this.timers.start(this.limits.lingerMs, () => this.destroy());
    this.socket.end();
    this.socket.resume();
  }

  private onClose(): void {
    this.idle.stop();
    this.silence.stop();
    this.stopHalfFrame();
    this.linger?.stop();
    this.isEnding = true;
    this.queue.length = 0;
    this.handler.onEvent?.({ kind: 'disconnected' });
  }
}

function commonNameOf(socket: Socket): string | null {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return null;
  const name = socket.getPeerCertificate().subject?.CN as unknown;
  return typeof name === 'string' ? name : null;
}
