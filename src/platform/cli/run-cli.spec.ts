import type { CliCommand } from './cli-command.js';
import { runCli } from './run-cli.js';

const command = (name: string): CliCommand<null> => ({
  usage: `${name} --id ID`,
  summary: `Does ${name}.`,
  prepare: () => () => Promise.resolve({ text: 'done', json: {} }),
});
const NAMES = ['door open', 'door bell ring', 'door bell mute', 'roof'];
const COMMANDS = NAMES.map(command);

async function run(...words: string[]) {
  const said = { out: '', err: '' };
  const output = { out: (text: string) => void (said.out += text), err: (text: string) => void (said.err += text) };
  const code = await runCli(words, COMMANDS, () => Promise.resolve(null), output);
  const shown = [...`${said.out}${said.err}`.matchAll(/^ {2}(\S.*?) --id/gm)].map(([, name]) => name);
  return { code, isRefused: said.err.startsWith('There is no such command.'), shown };
}

describe('what is shown of the commands', () => {
  it.each([
    [['window'], []],
    [['window', '--help'], []],
    [
      ['door', 'paint'],
      ['door open', 'door bell ring', 'door bell mute'],
    ],
    [['door'], ['door open', 'door bell ring', 'door bell mute']],
    [
      ['door', 'bell', 'paint', '--help'],
      ['door bell ring', 'door bell mute'],
    ],
  ])('with a refusal of %p: those that begin as it does, or all', async (words, shown) => {
    const all = NAMES;
    expect(await run(...words)).toEqual({ code: 2, isRefused: true, shown: shown.length === 0 ? all : shown });
  });

  it.each([
    [['--help'], NAMES],
    [['help'], NAMES],
    [
      ['door', '--help'],
      ['door open', 'door bell ring', 'door bell mute'],
    ],
    [
      ['door', 'bell', '-h'],
      ['door bell ring', 'door bell mute'],
    ],
    [
      ['help', 'door', 'bell'],
      ['door bell ring', 'door bell mute'],
    ],
  ])('with %p: the group', async (words, shown) => {
    expect(await run(...words)).toEqual({ code: 0, isRefused: false, shown });
  });
});
