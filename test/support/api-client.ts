import { expectDeclared } from './declared-refusals.js';
import { eventually } from './eventually.js';

/** An HTTP answer, read to its end. `body` is the parsed JSON where the answer is JSON, else null. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export interface RequestOptions {
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the client's own key; null sends none. */
  readonly key?: string | null;
  readonly timeoutMs?: number;
}

export async function send(method: string, url: string, wish: RequestOptions = {}): Promise<Answer> {
  const headers: Record<string, string> = { ...wish.headers };
  if (wish.key !== undefined && wish.key !== null) headers['authorization'] ??= `Bearer ${wish.key}`;
  if (wish.json !== undefined) headers['content-type'] ??= 'application/json';
  const body = wish.json !== undefined ? JSON.stringify(wish.json) : (wish.bytes as RequestInit['body']);
  const signal = AbortSignal.timeout(wish.timeoutMs ?? 35_000);
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && bytes.length > 0;
  const answer = isJson ? JSON.parse(bytes.toString('utf8')) : null;
  if (response.status >= 400) expectDeclared(method, url, response.status, answer);
  return { status: response.status, headers: response.headers, bytes, body: answer };
}

/** The native contract from a caller's side, as thin as can be. Only `expect…` shortcuts throw on an unexpected status. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    readonly key: string | null,
  ) {}

  /** The same caller at another gateway. */
  at(baseUrl: string): ApiClient {
    return new ApiClient(baseUrl, this.key);
  }

  request(method: string, path: string, wish: RequestOptions = {}): Promise<Answer> {
    return send(method, path.startsWith('http') ? path : `${this.baseUrl}${path}`, { key: this.key, ...wish });
  }

  requestUpload(json?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request('POST', '/api/v1/images/upload-url', { headers, ...(json === undefined ? {} : { json }) });
  }

  /** PUTs to the signed address, which takes no key. */
  putPhoto(uploadUrl: string, bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send('PUT', uploadUrl, { bytes, headers });
  }

  createJob(json: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request('POST', '/api/v1/analysis/jobs', { json, headers });
  }

  readJob(jobId: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request('GET', `/api/v1/analysis/jobs/${jobId}`, { headers });
  }

  /** Asks for an upload address and PUTs the photo. Answers the image id. */
  async uploadPhoto(bytes: Uint8Array): Promise<string> {
    const ticket = expectStatus(201, await this.requestUpload());
    expectStatus(200, await this.putPhoto(ticket.body.uploadUrl, bytes, ticket.body.headers));
    return ticket.body.imageId as string;
  }

  /** Creates a job and answers its view. */
  async startJob(json: unknown): Promise<Answer['body']> {
    return expectStatus(201, await this.createJob(json)).body;
  }

  /** The view of the job once it has ended. */
  async waitForJob(jobId: string, timeoutMs = 60_000): Promise<Answer['body']> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const answer = expectStatus(200, await this.readJob(jobId, { prefer: 'wait=5' }));
      if (answer.body.status === 'completed' || answer.body.status === 'error') return answer.body;
      if (performance.now() > end)
        throw new Error(
          `Job ${jobId} is still ${answer.body.status} after ${timeoutMs} ms, attempts ${answer.body.attempts}.`,
        );
    }
  }

  /** The whole flow; the ended job's view. */
  async analyse(bytes: Uint8Array, extra: Readonly<Record<string, unknown>> = {}): Promise<Answer['body']> {
    const imageId = await this.uploadPhoto(bytes);
    const job = await this.startJob({ imageId, ...extra });
    return this.waitForJob(job.id);
  }
}

export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status)
    throw new Error(`Expected ${status}, got ${answer.status}: ${answer.bytes.toString('utf8').slice(0, 500)}`);
  return answer;
}

/**
 * Creates a job as a careful client does: the same Idempotency-Key until an answer settles it, through lost connections,
 * 503, 502 and in-flight conflicts. `clients` are asked in turn, so that one gateway may be down.
 */
export async function createJobSurely(
  clients: () => readonly ApiClient[],
  json: unknown,
  idempotencyKey: string,
  timeoutMs = 60_000,
): Promise<Answer> {
  let attempts = 0;
  return eventually(
    'a gateway settled the request',
    async () => {
      const candidates = clients();
      const client = candidates[attempts % candidates.length];
      attempts += 1;
      const answer = await client?.createJob(json, { 'idempotency-key': idempotencyKey }).catch(() => undefined);
      return answer !== undefined && isSettled(answer) ? answer : null;
    },
    timeoutMs,
    100,
  );
}

function isSettled({ status, body }: Answer): boolean {
  return [409, 429].includes(status) ? body?.code !== 'idempotency.in_flight' : ![502, 503].includes(status);
}
