import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

const PACKAGE = resolve(__dirname, '../..');

/** Serves the built package and the runner to a page, from an origin of its own. */
export class PageServer {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<PageServer> {
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://page').pathname;
      if (!/^\/(?:dist|test(?:\/browser)?)\/[\w-]+\.mjs$/.test(path))
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>');
      readFile(`${PACKAGE}${path}`).then(
        (bytes) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PageServer(server);
  }

  /** As a browser names it. */
  get origin(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
