import * as http from 'node:http';
import * as https from 'node:https';
import { z } from 'zod';
import { EngineFailure } from './engine-failure.js';
import { decodeRun, encodeRun, longestAnswer, type AskedTensor, type SentTensor } from './engine-message.js';

const MAX_METADATA_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const OK = 200;
const NOT_FOUND = 404;
/** Answers of a server, or a proxy before it, that would take the request at another time. */
const BUSY: readonly (number | undefined)[] = [408, 425, 429, 502, 503, 504];
/** A server closed a connection, seen while waiting for its answer or while sending. */
const CLOSED: readonly (string | undefined)[] = ['ECONNRESET', 'EPIPE'];
const BINARY_EXTENSION = /^binary_tensor_data/;

const tensorSchema = z.object({ name: z.string(), datatype: z.string(), shape: z.array(z.number().int()) });
const metadataSchema = z.object({
  inputs: z.array(tensorSchema),
  outputs: z.array(tensorSchema),
  parameters: z.record(z.string(), z.unknown()).optional(),
});
const serverSchema = z.object({ extensions: z.array(z.string()).default([]) });
const configSchema = z.object({ parameters: z.record(z.string(), z.unknown()).default({}) });

/** An input or output as the server declares it; a size of -1 may vary. */
export type ServedTensor = z.infer<typeof tensorSchema>;

/** A model as an inference server describes it. */
export interface ServedModel {
  readonly inputs: readonly ServedTensor[];
  readonly outputs: readonly ServedTensor[];
  /** Of the weights; null where the server does not say. */
  readonly sha256: string | null;
  /** Tensors go as raw bytes. */
  readonly binary: boolean;
}

interface ClientOptions {
  /** Of one request, from its beginning to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Authorities in PEM; undefined: those of Node.js. */
  readonly ca?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One inference server that speaks the Open Inference Protocol (KServe V2, REST). Every method throws EngineFailure. */
export class EngineClient {
  /** Host and port, for logs. */
  readonly server: string;
  private readonly base: URL;
  private readonly agent: http.Agent;

  constructor(
    url: string,
    private readonly options: ClientOptions,
  ) {
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
    this.server = this.base.host;
    const { ca } = options;
    this.agent =
      this.base.protocol === 'https:'
        ? new https.Agent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) })
        : new http.Agent({ keepAlive: true });
  }

  /** The model with this name, once the server says that it is ready. */
  async describe(model: string): Promise<ServedModel> {
    const path = `v2/models/${encodeURIComponent(model)}`;
    await this.get(`${path}/ready`);
    const { inputs, outputs, parameters } = read(await this.get(path), metadataSchema);
    const { extensions } = read(await this.get('v2'), serverSchema);
    const sha256 = sha256Of(parameters) ?? sha256Of(await this.parametersOfConfig(path));
    return { inputs, outputs, sha256, binary: extensions.some((name) => BINARY_EXTENSION.test(name)) };
  }

  /** One run; the tensors that were asked for, by name. */
  async infer(
    model: string,
    input: SentTensor,
    asked: readonly AskedTensor[],
    binary: boolean,
  ): Promise<Record<string, Float32Array>> {
    const request = encodeRun(input, asked, binary);
    const path = `v2/models/${encodeURIComponent(model)}/infer`;
    const { headers, body } = await this.exchange('POST', path, longestAnswer(asked), request);
    const jsonBytes = headers['inference-header-content-length'];
    if (Array.isArray(jsonBytes)) throw new EngineFailure('malformed', 'an answer states its length twice');
    return decodeRun(body, jsonBytes, asked);
  }

  close(): void {
    this.agent.destroy();
  }

  /** Triton keeps the parameters of a model in its configuration; other servers have no such address. */
  private async parametersOfConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.send('GET', `${path}/config`, MAX_METADATA_BYTES);
    return answer.status === OK ? read(answer, configSchema).parameters : {};
  }

  private get(path: string): Promise<Answer> {
    return this.exchange('GET', path, MAX_METADATA_BYTES);
  }

  private async exchange(...request: Parameters<EngineClient['send']>): Promise<Answer> {
    const [, path] = request;
    const answer = await this.send(...request);
    if (answer.status === OK) return answer;
    const detail = `answers ${answer.status} to ${path}`;
    const missing = answer.status === NOT_FOUND ? '; is the model in its repository?' : '';
    throw new EngineFailure(BUSY.includes(answer.status) ? 'busy' : 'refused', detail + missing);
  }

  /** A server may close a kept connection just when it is used again; then a new one is tried. */
  private async send(...request: Parameters<EngineClient['sendOnce']>): Promise<Answer> {
    try {
      return await this.sendOnce(...request);
    } catch (error) {
      if (!(error instanceof ClosedConnection)) throw error;
      return this.sendOnce(...request);
    }
  }

  private sendOnce(
    method: string,
    path: string,
    maxBytes: number,
    { headers, body }: { headers: Readonly<Record<string, string>>; body: Buffer } = {
      headers: {},
      body: Buffer.alloc(0),
    },
  ): Promise<Answer> {
    const { agent, base, options } = this;
    const send = base.protocol === 'https:' ? https.request : http.request;
    return new Promise((resolve, reject) => {
      const request = send(new URL(path, base), {
        method,
        agent,
        headers: { ...headers, 'content-length': body.length },
        maxHeaderSize: MAX_HEADER_BYTES,
      });
      let answered = false;
      const fail = (error: EngineFailure) => {
        clearTimeout(limit);
        reject(error);
        request.destroy();
      };
      const limit = setTimeout(
        () => fail(new EngineFailure('timeout', `gives no whole answer within ${options.timeoutMs} ms`)),
        options.timeoutMs,
      );
      request.on('error', (error: NodeJS.ErrnoException) => {
        const stale = !answered && request.reusedSocket && CLOSED.includes(error.code);
        fail(stale ? new ClosedConnection() : asFailure(error));
      });
      request.on('upgrade', (_, socket) => {
        socket.destroy();
        fail(new EngineFailure('malformed', 'turns to another protocol'));
      });
      request.on('response', (response) => {
        answered = true;
        collect(response, maxBytes, fail, (answer) => {
          clearTimeout(limit);
          resolve(answer);
        });
      });
      request.end(body);
    });
  }
}

/** Reads an answer to its end; one of more than `maxBytes` fails as soon as it is known. */
function collect(
  response: http.IncomingMessage,
  maxBytes: number,
  fail: (failure: EngineFailure) => void,
  done: (answer: Answer) => void,
): void {
  const parts: Buffer[] = [];
  let size = 0;
  response.on('data', (part: Buffer) => {
    size += part.length;
    if (size > maxBytes) fail(new EngineFailure('malformed', 'an answer is longer than its tensors'));
    else parts.push(part);
  });
  response.on('error', () => fail(new EngineFailure('unreachable', 'breaks off in the middle of an answer')));
  response.on('end', () =>
    done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
  );
}

class ClosedConnection extends EngineFailure {
  constructor() {
    super('unreachable', 'closes its connections');
  }
}

/** Node's codes of HTTP that cannot be parsed begin with HPE_. */
function asFailure({ code }: NodeJS.ErrnoException): EngineFailure {
  return code?.startsWith('HPE_') === true
    ? new EngineFailure('malformed', `sends no HTTP that can be read (${code})`)
    : new EngineFailure('unreachable', `cannot be reached (${code ?? 'unknown'})`);
}

function read<S extends z.ZodType>({ body }: Answer, schema: S): z.output<S> {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new EngineFailure('malformed', 'describes its model otherwise than the protocol wants');
  }
}

/** A text, or Triton's object around it. */
function sha256Of(parameters: Readonly<Record<string, unknown>> | undefined): string | null {
  const value = parameters?.['sha256'];
  if (typeof value === 'string') return value;
  const inner = z.object({ string_value: z.string() }).safeParse(value);
  return inner.success ? inner.data.string_value : null;
}
