import 'reflect-metadata';
import { COMMANDS, CommandServices } from './composition/command-line.js';
import { runCli } from './platform/cli/run-cli.js';
import { SettingsError } from './platform/config/settings.js';
import { DatabaseRefusal } from './platform/database/server-check.js';

async function main(): Promise<number> {
  const context = new CommandServices();
  const output = {
    out: (text: string) => void process.stdout.write(`${text}\n`),
    err: (text: string) => void process.stderr.write(`${text}\n`),
  };
  try {
    return await runCli(process.argv.slice(2), COMMANDS, () => context.open(), output);
  } finally {
    await context.close();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`The command failed: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
    if (error instanceof Error && !(error instanceof SettingsError || error instanceof DatabaseRefusal))
      process.stderr.write(`${error.stack ?? ''}\n`);
    process.exitCode = 1;
  },
);
