import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { CommandEnd } from './command-line.js';

const ROOT = resolve(__dirname, '../..');
const SOURCES = ['src', 'migrations', 'tools', 'web', 'scripts', 'docs', 'sdk/javascript', 'fhir-profiles'];
const FILES = ['package.json', 'package-lock.json', '.npmrc', 'CHANGELOG.md'];
const NOT_COPIED = /^(dist|node_modules|\.cache)$/;

/** A copy of the sources to change and build, below this checkout, whose packages it finds from there. */
export class CheckoutCopy {
  private constructor(readonly folder: string) {}

  /** Its first build is the one of this checkout; without `built` it has none. */
  static async make({ built = true } = {}): Promise<CheckoutCopy> {
    await mkdir(join(ROOT, '.cache'), { recursive: true });
    const copy = new CheckoutCopy(await mkdtemp(join(ROOT, '.cache/checkout-')));
    for (const name of [...SOURCES, ...FILES])
      await cp(join(ROOT, name), copy.path(name), {
        recursive: true,
        filter: (source) => !NOT_COPIED.test(basename(source)),
      });
    if (built) await copy.takeBuild();
    return copy;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Puts a line in front of a source. */
  change(source: string, line: string): void {
    writeFileSync(this.path(source), `${line}\n${readFileSync(this.path(source), 'utf8')}`);
  }

  replace(source: string, words: string, others: string): void {
    const before = readFileSync(this.path(source), 'utf8');
    if (!before.includes(words)) throw new Error(`${source} does not have: ${words}`);
    writeFileSync(this.path(source), before.replace(words, others));
  }

  build(): Promise<CommandEnd> {
    return this.run(['scripts/build.mjs']);
  }

  /** A program of Node.js in the folder of the copy. */
  async run(words: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<CommandEnd> {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ...variables };
    const child = spawn(process.execPath, words, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out, err };
  }

  /** The build that `dist` leads to, by its name. */
  get currentBuild(): string {
    return basename(realpathSync(this.path('dist')));
  }

  /** Everything beside the builds' own files: finished builds, drafts, what is being removed. */
  async builds(): Promise<readonly string[]> {
    const folder = this.path('.cache/builds');
    return existsSync(folder) ? (await readdir(folder)).sort() : [];
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async takeBuild(): Promise<void> {
    const built = realpathSync(join(ROOT, 'dist'));
    await mkdir(this.path('.cache/builds'), { recursive: true });
    // Second names for the same files: a build never writes into another.
    await promisify(execFile)('cp', ['-al', built, this.path(`.cache/builds/${basename(built)}`)]);
    const { code, err } = await this.build();
    if (code !== 0) throw new Error(`The copy of the build cannot be used: ${err}`);
  }
}
