import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { freePort } from '../support/free-port.js';

/** Passes bytes on to a server until it is told to keep silent, as a firewall that drops packets does. */
export class SilentRelay {
  private readonly sockets = new Set<Socket>();
  private isSilent = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.relay(client));
  }

  static async start(target: string): Promise<SilentRelay> {
    const relay = new SilentRelay(createServer({ pauseOnConnect: true }), new URL(target));
    const free = await freePort();
    relay.server.listen(free, '127.0.0.1');
    await once(relay.server, 'listening');
    return relay;
  }

  get url(): string {
    return Object.assign(new URL(this.target), { port: String((this.server.address() as AddressInfo).port) }).href;
  }

  /** From now on nothing gets through, and nothing is closed. */
  silence(): void {
    this.isSilent = true;
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket): void {
    this.keep(client);
    if (this.isSilent) return;
    const server = connect(Number(this.target.port), this.target.hostname);
    this.keep(server);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.pipe(server).pipe(client);
    client.resume();
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}
