import type { CommandSession } from './command-session.js';
import { commandsFor } from './commands.js';
import { adviceOnFile } from '../platform/cli/file-advice.js';
import { firstWord, runCli, type CliOutput } from '../platform/cli/run-cli.js';

/**
 * One run of the command line with these words and these variables for settings; its exit code. A fault becomes a message and 1.
 * Modules are read when they are needed: a command that is misused, or a usage, needs few.
 */
export async function runCommandLine(
  words: readonly string[],
  variables: Readonly<NodeJS.ProcessEnv>,
  output: CliOutput,
): Promise<number> {
  // Not before a command needs it: the usage can be read with settings that cannot be used.
  let session: CommandSession | undefined;
  const open = async (): Promise<CommandSession> => {
    const { CommandSession } = await import('./command-session.js');
    return (session ??= new CommandSession({ variables }));
  };
  try {
    try {
      return await runCli(words, await commandsFor(firstWord(words)), open, output);
    } finally {
      await session?.close();
    }
  } catch (error) {
    output.err(`The command failed: ${await describeFault(error)}`);
    return 1;
  }
}

/** With the place in the program, where a person cannot know what to do. */
async function describeFault(error: unknown): Promise<string> {
  const advice = adviceOnFile(error);
  if (advice !== null) return advice;
  if (!(error instanceof Error)) return 'unknown fault';
  return (await kindsOfAdvice()).some((kind) => error instanceof kind)
    ? error.message
    : `${error.message}\n${error.stack ?? ''}`;
}

/** Errors whose text says what to do, so that nobody needs to see where they were thrown. */
async function kindsOfAdvice(): Promise<readonly (abstract new (...given: never[]) => Error)[]> {
  const { SettingsError } = await import('../platform/config/settings.js');
  const { DatabaseRefusal } = await import('../platform/database/server-check.js');
  const { DatabaseFault } = await import('../platform/database/open-database.js');
  const { BackupRefusal } = await import('../backup/backup-refusal.js');
  return [SettingsError, DatabaseRefusal, DatabaseFault, BackupRefusal];
}
