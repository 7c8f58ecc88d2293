import 'reflect-metadata';
import { BackupRefusal } from './backup/backup-refusal.js';
import { CommandSession } from './composition/command-session.js';
import { COMMANDS } from './composition/commands.js';
import { runCli } from './platform/cli/run-cli.js';
import { SettingsError } from './platform/config/settings.js';
import { DatabaseRefusal } from './platform/database/server-check.js';

/** Errors whose text says what to do, so that nobody needs to see where they were thrown. */
const ADVICE = [SettingsError, DatabaseRefusal, BackupRefusal];

async function main(): Promise<number> {
  const session = new CommandSession();
  const output = {
    out: (text: string) => void process.stdout.write(`${text}\n`),
    err: (text: string) => void process.stderr.write(`${text}\n`),
  };
  try {
    return await runCli(process.argv.slice(2), COMMANDS, () => Promise.resolve(session), output);
  } finally {
    await session.close();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`The command failed: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
    if (error instanceof Error && !ADVICE.some((kind) => error instanceof kind))
      process.stderr.write(`${error.stack ?? ''}\n`);
    process.exitCode = 1;
  },
);
