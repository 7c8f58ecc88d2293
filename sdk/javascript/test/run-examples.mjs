// Runs modules one after another, each a documented example: node run-examples.mjs FILE… ; prints one line of JSON with what each said.
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { format, inspect } from 'node:util';

const results = {};
for (const file of process.argv.slice(2)) {
  const said = [];
  for (const method of ['log', 'debug']) console[method] = (...words) => said.push(format(...words));
  const fault = await import(pathToFileURL(resolve(file)).href).then(
    () => null,
    (reason) => inspect(reason),
  );
  results[file] = { fault, said };
}
// Not the end of the script: an example may leave a timer behind.
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0));
