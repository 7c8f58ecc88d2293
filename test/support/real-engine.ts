import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readManifest } from '../../src/inference/model/model-folder.js';
import { freePort } from './free-port.js';
import { environmentOf, whenReady, type RealEngine } from './triton-server.mjs';

export { startTriton, type RealEngine } from './triton-server.mjs';

const PROGRAMS = resolve(__dirname, 'engines');

/** Whether this Python has the packages; undefined: no Python is named. */
export function hasPackages(python: string | undefined, packages: readonly string[]): python is string {
  if (python === undefined) return false;
  const program = `import ${packages.join(', ')}`;
  return spawnSync(python, ['-c', program], { stdio: 'ignore', timeout: 60_000 }).status === 0;
}

/** MLServer with these models of a models folder. It has no binary tensors over HTTP. */
export async function startMlserver(
  python: string,
  modelsDir: string,
  models: readonly string[],
  workDir: string,
): Promise<RealEngine> {
  const [port, grpcPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const settings = { host: '127.0.0.1', http_port: port, grpc_port: grpcPort, metrics_port: metricsPort };
  writeFileSync(join(workDir, 'settings.json'), JSON.stringify({ ...settings, parallel_workers: 0 }));
  copyFileSync(join(PROGRAMS, 'mlserver_model.py'), join(workDir, 'mlserver_model.py'));
  for (const name of models) {
    const { input, output, sha256, file, ...manifest } = readManifest(modelsDir, name);
    const planes = 'classes' in manifest ? manifest.classes.length : 1;
    const scores = ['novelty', 'presence'].flatMap((score) => {
      const name = (output as Readonly<Record<string, unknown>>)[score];
      return typeof name === 'string' ? [{ name, shape: [-1, 1] }] : [];
    });
    const tensor = (one: object) => ({ datatype: 'FP32', ...one });
    const described = {
      name,
      implementation: 'mlserver_model.OnnxModel',
      inputs: [tensor({ name: input.name, shape: [-1, 3, input.height, input.width] })],
      outputs: [{ name: output.name, shape: [-1, planes, input.height, input.width] }, ...scores].map(tensor),
      parameters: { uri: join(modelsDir, name, file), extra: { sha256 } },
    };
    mkdirSync(join(workDir, name));
    writeFileSync(join(workDir, name, 'model-settings.json'), JSON.stringify(described));
  }
  const process = spawn(python, ['-m', 'mlserver.cli.main', 'start', workDir], {
    cwd: workDir,
    env: environmentOf(python, { PYTHONPATH: workDir }),
    stdio: 'ignore',
  });
  return whenReady(process, port);
}
