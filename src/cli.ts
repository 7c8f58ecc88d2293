import 'reflect-metadata';
import { BackupRefusal } from './backup/backup-refusal.js';
import { CommandSession } from './composition/command-session.js';
import { COMMANDS } from './composition/commands.js';
import { adviceOnFile } from './platform/cli/file-advice.js';
import { runCli } from './platform/cli/run-cli.js';
import { SettingsError } from './platform/config/settings.js';
import { DatabaseFault } from './platform/database/open-database.js';
import { DatabaseRefusal } from './platform/database/server-check.js';

/** Errors whose text says what to do, so that nobody needs to see where they were thrown. */
const ADVICE = [SettingsError, DatabaseRefusal, DatabaseFault, BackupRefusal];

async function main(): Promise<number> {
  // Not before a command needs it: the usage can be read with settings that cannot be used.
  let session: CommandSession | undefined;
  const open = (): Promise<CommandSession> => Promise.resolve((session ??= new CommandSession()));
  const output = {
    out: (text: string) => void process.stdout.write(`${text}\n`),
    err: (text: string) => void process.stderr.write(`${text}\n`),
  };
  try {
    return await runCli(process.argv.slice(2), COMMANDS, open, output);
  } finally {
    await session?.close();
  }
}

/** With the place in the program, where a person cannot know what to do. */
function describeFault(error: unknown): string {
  const advice = adviceOnFile(error);
  if (advice !== null) return advice;
  if (!(error instanceof Error)) return 'unknown fault';
  return ADVICE.some((kind) => error instanceof kind) ? error.message : `${error.message}\n${error.stack ?? ''}`;
}

// A command's standard error is for its own words: cron mails it. The gateway's log has warnings of libraries.
process.removeAllListeners('warning');

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`The command failed: ${describeFault(error)}\n`);
    process.exitCode = 1;
  },
);
