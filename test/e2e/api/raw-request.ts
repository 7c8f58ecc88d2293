import { request, type IncomingHttpHeaders } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  /** Sent as it is: not normalized, not encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** In chunks, without Content-Length. */
  readonly chunked?: boolean;
}

/** One request, byte for byte as given; fetch would tidy up exactly what these tests send. */
export function sendRaw(
  baseUrl: string,
  { method, path, headers = {}, body, chunked = false }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const whole = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  // By name: Node.js announces the length of a body that it is given at once.
  const length = chunked ? { 'transfer-encoding': 'chunked' } : whole;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = /\bjson\b/.test(incoming.headers['content-type'] ?? '') && text !== '';
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: isJson ? JSON.parse(text) : null,
            text,
          });
        });
        // After a refusal in the middle of a body the connection is closed: what had arrived counts.
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
