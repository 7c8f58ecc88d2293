import type { EngineClient } from './engine-client.js';
import { EngineFailure } from './engine-failure.js';
import type { AskedTensor, SentTensor } from './engine-message.js';

/** A run with a known result: the model's first, on the synthetic picture of the warm-up. */
export interface EngineSample {
  readonly input: SentTensor;
  readonly asked: readonly AskedTensor[];
  readonly answer: Readonly<Record<string, Float32Array>>;
}

/** Servers round otherwise from run to run, in half precision too: by far less than this, of numbers above 1 in proportion. */
const TOLERANCE = 0.02;

/** Runs it again. Throws EngineFailure where the server cannot, or where other weights answer. */
export async function repeatSample(
  client: EngineClient,
  name: string,
  { input, asked, answer }: EngineSample,
  binary: boolean,
): Promise<void> {
  const now = await client.infer(name, input, asked, binary);
  if (!Object.entries(answer).every(([output, values]) => isNear(values, now[output])))
    throw new EngineFailure(
      'mismatch',
      `answers the picture of the warm-up otherwise than before: ${name} has other weights`,
    );
}

function isNear(one: Float32Array, other: Float32Array | undefined): boolean {
  return (
    other?.length === one.length &&
    one.every((value, at) => Math.abs(value - other[at]!) <= TOLERANCE * Math.max(1, Math.abs(value)))
  );
}
