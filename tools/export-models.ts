import { readSettings, SettingsError } from '../src/platform/config/settings.js';
import { EXIT_USAGE, runModelExport } from './model-export/command-line.js';

const EXIT_FAILED = 1;

/** `npm run models:export`: the models as an inference server reads them. */
try {
  process.exitCode = runModelExport(process.argv.slice(2), readSettings(process.env), {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'The export failed.'}\n`);
  process.exitCode = error instanceof SettingsError ? EXIT_USAGE : EXIT_FAILED;
}
