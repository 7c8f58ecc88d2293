import { z } from 'zod';
import { EngineFailure } from './engine-failure.js';

/** Longest JSON part of an answer with raw tensors; ours take a few hundred bytes. */
const MAX_JSON_BYTES = 64 * 1024;
/** Longest decimal number with its comma, in an answer without raw tensors. */
const MAX_DECIMAL_BYTES = 32;
const FLOAT_BYTES = 4;

/** The one tensor that a run sends: the pictures of a batch. */
export interface SentTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** FP32, or UINT8 for bytes; little-endian, row by row. */
  readonly values: Float32Array | Uint8Array;
}

/** A tensor that a run asks for; a size of null may be any. */
export interface AskedTensor {
  readonly name: string;
  readonly shape: readonly (number | null)[];
}

/** A request as it goes over HTTP. */
interface EngineRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const outputSchema = z.object({
  name: z.string(),
  datatype: z.literal('FP32'),
  shape: z.array(z.number().int().min(0)).max(8),
  parameters: z.object({ binary_data_size: z.number().int().min(0).optional() }).optional(),
  data: z.array(z.unknown()).optional(),
});
const answerSchema = z.object({ outputs: z.array(outputSchema).max(16) });

/**
 * A run's request by the Open Inference Protocol (KServe V2, REST).
 * @param binary with raw tensors behind the JSON (binary tensor extension); otherwise as decimal numbers
 */
export function encodeRun(input: SentTensor, asked: readonly AskedTensor[], binary: boolean): EngineRequest {
  const { name, shape, values } = input;
  const datatype = values instanceof Uint8Array ? 'UINT8' : 'FP32';
  const outputs = asked.map((output) => ({ name: output.name, parameters: { binary_data: binary } }));
  if (!binary) {
    const body = Buffer.from(
      JSON.stringify({ inputs: [{ name, shape, datatype, data: Array.from(values) }], outputs }),
    );
    return { headers: { 'content-type': 'application/json' }, body };
  }
  const parameters = { binary_data_size: values.byteLength };
  const json = Buffer.from(JSON.stringify({ inputs: [{ name, shape, datatype, parameters }], outputs }));
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return {
    headers: {
      'content-type': 'application/octet-stream',
      'inference-header-content-length': String(json.length),
    },
    body: Buffer.concat([json, raw]),
  };
}

/** The longest body that an answer with these tensors can have, in bytes. */
export function longestAnswer(asked: readonly AskedTensor[]): number {
  const values = asked.reduce((sum, { shape }) => sum + shape.reduce<number>((size, side) => size * (side ?? 1), 1), 0);
  return MAX_JSON_BYTES + values * MAX_DECIMAL_BYTES;
}

/**
 * The tensors that were asked for. Throws EngineFailure `malformed` where one is missing, of another type or shape, or where
 * the body is longer or shorter than it says.
 * @param jsonBytes the header Inference-Header-Content-Length; undefined: the whole body is JSON
 */
export function decodeRun(
  body: Buffer,
  jsonBytes: string | undefined,
  asked: readonly AskedTensor[],
): Record<string, Float32Array> {
  const jsonEnd = jsonBytes === undefined ? body.length : wholeNumber(jsonBytes);
  if (jsonEnd > body.length || (jsonBytes !== undefined && jsonEnd > MAX_JSON_BYTES))
    throw malformed('states a length of its JSON that cannot be');
  const { outputs } = parseAnswer(body.subarray(0, jsonEnd));
  const found: Record<string, Float32Array> = {};
  let at = jsonEnd;
  for (const { name, shape, parameters, data } of outputs) {
    const wanted = asked.find((one) => one.name === name);
    if (wanted === undefined || name in found) throw malformed('has an output that was not asked for');
    if (!shapeFits(shape, wanted.shape)) throw malformed(`gives "${name}" the shape [${shape.join(', ')}]`);
    const count = shape.reduce((size, side) => size * side, 1);
    if (data !== undefined) {
      found[name] = numbersOf(data, count);
      continue;
    }
    const size = parameters?.binary_data_size;
    if (size !== count * FLOAT_BYTES || at + size > body.length) throw malformed(`gives "${name}" a wrong length`);
    // A copy, as numbers have to begin at a multiple of four bytes.
    found[name] = new Float32Array(new Uint8Array(body.subarray(at, at + size)).buffer);
    at += size;
  }
  if (at !== body.length) throw malformed('is longer than its tensors');
  const missing = asked.find(({ name }) => !(name in found));
  if (missing !== undefined) throw malformed(`lacks "${missing.name}"`);
  return found;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw malformed('states a length of its JSON that cannot be');
  return Number(text);
}

function parseAnswer(json: Buffer): z.infer<typeof answerSchema> {
  try {
    return answerSchema.parse(JSON.parse(json.toString('utf8')));
  } catch {
    throw malformed('has no outputs as the protocol wants them');
  }
}

function shapeFits(shape: readonly number[], wanted: AskedTensor['shape']): boolean {
  return shape.length === wanted.length && wanted.every((side, index) => side === null || side === shape[index]);
}

/** Servers nest the numbers by shape or list them flat. What is no number counts as NaN, which the model's reader refuses. */
function numbersOf(data: readonly unknown[], count: number): Float32Array {
  const flat = data.flat(8);
  if (flat.length !== count) throw malformed('has a wrong count of numbers');
  return Float32Array.from(flat, (value) => (typeof value === 'number' ? value : NaN));
}

function malformed(what: string): EngineFailure {
  return new EngineFailure('malformed', `an answer ${what}`);
}
