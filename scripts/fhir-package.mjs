import { runBuilt } from './built-program.mjs';

await runBuilt('src/standards/fhir/profiles/fhir-package-program.js');
