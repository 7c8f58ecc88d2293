import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeClientKey, type ClientKey } from './smart-client.js';
import { SignJWT } from 'jose';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** An EHR over http on this machine: a base of its own, documents at paths below it, and a key that it signs its calls with. */
export class EhrHost {
  /** By path below the base; a function answers by itself. */
  readonly documents = new Map<string, object | Answering>();
  readonly requested: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly path: string,
    readonly key: ClientKey,
  ) {
    this.documents.set('/jwks.json', { keys: [key.publicJwk] });
    server.on('request', (request, response) => this.answer(request, response));
  }

  static async start(): Promise<EhrHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new EhrHost(server, `/${randomUUID()}/fhir`, await makeClientKey('ES384'));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get base(): string {
    return `${this.origin}${this.path}`;
  }

  get issuer(): string {
    return `${this.base}/cds`;
  }

  get keySetUrl(): string {
    return `${this.base}/jwks.json`;
  }

  /** The token of one call of CDS Hooks, but for the claims that are wished otherwise. */
  token(address: string, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return new SignJWT({ iss: this.issuer, aud: address, jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: this.key.alg, kid: this.key.kid, typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime('4m')
      .sign(this.key.privateKey);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').slice(this.path.length);
    this.requested.push(`${request.method} ${request.url}`);
    const found = request.url?.startsWith(this.path) === true ? this.documents.get(path) : undefined;
    if (typeof found === 'function') return found(request, response);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(found === undefined ? '{}' : JSON.stringify(found));
  }
}
