import { parseArgs } from 'node:util';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { CliMisuse, type CliCommand, type CliReport, type CliValues } from './cli-command.js';
import { readUsage } from './command-usage.js';

/** Where a command prints, a text at a time, each with an end of line behind it. */
export interface CliOutput {
  /** Standard output. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
}

const COMMON_OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

const HELP: readonly string[] = ['help', '--help', '-h'];

interface Invocation<Services> {
  readonly asJson: boolean;
  readonly run: (services: Services) => Promise<CliReport>;
}

/** The first word of a command line that names a command; undefined where it has none, such as `--help`. */
export function firstWord(argv: readonly string[]): string | undefined {
  return argv.find((word) => !HELP.includes(word));
}

/**
 * Runs one command; `GROUP --help` shows the commands of a group. Exit codes: 0 done, 1 refused (with the catalogue's
 * advice) or found something bad, 2 misused (with the usage). `open` is called only after the command line is
 * understood. Errors other than SuturaError are thrown to the caller.
 */
export async function runCli<Services>(
  argv: readonly string[],
  commands: readonly CliCommand<Services>[],
  open: () => Promise<Services>,
  output: CliOutput,
): Promise<0 | 1 | 2> {
  const command = findCommand(argv, commands);
  if (command === undefined) return explain(argv, commands, output);
  return runCommand(command, argv.slice(wordsOf(command).length), open, output);
}

/** The usage of all commands, or of those that begin with the words that were given. */
function explain<Services>(
  argv: readonly string[],
  commands: readonly CliCommand<Services>[],
  output: CliOutput,
): 0 | 2 {
  const words = argv.filter((word) => !HELP.includes(word));
  const known = words.findIndex((_, index) => groupOf(words.slice(0, index + 1), commands).length === 0);
  const group = known === -1 ? words : words.slice(0, known);
  const usage = overview(groupOf(group, commands));
  if (argv.length === 0) {
    output.out(usage);
    return 2;
  }
  if (known === -1 && words.length < argv.length) {
    output.out(usage);
    return 0;
  }
  output.err(`There is no such command.\n\n${usage}`);
  return 2;
}

function groupOf<Services>(
  words: readonly string[],
  commands: readonly CliCommand<Services>[],
): readonly CliCommand<Services>[] {
  return commands.filter((command) => words.every((word, index) => wordsOf(command)[index] === word));
}

async function runCommand<Services>(
  command: CliCommand<Services>,
  rest: readonly string[],
  open: () => Promise<Services>,
  output: CliOutput,
): Promise<0 | 1 | 2> {
  let invocation: Invocation<Services> | null;
  try {
    invocation = understand(command, rest);
  } catch (error) {
    if (!(error instanceof CliMisuse)) throw error;
    output.err(`${error.message}\n\n${usageOf(command)}`);
    return 2;
  }
  if (invocation === null) {
    output.out(usageOf(command));
    return 0;
  }
  // A standalone command never uses its services.
  return execute(
    invocation,
    command.isStandalone === true ? () => Promise.resolve(undefined as Services) : open,
    output,
  );
}

async function execute<Services>(
  { asJson, run }: Invocation<Services>,
  open: () => Promise<Services>,
  output: CliOutput,
): Promise<0 | 1> {
  try {
    const report = await run(await open());
    output.out(asJson ? JSON.stringify(report.json) : report.text);
    return report.failed === true ? 1 : 0;
  } catch (error) {
    if (!isSuturaError(error)) throw error;
    const { code, title, detail } = error;
    const { errors } = error.facts;
    const places = (errors ?? []).map(({ pointer, detail: what }) => `\n- ${pointer.slice(1)} ${what}`).join('');
    output.err(
      asJson
        ? JSON.stringify({ error: { code, title, detail, ...(errors === undefined ? {} : { errors }) } })
        : `${title} (${code}). ${detail}${places}`,
    );
    return 1;
  }
}

/** null if only the usage was asked for. */
function understand<Services>(command: CliCommand<Services>, args: readonly string[]): Invocation<Services> | null {
  const values = parse(command, args);
  if (values['help'] === true) return null;
  return { asJson: values['json'] === true, run: command.prepare(values) };
}

function parse<Services>(command: CliCommand<Services>, args: readonly string[]): CliValues {
  const { positionals: names, options } = readUsage(command.usage);
  const unlisted = readUsage(command.unlisted ?? '').options;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, ...unlisted, ...COMMON_OPTIONS },
      strict: true,
      allowPositionals: names.length > 0,
    });
    const surplus = positionals[names.length];
    if (surplus !== undefined) throw new Error(`Unexpected argument '${surplus}'.`);
    return {
      ...(values as CliValues),
      ...Object.fromEntries(positionals.map((value, index) => [names[index], value])),
    };
  } catch (error) {
    // parseArgs names the option at fault in a sentence of its own.
    throw new CliMisuse((error as Error).message);
  }
}

function findCommand<Services>(
  argv: readonly string[],
  commands: readonly CliCommand<Services>[],
): CliCommand<Services> | undefined {
  return commands.find((command) => wordsOf(command).every((word, index) => argv[index] === word));
}

function wordsOf<Services>({ usage }: CliCommand<Services>): string[] {
  return readUsage(usage).name.split(' ');
}

function usageOf<Services>({ usage, summary }: CliCommand<Services>): string {
  return `Usage: npm run --silent cli -- ${usage} [--json]\n  ${summary}`;
}

function overview<Services>(commands: readonly CliCommand<Services>[]): string {
  const lines = commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  return `Usage: npm run --silent cli -- COMMAND [OPTIONS] [--json]\n\n${lines.join('\n')}`;
}
