import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folder name of the model for tests: it calls wound what is much redder than green. Quick, exact, and made by code. */
export const TEST_MODEL = 'wound-segmentation-test';
/** Folder name of the tissue model for tests: what is redder than green is granulation, the rest is background. */
export const TEST_TISSUE_MODEL = 'tissue-segmentation-test';

const SIDE = 256;
const FLOAT = 1;

/** Writes the test model with its manifest below `modelsDir`. Red minus green over 0.3 is wound; black padding is not. */
export async function writeTestModel(modelsDir: string, folder = TEST_MODEL): Promise<void> {
  await writeModel(modelsDir, folder, rednessModel(), {
    name: 'wound-segmentation',
    task: 'wound-segmentation',
    threshold: 0.5,
    minAreaShare: 0.0005,
  });
}

/** Writes the tissue model for tests. Red minus green over 0.3 is granulation; red and green alike and bright is slough. */
export async function writeTestTissueModel(modelsDir: string, folder = TEST_TISSUE_MODEL): Promise<void> {
  await writeModel(modelsDir, folder, tissueModel(), {
    name: 'tissue-segmentation',
    task: 'tissue-segmentation',
    classes: ['background', 'slough', 'granulation', 'callus'],
    woundBed: ['slough', 'granulation'],
    contextShare: 0.3,
  });
}

async function writeModel(
  modelsDir: string,
  name: string,
  bytes: Buffer,
  manifest: Readonly<Record<string, unknown>>,
): Promise<void> {
  const folder = join(modelsDir, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'model.onnx'), bytes);
  const common = {
    version: '0.0.1',
    file: 'model.onnx',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    input: { name: 'image', width: SIDE, height: SIDE, mean: [0, 0, 0], std: [1, 1, 1], resize: 'letterbox' },
    output: { name: 'probability' },
    researchOnly: true,
    licence: 'Test drawing, no use',
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...common, ...manifest }, null, 2));
}

/** probability = Sigmoid(Conv1x1(image)) */
function rednessModel(): Buffer {
  return pointwiseModel({ weights: [60, -60, 0], bias: [-18], activation: 'Sigmoid' });
}

/** probability = Softmax(Conv1x1(image)) over background, slough, granulation, callus; slough is red and green over blue. */
function tissueModel(): Buffer {
  const weights = [
    [0, 0, 0],
    [30, 30, -60],
    [60, -60, 0],
    [0, 0, 0],
  ].flat();
  return pointwiseModel({ weights, bias: [0, -18, -18, -30], activation: 'Softmax' });
}

interface Pointwise {
  /** Three for each class: red, green, blue. */
  readonly weights: readonly number[];
  readonly bias: readonly number[];
  readonly activation: 'Sigmoid' | 'Softmax';
}

/** ONNX ModelProto (onnx.proto3, opset 13): one 1 × 1 convolution and its activation over the channels. */
function pointwiseModel({ weights, bias, activation }: Pointwise): Buffer {
  const classes = bias.length;
  const axis = activation === 'Softmax' ? [field(5, message(text(1, 'axis'), whole(3, 1), whole(20, 2)))] : [];
  const graph = message(
    field(1, message(text(1, 'image'), text(1, 'weight'), text(1, 'bias'), text(2, 'logit'), text(4, 'Conv'))),
    field(1, message(text(1, 'logit'), text(2, 'probability'), text(4, activation), ...axis)),
    text(2, 'pointwise'),
    field(5, tensor('weight', [classes, 3, 1, 1], weights)),
    field(5, tensor('bias', [classes], bias)),
    field(11, valueInfo('image', 3)),
    field(12, valueInfo('probability', classes)),
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
