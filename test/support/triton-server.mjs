import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const BACKEND_PROGRAM = resolve('test/support/engines/triton_model.py');
const LOADING_LIMIT_MS = 120_000;
const ASK_AGAIN_MS = 200;

/**
 * The Triton binary of the PyPI package nvidia-pytriton with a repository that `npm run models:export` wrote. That binary has no backend for
 * ONNX, so each model's line `platform` is exchanged for Triton's Python backend, in which onnxruntime computes the same file.
 */
export async function startTriton(python, repository, workDir) {
  const places = 'import sys, sysconfig; print(sysconfig.get_paths()["purelib"], "%d.%d" % sys.version_info[:2])';
  const [site, version] = spawnSync(python, ['-c', places], { encoding: 'utf8' }).stdout.trim().split(' ');
  const triton = join(site, 'pytriton', 'tritonserver');
  const backend = join(workDir, 'backends', 'python');
  mkdirSync(backend, { recursive: true });
  const parts = readdirSync(join(triton, 'backends', 'python')).map((name) => join(triton, 'backends', 'python', name));
  const stub = join(triton, 'python_backend_stubs', version, 'triton_python_backend_stub');
  for (const part of [...parts, stub]) symlinkSync(part, join(backend, basename(part)));
  for (const model of readdirSync(repository)) {
    const config = join(repository, model, 'config.pbtxt');
    writeFileSync(config, readFileSync(config, 'utf8').replace('platform: "onnxruntime_onnx"', 'backend: "python"'));
    copyFileSync(BACKEND_PROGRAM, join(repository, model, '1', 'model.py'));
  }
  const port = await freePort();
  const where = ['--model-repository', repository, '--backend-directory', dirname(backend)];
  const listening = ['--http-address', '127.0.0.1', '--http-port', String(port)];
  const without = ['--allow-grpc=false', '--allow-metrics=false', '--exit-timeout-secs=5'];
  const server = spawn(join(triton, 'bin', 'tritonserver'), [...where, ...listening, ...without], {
    env: environmentOf(python, { PYTHONPATH: site }),
    stdio: 'ignore',
  });
  return whenReady(server, port);
}

/** This process's environment, with the programs of the Python first. */
export function environmentOf(python, additions) {
  return { ...process.env, PATH: `${dirname(python)}${delimiter}${process.env['PATH'] ?? ''}`, ...additions };
}

/** Waits until the server has loaded its models; ends it where it does not. */
export async function whenReady(server, port) {
  const url = `http://127.0.0.1:${port}`;
  const ended = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  for (let waitedMs = 0; waitedMs < LOADING_LIMIT_MS && server.exitCode === null; waitedMs += ASK_AGAIN_MS) {
    const answer = await fetch(`${url}/v2/health/ready`).catch(() => undefined);
    if (answer?.ok === true) return { url, stop };
    await pause(ASK_AGAIN_MS);
  }
  if (server.exitCode === null) await stop();
  throw new Error(`The inference server did not become ready (exit code ${server.exitCode}).`);
}

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
