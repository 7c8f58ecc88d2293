import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { freePort } from '../support/free-port.js';

/** Whether the server still gets what is on its way when it happens, so that the work is done and its answer is lost. */
export type Cut = 'before' | 'after';

/** Passes bytes on to a database, and strikes at a chosen one of the things that are sent to it. */
export class CuttingRelay {
  private readonly sockets = new Set<Socket>();
  private left = Number.POSITIVE_INFINITY;
  private cut: Cut = 'before';
  private strike: () => void = () => undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.relay(client));
  }

  static async start(target: string): Promise<CuttingRelay> {
    const relay = new CuttingRelay(createServer(), new URL(target));
    relay.server.listen(await freePort(), '127.0.0.1');
    await once(relay.server, 'listening');
    return relay;
  }

  get url(): string {
    return Object.assign(new URL(this.target), { port: String((this.server.address() as AddressInfo).port) }).href;
  }

  /** At the `step`-th chunk from now on `strike` is called, once, and every connection ends. */
  arm(step: number, cut: Cut, strike: () => void = () => undefined): void {
    [this.left, this.cut, this.strike] = [step, cut, strike];
  }

  /** Since it was armed last. */
  get hasStruck(): boolean {
    return !Number.isFinite(this.left);
  }

  /** False: it struck already. */
  disarm(): boolean {
    const isArmed = !this.hasStruck;
    this.left = Number.POSITIVE_INFINITY;
    return isArmed;
  }

  async stop(): Promise<void> {
    this.end();
    this.server.close();
    await once(this.server, 'close');
  }

  private end(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private relay(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    }
    client.on('close', () => server.end());
    server.on('close', () => client.destroy());
    server.pipe(client);
    client.on('data', (chunk: Buffer) => this.pass(chunk, server));
  }

  private pass(chunk: Buffer, server: Socket): void {
    this.left -= 1;
    if (this.left !== 0) return void server.write(chunk);
    this.disarm();
    this.strike();
    if (this.cut === 'before') return this.end();
    // What was written is sent before the connection ends; nobody is left to hear of it.
    for (const socket of this.sockets) if (socket !== server) socket.destroy();
    server.end(chunk);
  }
}
