import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { freePort } from '../support/free-port.js';

/** What a pooler does with the options that a session is opened with: PgBouncer refuses them, or is set to ignore them. */
export type PoolerHabit = 'refuses options' | 'drops options';

/** Stands before a PostgreSQL server as PgBouncer does while a connection is opened: only the startup packet is read, the rest is passed on. */
export class PoolerPeer {
  private readonly server: Server;

  private constructor(
    private readonly target: URL,
    private readonly habit: PoolerHabit,
  ) {
    this.server = createServer((client) => void this.open(client).catch(() => client.destroy()));
  }

  static async start(databaseUrl: string, habit: PoolerHabit): Promise<PoolerPeer> {
    const peer = new PoolerPeer(new URL(databaseUrl), habit);
    const free = await freePort();
    peer.server.listen(free, '127.0.0.1');
    await once(peer.server, 'listening');
    return peer;
  }

  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  async stop(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }

  private async open(client: Socket): Promise<void> {
    const [packet] = (await once(client, 'data')) as [Buffer];
    const words = packet
      .subarray(8, packet.readInt32BE(0))
      .toString('latin1')
      .split('\0')
      .filter((word) => word !== '');
    const parameters = words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1] ?? '']] : []));
    if (this.habit === 'refuses options' && parameters.some(([name]) => name === 'options')) {
      client.end(errorResponse('08P01', 'unsupported startup parameter: options'));
      return;
    }
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const)
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    server.write(startupPacket(parameters.filter(([name]) => name !== 'options')));
    client.pipe(server).pipe(client);
  }
}

/** PostgreSQL 55.7, StartupMessage, protocol 3.0. */
function startupPacket(parameters: readonly (readonly string[])[]): Buffer {
  const body = Buffer.from(`${parameters.flat().join('\0')}\0\0`, 'latin1');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, body]);
}

/** PostgreSQL 55.7, ErrorResponse. */
function errorResponse(code: string, message: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`, 'latin1');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
