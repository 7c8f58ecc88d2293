import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';

const SIDE = 256;
const PLANE = SIDE * SIDE;
const FLOAT_BYTES = 4;

const requestSchema = z.strictObject({
  inputs: z.tuple([
    z.strictObject({
      name: z.literal('image'),
      datatype: z.enum(['FP32', 'UINT8']),
      shape: z.tuple([z.literal(1), z.literal(3), z.literal(SIDE), z.literal(SIDE)]),
      parameters: z.strictObject({ binary_data_size: z.number() }).optional(),
      data: z
        .array(z.number())
        .length(3 * PLANE)
        .optional(),
    }),
  ]),
  outputs: z.array(z.strictObject({ name: z.string(), parameters: z.strictObject({ binary_data: z.boolean() }) })),
});
type InferRequest = z.infer<typeof requestSchema>;

export interface FakeEngineOptions {
  readonly model: string;
  readonly sha256?: string;
  /** Triton keeps it in the model's configuration, others in its metadata. */
  readonly sha256In?: 'config' | 'metadata';
  readonly datatype?: 'FP32' | 'UINT8';
  readonly binary?: boolean;
  readonly side?: number;
  readonly outputName?: string;
}

/** How a run is answered instead: the true answer is there to be spoilt. */
export type Misbehaviour = (
  response: ServerResponse,
  answer: FakeAnswer,
  request: IncomingMessage,
) => void | Promise<void>;

interface FakeAnswer {
  readonly json: Buffer;
  readonly raw: Buffer;
}

/**
 * An inference server of the Open Inference Protocol (KServe V2, REST) over a real socket, with the model for tests: red minus green over 0.3
 * is wound. Strict: whatever the protocol does not allow is answered 400.
 */
export class FakeEngine {
  runs = 0;
  /** What was wrong with requests. */
  readonly objections: string[] = [];
  misbehave: Misbehaviour | undefined;
  ready = true;
  /** Red minus green from which on it is wound: other weights have another. */
  border = 0.3;
  /** Closes the connection of the next run before it is read. */
  closeNext = false;
  private server: Server | undefined;
  private port = 0;
  private readonly sockets = new Set<Socket>();

  constructor(public options: FakeEngineOptions) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens; after `stop`, again on the same port. */
  async start(): Promise<this> {
    const server = createServer((request, response) => void this.answer(request, response));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { model } = this.options;
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (this.closeNext && request.method === 'POST') {
      this.closeNext = false;
      return void request.socket.destroy();
    }
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    switch (`${request.method ?? ''} ${request.url ?? ''}`) {
      case 'GET /v2':
        return void json({ name: 'fake', version: '1', extensions: this.isBinary ? ['binary_tensor_data'] : [] });
      case `GET /v2/models/${model}/ready`:
        return void json({}, this.ready ? 200 : 503);
      case `GET /v2/models/${model}`:
        return void json(this.metadata());
      case `GET /v2/models/${model}/config`:
        return this.options.sha256In === 'config'
          ? void json({ name: model, parameters: { sha256: { string_value: this.options.sha256 } } })
          : void json({ error: 'not found' }, 404);
      case `POST /v2/models/${model}/infer`:
        return this.infer(request, response, body);
      default:
        return void json({ error: 'not found' }, 404);
    }
  }

  private get isBinary(): boolean {
    return this.options.binary ?? true;
  }

  private metadata() {
    const { model, sha256, sha256In, datatype = 'FP32', side = SIDE, outputName = 'probability' } = this.options;
    return {
      name: model,
      versions: ['1'],
      platform: 'fake',
      inputs: [{ name: 'image', datatype, shape: [-1, 3, side, side] }],
      outputs: [{ name: outputName, datatype: 'FP32', shape: [-1, 1, side, side] }],
      ...(sha256In === 'metadata' ? { parameters: { sha256 } } : {}),
    };
  }

  private infer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    this.runs += 1;
    let answer: FakeAnswer;
    try {
      answer = this.compute(request, body);
    } catch (error) {
      this.objections.push(String(error));
      return void response.writeHead(400).end(JSON.stringify({ error: 'bad request' }));
    }
    if (this.misbehave !== undefined) return void this.misbehave(response, answer, request);
    sendAnswer(response, answer);
  }

  private compute({ headers }: IncomingMessage, body: Buffer): FakeAnswer {
    if (headers['content-length'] !== String(body.length)) throw new Error('no Content-Length');
    const binary = headers['inference-header-content-length'] !== undefined;
    if (binary !== this.isBinary) throw new Error('the binary extension is used otherwise than offered');
    const type = binary ? 'application/octet-stream' : 'application/json';
    if (headers['content-type'] !== type) throw new Error(`Content-Type is not ${type}`);
    const jsonEnd = binary ? Number(headers['inference-header-content-length']) : body.length;
    const run = requestSchema.parse(JSON.parse(body.subarray(0, jsonEnd).toString('utf8')));
    const colours = colourReader(run, body.subarray(jsonEnd));
    if (run.inputs[0].datatype !== (this.options.datatype ?? 'FP32')) throw new Error('another datatype than declared');
    const values = Float32Array.from({ length: PLANE }, (_, at) => {
      const logit = 60 * (colours(at) - colours(PLANE + at) - this.border);
      return 1 / (1 + Math.exp(-logit));
    });
    const raw = Buffer.from(values.buffer);
    const output = { name: 'probability', datatype: 'FP32', shape: [1, 1, SIDE, SIDE] };
    const described = binary
      ? { ...output, parameters: { binary_data_size: raw.length } }
      : { ...output, data: Array.from(values) };
    const json = Buffer.from(JSON.stringify({ model_name: this.options.model, outputs: [described] }));
    return { json, raw: binary ? raw : Buffer.alloc(0) };
  }
}

/** The answer as the protocol wants it. */
export function sendAnswer(response: ServerResponse, { json, raw }: FakeAnswer): void {
  const extended = raw.length === 0 ? {} : { 'inference-header-content-length': json.length };
  response.writeHead(200, { ...extended, 'content-length': json.length + raw.length });
  response.end(Buffer.concat([json, raw]));
}

function colourReader({ inputs: [input] }: InferRequest, raw: Buffer): (at: number) => number {
  const { datatype, parameters, data } = input;
  if (data !== undefined) return (at) => data[at]!;
  const bytes = 3 * PLANE * (datatype === 'UINT8' ? 1 : FLOAT_BYTES);
  if (parameters?.binary_data_size !== bytes || raw.length !== bytes) throw new Error('tensor of a wrong length');
  return datatype === 'UINT8' ? (at) => raw[at]! / 255 : (at) => raw.readFloatLE(at * FLOAT_BYTES);
}
