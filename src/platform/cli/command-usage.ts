import type { ParseArgsConfig } from 'node:util';

/** What a line of usage says: `key create --org ID [--expires RFC3339]`. */
export interface CommandUsage {
  /** Its words: `key create`. */
  readonly name: string;
  /** Names for the values that follow without an option: `id` for `trace ID`. */
  readonly positionals: readonly string[];
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** The options with a value that stand in no brackets and have no alternative, in their order. */
  readonly required: readonly string[];
}

/** An option; behind it, whether a value follows. */
const OPTION = /--([a-z][a-z0-9-]*)(?=( [^-|[\]()\s])?)/g;
const BRACKETS = /\[[^[\]]*\]/g;
const ALTERNATIVES = /--[a-z-]+(?: [^\s|]+)?\|--[a-z-]+(?: \S+)?/g;

const used = new Map<string, CommandUsage>();

/** Options are read from the printed usage, so that the two never differ. */
export function readUsage(usage: string): CommandUsage {
  const known = used.get(usage);
  if (known !== undefined) return known;
  const words = usage.split(' ');
  const end = words.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word));
  const name = end === -1 ? words : words.slice(0, end);
  const rest = words.slice(name.length);
  const firstOption = rest.findIndex((word) => !/^[A-Z]+$/.test(word));
  const read = {
    name: name.join(' '),
    positionals: rest.slice(0, firstOption === -1 ? rest.length : firstOption).map((word) => word.toLowerCase()),
    options: Object.fromEntries(
      [...usage.matchAll(OPTION)].map(([, option, value]) => [
        option!,
        { type: value === undefined ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
    required: requiredIn(usage),
  };
  used.set(usage, read);
  return read;
}

function requiredIn(usage: string): string[] {
  let plain = usage;
  for (let before = ''; before !== plain;) [before, plain] = [plain, plain.replace(BRACKETS, '')];
  return [...plain.replace(ALTERNATIVES, '').matchAll(OPTION)].flatMap(([, option, value]) =>
    value === undefined ? [] : [option!],
  );
}
