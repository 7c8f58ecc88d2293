// The program of `npm run start:dev`: each source compiled for itself, as in tests, and all in one file that any of
// them can be started from. A change compiles one source, and a start reads one file.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from '@swc/core';
import { PROGRAMS } from '../build/bundle.mjs';
import { COMPILER } from '../build/program.mjs';

const FOLDERS = ['src', 'migrations'];
const FIRST_LINES = `const { join, posix } = require('node:path');
const loaded = new Map();
function run(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const source = sources[name];
  if (source === undefined) throw new Error(\`There is no module \${name}.\`);
  const module = { exports: {} };
  loaded.set(name, module);
  const folder = posix.dirname(name);
  const requireFrom = (id) => (id.startsWith('.') ? run(posix.join(folder, id)) : require(id));
  source(module.exports, requireFrom, module, join(__dirname, name), join(__dirname, folder));
  return module.exports;
}
module.exports = run;
const sources = {
`;
const isSource = (path) => path.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(path);

export class AppPack {
  /** By the name that a source has once compiled, such as src/main.js. */
  compiled = new Map();

  constructor(root, folder) {
    this.root = root;
    this.folder = folder;
  }

  /** Compiles all sources and writes the file, with the built pages beside it, by the names of their folders. */
  async open(folders) {
    const paths = FOLDERS.flatMap((folder) =>
      readdirSync(join(this.root, folder), { recursive: true }).map((path) => join(this.root, folder, path)),
    );
    await this.compile(paths);
    for (const program of PROGRAMS) this.writeStarter(`src/${program}.js`);
    for (const [name, built] of Object.entries(folders)) symlinkSync(built, join(this.folder, name), 'junction');
    this.write();
  }

  /**
   * Takes in sources that changed, came or went. True where the program is another now. Throws an Error that names
   * each source that does not compile; nothing is taken in then.
   */
  async update(paths) {
    const isOther = await this.compile(paths);
    if (isOther) this.write();
    return isOther;
  }

  async compile(paths) {
    const results = await Promise.all(paths.filter(isSource).map((path) => this.compileOne(path)));
    const faults = results.flatMap(({ fault }) => fault ?? []);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    const others = results.filter(({ name, code }) => this.compiled.get(name)?.code !== code);
    for (const { name, code, map } of others)
      if (code === undefined) this.compiled.delete(name);
      else this.compiled.set(name, { code, map });
    return others.length > 0;
  }

  async compileOne(path) {
    const name = relative(this.root, path).split(sep).join('/').replace(/ts$/, 'js');
    if (!existsSync(path)) return { name };
    try {
      const options = { ...COMPILER, filename: path, sourceFileName: pathToFileURL(path).href };
      const module = { type: 'commonjs' };
      return { name, ...(await transform(readFileSync(path, 'utf8'), { ...options, module })) };
    } catch (error) {
      return { name, fault: `${relative(this.root, path)}: ${error.message}` };
    }
  }

  /** What is started by its path, and threads, which are asked for their default export. */
  writeStarter(name) {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    const way = relative(dirname(file), join(this.folder, 'app.cjs')).split(sep).join('/');
    const words = `import run from ${JSON.stringify(way)};\nexport default run(${JSON.stringify(name)}).default;\n`;
    writeFileSync(file, words);
  }

  write() {
    let text = FIRST_LINES;
    let line = text.split('\n').length - 1;
    const sections = [];
    for (const [name, { code, map }] of this.compiled) {
      // Some are programs of their own that wait at their top, and are not started from here.
      const kind = /^(const .* = )?await /m.test(code) ? 'async function' : 'function';
      text += `${JSON.stringify(name)}: ${kind} (exports, require, module, __filename, __dirname) {\n${code}\n},\n`;
      sections.push(`{"offset":{"line":${line + 1},"column":0},"map":${map}}`);
      line += code.split('\n').length + 2;
    }
    // Node.js reads `sources` of this map of maps, too.
    this.put('app.cjs.map', `{"version":3,"sources":[],"sections":[${sections.join(',')}]}`);
    this.put('app.cjs', `${text}};\n//# sourceMappingURL=app.cjs.map\n`);
  }

  /** In one step: an inference process may be starting from the file. */
  put(name, text) {
    const draft = join(this.folder, `${name}.draft`);
    writeFileSync(draft, text);
    renameSync(draft, join(this.folder, name));
  }
}
