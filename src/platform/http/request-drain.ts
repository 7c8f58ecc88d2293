import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Waits of a graceful stop, in milliseconds. */
export interface DrainLimits {
  /** Wait for a connection on which no request has arrived yet, or half of one. */
  readonly headMs: number;
  /** Wait for the answers, from the beginning of the stop. */
  readonly answerMs: number;
}

/**
 * Rounds of the event loop: connections are accepted in the first, requests on them are read in the second, and one
 * to spare.
 */
const ROUNDS = 3;

/**
 * Ends an HTTP server in order: requests sent before the stop are answered, and every connection is closed with its
 * answer. Node closes only the connections that are idle at that moment. One that still waits for its answer would be
 * kept alive after it for KEEP_ALIVE_TIMEOUT_MS, and the server would not end before.
 */
export class RequestDrain {
  private readonly sockets = new Set<Socket>();
  private readonly open = new Set<ServerResponse>();
  private draining = false;
  private stopping: Promise<void> | undefined;
  private ending: Promise<number> = Promise.resolve(0);
  private onAnswered: () => void = () => undefined;

  constructor(
    private readonly server: Server,
    private readonly limits: DrainLimits,
  ) {
    // Of TLS the requests know the inner socket, and a handshake has a time limit of its own.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** True once requests are no longer taken. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** To be called with every request before it is dealt with. */
  take(response: ServerResponse): void {
    this.open.add(response);
    if (this.draining) response.setHeader('connection', 'close');
    response.once('finish', () => this.settle(response)).once('close', () => this.settle(response));
  }

  /** Accepts the requests that have reached this machine, then refuses new ones. Resolves before the answers are sent. */
  begin(): Promise<void> {
    this.stopping ??= this.stopTaking();
    return this.stopping;
  }

  /**
   * Resolves when every answer is sent and every connection closed, with the number of requests that the limit cut
   * off.
   */
  async end(): Promise<number> {
    await this.begin();
    return this.ending;
  }

  private async stopTaking(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
    this.draining = true;
    const lastAnswers = new Map([...this.open].map((response) => [response.req.socket, response]));
    for (const response of lastAnswers.values()) if (!response.headersSent) response.setHeader('connection', 'close');
    this.ending = this.empty();
  }

  private async empty(): Promise<number> {
    const closed = new Promise<void>((resolve) => void this.server.close(() => resolve()));
    const answered = new Promise<void>((resolve) => {
      this.onAnswered = resolve;
      if (this.open.size === 0) resolve();
    });
    const patience = setTimeout(() => this.closeUnused(), this.limits.headMs);
    let limit: NodeJS.Timeout | undefined;
    const overdue = new Promise<number>((resolve) => {
      limit = setTimeout(() => resolve(this.cutOff()), this.limits.answerMs);
    });
    const cut = await Promise.race([Promise.all([closed, answered]).then(() => 0), overdue]);
    clearTimeout(patience);
    clearTimeout(limit);
    return cut;
  }

  private settle(response: ServerResponse): void {
    if (!this.open.delete(response) || !this.draining) return;
    const { socket } = response.req;
    // The head of the answer may have been sent before the stop, with a promise to keep the connection.
    if (!this.isUsed(socket)) socket.destroySoon();
    if (this.open.size === 0) this.onAnswered();
  }

  private closeUnused(): void {
    for (const socket of this.sockets) if (!this.isUsed(socket)) socket.destroy();
  }

  private cutOff(): number {
    const cut = this.open.size;
    for (const response of [...this.open]) response.req.socket.destroy();
    for (const socket of this.sockets) socket.destroy();
    return cut;
  }

  private isUsed(socket: Socket): boolean {
    return [...this.open].some((response) => response.req.socket === socket);
  }
}
