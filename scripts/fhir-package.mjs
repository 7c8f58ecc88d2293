import { runBuilt } from './built-program.mjs';

await runBuilt('src/fhir/profiles/fhir-package-program.js');
