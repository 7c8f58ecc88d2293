import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { readManifest } from '../../src/inference/model/model-folder.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const PROGRAMS = resolve(__dirname, 'engines');
const LOADING_LIMIT_MS = 120_000;

/** A server that somebody else wrote, started from a Python environment that has it. */
export interface RealEngine {
  readonly url: string;
  stop(): Promise<void>;
}

/** Whether this Python has the packages; undefined: no Python is named. */
export function hasPackages(python: string | undefined, packages: readonly string[]): python is string {
  if (python === undefined) return false;
  const program = `import ${packages.join(', ')}`;
  return spawnSync(python, ['-c', program], { stdio: 'ignore', timeout: 60_000 }).status === 0;
}

/**
 * The Triton binary of the PyPI package nvidia-pytriton with a repository that `npm run models:export` wrote. That binary has no backend for
 * ONNX, so each model's line `platform` is exchanged for Triton's Python backend, in which onnxruntime computes the same file.
 */
export async function startTriton(python: string, repository: string, workDir: string): Promise<RealEngine> {
  const [site, version] = spawnSync(
    python,
    ['-c', 'import sys, sysconfig; print(sysconfig.get_paths()["purelib"], "%d.%d" % sys.version_info[:2])'],
    { encoding: 'utf8' },
  )
    .stdout.trim()
    .split(' ') as [string, string];
  const triton = join(site, 'pytriton', 'tritonserver');
  const backend = join(workDir, 'backends', 'python');
  mkdirSync(backend, { recursive: true });
  const parts = readdirSync(join(triton, 'backends', 'python')).map((name) => join(triton, 'backends', 'python', name));
  const stub = join(triton, 'python_backend_stubs', version, 'triton_python_backend_stub');
  for (const part of [...parts, stub]) symlinkSync(part, join(backend, part.slice(part.lastIndexOf('/') + 1)));
  for (const model of readdirSync(repository)) {
    const config = join(repository, model, 'config.pbtxt');
    writeFileSync(config, readFileSync(config, 'utf8').replace('platform: "onnxruntime_onnx"', 'backend: "python"'));
    copyFileSync(join(PROGRAMS, 'triton_model.py'), join(repository, model, '1', 'model.py'));
  }
  const port = await freePort();
  const args = ['--model-repository', repository, '--backend-directory', dirname(backend)];
  const listening = ['--http-address', '127.0.0.1', '--http-port', String(port)];
  const process = spawn(
    join(triton, 'bin', 'tritonserver'),
    [...args, ...listening, '--allow-grpc=false', '--allow-metrics=false', '--exit-timeout-secs=5'],
    { env: environmentOf(python, { PYTHONPATH: site }), stdio: 'ignore' },
  );
  return whenReady(process, port);
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
    const novelty =
      'novelty' in output && output.novelty !== undefined ? [{ name: output.novelty, shape: [-1, 1] }] : [];
    const tensor = (one: object) => ({ datatype: 'FP32', ...one });
    const described = {
      name,
      implementation: 'mlserver_model.OnnxModel',
      inputs: [tensor({ name: input.name, shape: [-1, 3, input.height, input.width] })],
      outputs: [{ name: output.name, shape: [-1, planes, input.height, input.width] }, ...novelty].map(tensor),
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

function environmentOf(python: string, additions: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(python)}${delimiter}${process.env['PATH'] ?? ''}`, ...additions };
}

async function whenReady(server: ChildProcess, port: number): Promise<RealEngine> {
  const url = `http://127.0.0.1:${port}`;
  const ended = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  const isReady = async () => {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    return (await fetch(`${url}/v2/health/ready`)).ok;
  };
  try {
    await eventually('the inference server is ready', isReady, LOADING_LIMIT_MS, 200);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
