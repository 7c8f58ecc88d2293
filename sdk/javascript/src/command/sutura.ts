#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { ConfigurationError, NetworkError } from '../errors.js';
import { USER_AGENT } from '../platform.js';
import type { AbortSignalLike } from '../options.js';
import { refuseKeys } from './access.js';
import { clock } from './clock.js';
import { listen } from './listen.js';
import { logs } from './logs.js';
import { Misuse } from './misuse.js';
import { note } from './printing.js';
import { samples } from './samples.js';
import { trigger } from './trigger.js';
import { upload } from './upload.js';
import { USAGE, USAGES, type CommandName } from './usages.js';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const COMMON = { url: text, help: { ...flag, short: 'h' } } as const;

/** The words behind the name of a command, as it takes them. */
const COMMANDS: Readonly<Record<CommandName, (words: string[], signal: AbortSignalLike) => Promise<void>>> = {
  listen: (words, signal) => {
    const options = { ...COMMON, 'forward-to': text, type: text, since: text, state: text, live: flag };
    return run('listen', parseArgs({ args: words, options }).values, (wish) => listen(wish, signal));
  },
  trigger: (words, signal) => {
    const { values, positionals } = parseArgs({ args: words, options: COMMON, allowPositionals: true });
    return run('trigger', values, (wish) => trigger(positionals, wish, signal));
  },
  samples: (words, signal) => {
    const options = { ...COMMON, out: text, fresh: flag };
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    return run('samples', values, (wish) => samples(positionals, wish, signal));
  },
  upload: (words, signal) => {
    const subject = { patient: text, wound: text, 'captured-at': text, 'mm-per-pixel': text };
    const metadata = { type: 'string', multiple: true } as const;
    const options = { ...COMMON, ...subject, metadata, sample: text, fresh: flag, outcome: text, json: flag };
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    return run('upload', values, (wish) => upload(positionals, wish, signal));
  },
  clock: (words, signal) => {
    const options = { ...COMMON, advance: text, set: text };
    return run('clock', parseArgs({ args: words, options }).values, (wish) => clock(wish, signal));
  },
  logs: (words, signal) => {
    const options = { ...COMMON, since: text, type: text, follow: flag, json: flag, live: flag };
    return run('logs', parseArgs({ args: words, options }).values, (wish) => logs(wish, signal));
  },
};

async function run<Wish extends { readonly help?: boolean }>(
  name: CommandName,
  wish: Wish,
  task: (wish: Wish) => Promise<void>,
): Promise<void> {
  if (wish.help === true) process.stdout.write(USAGES[name]);
  else await task(wish);
}

async function main(words: string[], signal: AbortSignalLike): Promise<void> {
  refuseKeys(words);
  const [first = '', ...rest] = words;
  if (['', 'help', '--help', '-h'].includes(first)) {
    process.stdout.write(USAGE);
    if (first === '') process.exitCode = 2;
  } else if (first === '--version') process.stdout.write(`${USER_AGENT.split('/')[1] ?? ''}\n`);
  else if (Object.hasOwn(COMMANDS, first)) await COMMANDS[first as CommandName](rest, signal);
  else throw new Misuse(`There is no command of that name. ${USAGE}`);
}

/** The exit code of a fault, which is said in one sentence; a fault of this program itself with its stack. */
function codeOf(fault: unknown): number {
  const { message, code } = fault as { message?: string; code?: unknown };
  const isMisuse = fault instanceof Misuse || String(code).startsWith('ERR_PARSE_ARGS');
  // Those of the library, of this command and of the file system say it themselves.
  const isSaid =
    fault instanceof Error &&
    (isMisuse || 'syscall' in fault || (fault.constructor !== Error && fault.constructor !== TypeError));
  for (const line of String(isSaid ? message : ((fault as Error | undefined)?.stack ?? fault)).split('\n')) note(line);
  if (fault instanceof NetworkError) note('Another address: --url, or the variable SUTURA_BASE_URL.');
  return isMisuse || fault instanceof ConfigurationError ? 2 : 1;
}

/** As shells have it: 128 and the number of the signal. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** These go on until they are ended; of all others an end by a signal is work that is not done. */
const ENDLESS = ['listen', 'logs'];

const ended = new AbortController();
let endedWith = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    endedWith = CODES[name];
    ended.abort();
  });
const words = process.argv.slice(2);
main(words, ended.signal).catch((fault: unknown) => {
  if (!ended.signal.aborted) process.exitCode = codeOf(fault);
  else if (!ENDLESS.includes(words[0] ?? '')) process.exitCode = endedWith;
});
