import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folder name of the model for tests: it calls wound what is much redder than green. Quick, exact, and made by code. */
export const TEST_MODEL = 'wound-segmentation-test';

const SIDE = 256;
const FLOAT = 1;

/** Writes the test model with its manifest below `modelsDir`. Red minus green over 0.3 is wound; black padding is not. */
export async function writeTestModel(modelsDir: string): Promise<void> {
  const folder = join(modelsDir, TEST_MODEL);
  await mkdir(folder, { recursive: true });
  const bytes = rednessModel();
  await writeFile(join(folder, 'model.onnx'), bytes);
  const manifest = {
    name: 'wound-segmentation',
    version: '0.0.1',
    task: 'wound-segmentation',
    file: 'model.onnx',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    input: { name: 'image', width: SIDE, height: SIDE, mean: [0, 0, 0], std: [1, 1, 1], resize: 'letterbox' },
    output: { name: 'probability' },
    threshold: 0.5,
    minAreaShare: 0.0005,
    researchOnly: true,
    licence: 'Test drawing, no use',
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
}

/** ONNX ModelProto (onnx.proto3, opset 13): probability = Sigmoid(Conv1x1(image)). */
function rednessModel(): Buffer {
  const graph = message(
    field(1, message(text(1, 'image'), text(1, 'weight'), text(1, 'bias'), text(2, 'logit'), text(4, 'Conv'))),
    field(1, message(text(1, 'logit'), text(2, 'probability'), text(4, 'Sigmoid'))),
    text(2, 'redness'),
    field(5, tensor('weight', [1, 3, 1, 1], [60, -60, 0])),
    field(5, tensor('bias', [1], [-18])),
    field(11, valueInfo('image', 3)),
    field(12, valueInfo('probability', 1)),
  );
  return message(whole(1, 8), text(2, 'sutura-test'), field(7, graph), field(8, message(text(1, ''), whole(2, 13))));
}

function tensor(name: string, dims: readonly number[], values: readonly number[]): Buffer {
  const raw = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => raw.writeFloatLE(value, index * 4));
  return message(...dims.map((dim) => whole(1, dim)), whole(2, FLOAT), text(8, name), field(9, raw));
}

function valueInfo(name: string, channels: number): Buffer {
  const fixed = [channels, SIDE, SIDE].map((size) => field(1, message(whole(1, size))));
  const shape = message(field(1, message(text(2, 'batch'))), ...fixed);
  return message(text(1, name), field(2, message(field(1, message(whole(1, FLOAT), field(2, shape))))));
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

/** Protocol Buffers wire type 2: length-delimited. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

/** Protocol Buffers wire type 0: varint. */
function whole(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}
