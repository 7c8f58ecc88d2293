import { runBuilt } from './built-program.mjs';

await runBuilt('fhir/profiles/fhir-package-program.js');
