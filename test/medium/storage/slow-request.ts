import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** A request whose body is sent by hand, and whose answer may come before its end. */
export class SlowRequest {
  readonly client: ClientRequest;
  readonly answer: Promise<Answer>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;

  constructor(url: URL, method: string, headers: Record<string, string> = {}) {
    // Kept alive, so that a connection that closes was closed by the server.
    this.client = request(url, { method, headers: { connection: 'keep-alive', ...headers }, agent: false });
    this.closed = new Promise((resolve) => this.client.on('close', () => resolve()));
    this.answer = new Promise((resolve, reject) => {
      this.client.on('response', (response) => void readAnswer(response).then(resolve, reject));
      this.client.on('error', reject);
    });
    this.answer.catch(() => undefined);
  }

  /** Resolves once the chunk was handed to the operating system. */
  send(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => this.client.write(chunk, (error) => (error ? reject(error) : resolve())));
  }

  end(chunk?: Uint8Array): Promise<Answer> {
    this.client.end(chunk);
    return this.answer;
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const body = await text(response);
  const code = body === '' ? null : (JSON.parse(body) as { code: string }).code;
  return { status: response.statusCode ?? 0, code, headers: response.headers };
}
