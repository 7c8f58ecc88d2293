import { EXIT_UNREADABLE, EXIT_USAGE, runEvaluation } from './evaluation/run-evaluation.js';
import { readSettings, SettingsError } from '../src/platform/config/settings.js';

/** `npm run evaluate`: compares the models' findings with experts' drawings. */
async function main(): Promise<number> {
  const isWatched = process.stderr.isTTY === true;
  const clearLine = () => void (isWatched && process.stderr.write('\r\u001b[K'));
  return runEvaluation(process.argv.slice(2), readSettings(process.env), {
    out: (text) => {
      clearLine();
      process.stdout.write(`${text}\n`);
    },
    err: (text) => {
      clearLine();
      process.stderr.write(`${text}\n`);
    },
    progress: (done, all) => void (isWatched && process.stderr.write(`\r${done} of ${all}`)),
  });
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'The evaluation failed.'}\n`);
    process.exitCode = error instanceof SettingsError ? EXIT_USAGE : EXIT_UNREADABLE;
  },
);
