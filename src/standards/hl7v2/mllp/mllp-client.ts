import type { Socket } from 'node:net';
import { readAcknowledgment, type Acknowledgment } from './acknowledgment.js';
import { faultCodeOf, openSocket, type ClientAddress } from './client-socket.js';
import { encodeFrame, FrameDecoder } from './frame-decoder.js';
import { SYSTEM_TIMERS, type RunningTimer, type Timers } from './mllp-timers.js';

export interface MllpClientOptions extends ClientAddress {
  /** Default: 10 s. */
  readonly connectTimeoutMs?: number;
  readonly timers?: Timers;
  /**
   * Called for an acknowledgment that does not belong to the message in flight: a late one, the second one of enhanced
   * mode, or one with a wrong MSA-2.
   */
  onOther?(acknowledgment: Acknowledgment): void;
}

/**
 * The reason why there is no acknowledgment. The connection is gone in every case, and the next `send` opens a new one.
 */
export class MllpDeliveryError extends Error {
  override readonly name = 'MllpDeliveryError';
  /**
   * `code`: Node's code for the fault of the connection or its handshake (`ECONNREFUSED`, `CERT_HAS_EXPIRED`); null:
   * there was none.
   */
  constructor(
    readonly reason: 'unreachable' | 'tls' | 'timeout' | 'closed' | 'unreadable',
    readonly code: string | null = null,
  ) {
    super(`No acknowledgment: ${reason}`);
  }

  /** False: no byte of the message was sent. True: it may or may not have arrived. */
  get mayHaveArrived(): boolean {
    return this.reason !== 'unreachable' && this.reason !== 'tls';
  }
}

interface Flight {
  readonly controlId: string;
  readonly timer: RunningTimer;
  settle(outcome: Acknowledgment | MllpDeliveryError): void;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Acknowledgments are small; anything larger is refused. */
const LIMITS = { maxFrameBytes: 1024 * 1024, maxJunkBytes: 64 * 1024 };

/**
 * One connection to one receiver, opened by the first message, kept, and reopened when needed. One message in flight.
 */
export class MllpClient {
  private socket: Socket | null = null;
  private opening: Promise<Socket> | null = null;
  private flight: Flight | null = null;
  /** The fault of the present or the last connection. */
  private faultCode: string | null = null;
  private readonly timers: Timers;

  constructor(private readonly options: MllpClientOptions) {
    this.timers = options.timers ?? SYSTEM_TIMERS;
  }

  get isConnected(): boolean {
    return this.socket !== null && this.opening === null;
  }

  /**
   * Sends a message (without frame) and waits for the acknowledgment whose MSA-2 is `controlId`; others are passed to onOther. MllpDeliveryError.
   * After a timeout the connection is destroyed, so that a late answer cannot be taken for that of the next message.
   */
  async send(message: Uint8Array, controlId: string, timeoutMs: number): Promise<Acknowledgment> {
    if (this.flight !== null || this.opening !== null) throw new Error('A message is in flight.');
    const socket = this.socket ?? (await this.open());
    return new Promise((answered, failed) => {
      const timer = this.timers.start(timeoutMs, () => this.drop('timeout'));
      const settle = (outcome: Acknowledgment | MllpDeliveryError) =>
        outcome instanceof MllpDeliveryError ? failed(outcome) : answered(outcome);
      this.flight = { controlId, timer, settle };
      socket.write(encodeFrame(message));
    });
  }

  /**
   * Sends a message that gets no answer (an application acknowledgment of enhanced mode). Resolves once the connection
   * has taken its bytes. MllpDeliveryError.
   */
  async transmit(message: Uint8Array, timeoutMs: number): Promise<void> {
    if (this.flight !== null || this.opening !== null) throw new Error('A message is in flight.');
    const socket = this.socket ?? (await this.open());
    const timer = this.timers.start(timeoutMs, () => this.drop('timeout'));
    try {
      await new Promise<void>((taken, failed) =>
        socket.write(encodeFrame(message), (error) => (error ? failed(new MllpDeliveryError('closed')) : taken())),
      );
    } finally {
      timer.stop();
    }
  }

  /** A message in flight ends with `closed`. */
  close(): void {
    this.drop('closed');
  }

  private async open(): Promise<Socket> {
    this.opening = this.connect();
    try {
      return await this.opening;
    } finally {
      this.opening = null;
    }
  }

  private connect(): Promise<Socket> {
    const socket = openSocket(this.options);
    this.socket = socket;
    return new Promise((connected, failed) => {
      let reason: MllpDeliveryError['reason'] = 'unreachable';
      this.faultCode = null;
      const timer = this.timers.start(this.options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, () => {
        this.faultCode ??= 'ETIMEDOUT';
        socket.destroy();
      });
      const onClose = () => {
        timer.stop();
        const wasGivenUp = this.socket !== socket;
        if (!wasGivenUp) this.socket = null;
        failed(wasGivenUp ? new MllpDeliveryError('closed') : new MllpDeliveryError(reason, this.faultCode));
      };
      // After the connection is made, only the handshake can still fail.
      if (this.options.tls !== null) socket.once('connect', () => (reason = 'tls'));
      socket.on('error', (fault: NodeJS.ErrnoException) => (this.faultCode ??= faultCodeOf(fault)));
      socket.once('close', onClose);
      socket.once(this.options.tls === null ? 'connect' : 'secureConnect', () => {
        timer.stop();
        socket.off('close', onClose);
        this.listen(socket);
        connected(socket);
      });
    });
  }

  private listen(socket: Socket): void {
    const decoder = new FrameDecoder(LIMITS);
    socket.on('data', (chunk: Buffer) => {
      for (const event of decoder.push(chunk)) {
        if (event.kind === 'frame') this.take(event.bytes);
        if (event.kind === 'oversize' || event.kind === 'flooded') this.drop('unreadable');
      }
    });
    const onEnd = () => {
      if (this.socket === socket) this.drop('closed');
    };
    socket.once('end', onEnd);
    socket.once('close', onEnd);
  }

  private take(bytes: Buffer): void {
    const acknowledgment = readAcknowledgment(bytes);
    if (acknowledgment === null) return;
    const { flight } = this;
    if (flight === null || acknowledgment.controlId !== flight.controlId) {
      this.options.onOther?.(acknowledgment);
      return;
    }
    this.flight = null;
    flight.timer.stop();
    flight.settle(acknowledgment);
  }

  private drop(reason: MllpDeliveryError['reason']): void {
    const { socket, flight } = this;
    this.socket = null;
    this.flight = null;
    socket?.destroy();
    flight?.timer.stop();
    flight?.settle(new MllpDeliveryError(reason, reason === 'closed' ? this.faultCode : null));
  }
}
