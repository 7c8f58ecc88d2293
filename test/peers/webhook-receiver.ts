import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { freePort } from '../support/free-port.js';

/** An event as it came in. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
  /** The caller's: one for each connection. */
  readonly port: number;
  /** null: it is XML. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into events of every type
  readonly event: any;
}

const isXml = (headers: IncomingHttpHeaders): boolean => /xml/.test(headers['content-type'] ?? '');

type Reply = number | ((response: ServerResponse, received: ReceivedWebhook) => void);

const PATH = '/events';

/** A receiver of webhooks on a port of its own; it answers as a test wants. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** A status, or the whole answer. */
  reply: Reply = 204;

  private constructor(
    private readonly server: Server,
    private readonly origin: string,
  ) {}

  /** With a key and a certificate for `localhost`: over TLS. */
  static async start(tls?: { readonly key: string; readonly cert: string }): Promise<WebhookReceiver> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    const receiver = new WebhookReceiver(server, tls === undefined ? 'http://127.0.0.1' : 'https://localhost');
    server.on('request', (request, response) => {
      // Another test may still ask a server that had this port before.
      if (request.method !== 'POST' || request.url !== PATH) return void response.writeHead(404).end();
      void readText(request).then(
        (body) => {
          const { headers, url: path = '' } = request;
          const id = String(headers['webhook-id']);
          const port = request.socket.remotePort ?? 0;
          const received = {
            id,
            headers,
            body,
            path,
            port,
            event: isXml(headers) ? null : (JSON.parse(body) as unknown),
          };
          receiver.received.push(received);
          if (typeof receiver.reply === 'number') response.writeHead(receiver.reply).end();
          else receiver.reply(response, received);
        },
        () => undefined,
      );
    });
    const free = await freePort();
    await new Promise<void>((resolve) => server.listen(free, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `${this.origin}:${(this.server.address() as AddressInfo).port}${PATH}`;
  }

  get types(): string[] {
    return this.received.map(({ event }) => (event as { type: string }).type);
  }

  forget(): void {
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
