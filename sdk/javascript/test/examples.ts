import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const PACKAGE = resolve(__dirname, '..');
/** What a reader of an example already has; declared only where the example uses it and does not make it. */
const GIVEN: Readonly<Record<string, string>> = {
  client: 'const client = new SuturaClient();',
  jobId: "const jobId = process.env.EXAMPLE_JOB_ID ?? '';",
  imageId: "const imageId = process.env.EXAMPLE_IMAGE_ID ?? '';",
  woundId: "const woundId = process.env.EXAMPLE_WOUND_ID ?? '';",
  reportId: "const reportId = process.env.EXAMPLE_REPORT_ID ?? '';",
};

/** An example of the documentation as a module that runs. */
export interface Example {
  /** Where it stands. */
  readonly name: string;
  readonly fileName: string;
  readonly source: string;
}

/** Every ```js and ```ts block of the README, and every @example of the sources. */
export function readExamples(): Example[] {
  const found = [...fromReadme(), ...fromSources()];
  return found.map(({ name, code }, index) => ({ name, fileName: `example-${index}.mts`, source: complete(code) }));
}

interface Found {
  readonly name: string;
  readonly code: string;
}

function fromReadme(): Found[] {
  const text = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  return [...text.matchAll(/```(?:js|ts)\n([^]*?)```/g)].map(([, code = ''], index) => ({
    name: `README.md, block ${index + 1}`,
    code,
  }));
}

function fromSources(): Found[] {
  const files = readdirSync(join(PACKAGE, 'src')).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(join(PACKAGE, 'src', file), 'utf8');
    return [...text.matchAll(/@example\n([^]*?)\*\/\s*([^\n]*)/g)].map(([, code = '', declared = '']) => ({
      name: `${basename(file)}: ${declared
        .replace(/[({].*/, '')
        .replace(/\b(async|export|class)\b/g, '')
        .trim()}`,
      code: code.replace(/^ *\* ?/gm, ''),
    }));
  });
}

function complete(code: string): string {
  const lines = code.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const body = lines.filter((line) => !line.startsWith('import ')).join('\n');
  const given = Object.entries(GIVEN).flatMap(([name, declaration]) =>
    uses(body, name) && !makes(body, name) ? [declaration] : [],
  );
  const classes = ['SuturaClient', 'SuturaError'].filter(
    (name) => [...given, body].some((text) => uses(text, name)) && !imports.some((line) => uses(line, name)),
  );
  if (classes.length > 0) imports.push(`import { ${classes.join(', ')} } from '@sutura/sdk';`);
  return [...imports, ...given, body, 'export {};', ''].join('\n');
}

const uses = (text: string, name: string): boolean => new RegExp(`(?<![.\\w'])${name}\\b(?!:)`).test(text);
const makes = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:const|let)\\b[^=;]*\\b${name}\\b[^=;]*=`).test(text);
