import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TEST_MODEL, TEST_TISSUE_MODEL, writeTestModel, writeTestTissueModel } from '../../test/support/test-model.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { EXIT_USAGE, runModelExport } from './command-line.js';

let modelsDir: string;
let outDir: string;
let said: string[];

beforeEach(async () => {
  [modelsDir, outDir] = [mkdtempSync(join(tmpdir(), 'sutura-models-')), mkdtempSync(join(tmpdir(), 'sutura-triton-'))];
  await writeTestModel(modelsDir);
  await writeTestTissueModel(modelsDir);
});
afterEach(() => [modelsDir, outDir].forEach((folder) => rmSync(folder, { recursive: true })));

function exportModels(args: readonly string[] = ['--out', outDir], variables: Record<string, string> = {}): number {
  said = [];
  const settings = readSettings({
    SUTURA_MODELS_DIR: modelsDir,
    SUTURA_SEGMENTATION_MODEL: TEST_MODEL,
    ...variables,
  });
  const say = (text: string) => void said.push(text);
  return runModelExport(args, settings, { out: say, err: say });
}
const configOf = (model: string) => readFileSync(join(outDir, model, 'config.pbtxt'), 'utf8');

describe('npm run models:export', () => {
  it.each([
    [[]],
    [['--out', 'x', '--format', 'tensorflow']],
    [['--out', 'x', '--instances', '0']],
    [['--out', 'x', '--gpu']],
  ])('explains itself where it is asked %j', (args) => {
    expect(exportModels(args)).toBe(EXIT_USAGE);
    expect(said.join()).toContain('npm run models:export -- --out DIR');
  });

  it('refuses weights that are not those of the manifest, and writes nothing', () => {
    writeFileSync(join(modelsDir, TEST_TISSUE_MODEL, 'model.onnx'), 'other');
    expect(() => exportModels()).toThrow('does not match the sha256');
    expect(() => configOf(TEST_MODEL)).toThrow('ENOENT');
  });

  it('leaves a repository alone that has one of the models', () => {
    exportModels();
    expect(() => exportModels()).toThrow(`${TEST_MODEL} is there already`);
  });

  it('writes each model with its weights, in a folder of the name by which the service asks for it', () => {
    expect(exportModels()).toBe(0);
    expect(said).toEqual([TEST_MODEL, TEST_TISSUE_MODEL]);
    for (const model of said)
      expect(readFileSync(join(outDir, model, '1', 'model.onnx'))).toEqual(
        readFileSync(join(modelsDir, model, 'model.onnx')),
      );
  });

  it('states inputs, outputs, batches, warm-up and the sha256 of the manifest', () => {
    exportModels(['--out', outDir, '--instances', '2'], { SUTURA_BATCH_SIZE: '4', SUTURA_BATCH_DELAY_MS: '3' });
    const { sha256 } = JSON.parse(readFileSync(join(modelsDir, TEST_TISSUE_MODEL, 'manifest.json'), 'utf8')) as {
      sha256: string;
    };
    expect(configOf(TEST_TISSUE_MODEL)).toBe(`name: "${TEST_TISSUE_MODEL}"
platform: "onnxruntime_onnx"
max_batch_size: 4
input [
  { name: "image" data_type: TYPE_FP32 dims: [ 3, 256, 256 ] }
]
output [
  { name: "probability" data_type: TYPE_FP32 dims: [ 4, 256, 256 ] }
]
dynamic_batching { max_queue_delay_microseconds: 3000 }
instance_group [ { count: 2 } ]
model_warmup [
  {
    name: "1"
    batch_size: 1
    inputs { key: "image" value { data_type: TYPE_FP32 dims: [ 3, 256, 256 ] zero_data: true } }
  },
  {
    name: "4"
    batch_size: 4
    inputs { key: "image" value { data_type: TYPE_FP32 dims: [ 3, 256, 256 ] zero_data: true } }
  }
]
parameters { key: "sha256" value { string_value: "${sha256}" } }
`);
  });

  it('names every output of the models that come with the service', () => {
    exportModels(['--out', outDir], { SUTURA_MODELS_DIR: resolve('models'), SUTURA_SEGMENTATION_MODEL: 'fast' });
    expect(configOf(said[0]!)).toMatch(/"probability" .*dims: \[ 1, 512, 512 \] },\n.*"novelty" .*dims: \[ 1 \] }/);
    expect(configOf(said[1]!)).toMatch(/"classes" data_type: TYPE_FP32 dims: \[ 4, 256, 256 \] }/);
  });
});
