import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks that answers what it is told to. */
export class AnsweringReceiver {
  private answer: { readonly headers: Readonly<Record<string, string>>; readonly bytes: Buffer } = {
    headers: {},
    bytes: Buffer.alloc(0),
  };
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      request.resume();
      const { headers, bytes } = this.answer;
      response.on('error', () => undefined);
      request.on('end', () => response.writeHead(200, headers).end(bytes));
    });
  }

  static async start(): Promise<AnsweringReceiver> {
    const receiver = new AnsweringReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  answerWith(answer: AnsweringReceiver['answer']): void {
    this.answer = answer;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
