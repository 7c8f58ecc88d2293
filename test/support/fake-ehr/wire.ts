import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlannedFaults } from './faults.js';

/** Largest body that is read, in bytes: 5 MiB inline must fit (US Core), in base64 and with the resource around it. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** One request, read to its end. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What is answered; `json` and `bytes` exclude each other. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Buffer;
}

/** Where calls of one listener are answered. */
export type Handler = (call: Call) => Answer | Promise<Answer>;

/** A listener on a port that the system chose, with the faults that are planned for its calls. */
export class Listener {
  private constructor(
    readonly origin: string,
    private readonly server: Server,
  ) {}

  static async open(handler: Handler, faults: PlannedFaults): Promise<Listener> {
    const server = createServer((request, response) => {
      void answer(request, response, handler, faults).catch((fault: unknown) => {
        // A fault of the fake itself must not look like a refusal of the EHR.
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
        response.end(fault instanceof Error ? (fault.stack ?? fault.message) : 'failed');
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new Listener(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handler: Handler,
  faults: PlannedFaults,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake.invalid');
  const [method, path] = [request.method ?? 'GET', pathname];
  const fault = faults.take(method, path);
  if (fault?.kind === 'drop-before') return void request.socket.destroy();
  const body = await readBody(request);
  if (body === null) return send(response, { status: 413, json: { error: 'too large' } });
  if (fault?.kind === 'hang-before') return;
  if (fault?.kind === 'answer') return send(response, fault.answer);
  if (fault?.kind === 'before') await fault.act();
  const work = async (): Promise<Answer> =>
    handler({ method, path, query: searchParams, headers: request.headers, body });
  if (fault?.kind === 'late') {
    fault.hold(work);
    return fault.answer === null ? void request.socket.destroy() : send(response, fault.answer);
  }
  const given = await work();
  if (fault === undefined || fault.kind === 'before') return send(response, given);
  switch (fault.kind) {
    case 'hang-after':
      return;
    case 'drop-after':
      return void request.socket.destroy();
    case 'accepted':
      return send(response, given.status === 201 ? { status: 202 } : given);
    case 'garbage':
      return send(response, { ...given, json: undefined, bytes: Buffer.from('<html>proxy</html>') });
    case 'slow':
      return trickle(response, given, fault.bytesEachSecond);
    case 'huge':
      return pour(response, given, fault.bytes);
  }
}

/** The body; null where it is larger than what is read. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= BODY_LIMIT_BYTES) parts.push(part);
  }
  return bytes > BODY_LIMIT_BYTES ? null : Buffer.concat(parts);
}

function formOf({ json, bytes, headers = {} }: Answer): { headers: Record<string, string>; body: Buffer } {
  if (bytes !== undefined) return { headers: { 'content-type': 'text/html', ...headers }, body: bytes };
  if (json === undefined) return { headers: { ...headers }, body: Buffer.alloc(0) };
  return { headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(JSON.stringify(json)) };
}

function send(response: ServerResponse, given: Answer): void {
  const { headers, body } = formOf(given);
  response.writeHead(given.status, { ...headers, 'content-length': String(body.length) }).end(body);
}

/** Sends the answer in steps of a tenth of a second: its end comes late, or never within the caller's patience. */
function trickle(response: ServerResponse, given: Answer, bytesEachSecond: number): void {
  const { headers, body } = formOf(given);
  response.writeHead(given.status, { ...headers, 'content-length': String(body.length) });
  response.flushHeaders();
  const step = Math.max(1, Math.floor(bytesEachSecond / 10));
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + step));
    sent += step;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  }, 100);
  response.on('close', () => clearInterval(timer));
}

/** Sends blanks before the answer, which JSON allows: whoever reads without a limit fills its memory. */
function pour(response: ServerResponse, given: Answer, bytes: number): void {
  const { headers, body } = formOf(given);
  response.writeHead(given.status, headers);
  const blanks = Buffer.alloc(64 * 1024, ' ');
  let left = bytes;
  const more = (): void => {
    while (left > 0) {
      left -= blanks.length;
      if (!response.write(blanks)) return void response.once('drain', more);
    }
    response.end(body);
  };
  more();
}
