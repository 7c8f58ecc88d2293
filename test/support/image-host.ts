import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeTlsIdentity } from './tls-identity.js';
import { freePort } from './free-port.js';

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A host of photos over https on this machine, by the names that it is given. */
export class ImageHost {
  readonly requested: string[] = [];
  answer: Answering = (_, response) => void response.writeHead(404).end();

  private constructor(
    private readonly server: Server,
    readonly ca: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requested.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
      this.answer(request, response);
    });
  }

  static async start(names: readonly string[]): Promise<ImageHost> {
    const { key, cert } = makeTlsIdentity(names);
    const server = createServer({ key, cert });
    const free = await freePort();
    await new Promise<void>((resolve) => server.listen(free, '127.0.0.1', resolve));
    return new ImageHost(server, cert);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
