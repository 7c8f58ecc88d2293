import { readFileSync } from 'node:fs';
const { ResourceIndexer } = await import('../dist/src/fhir/search/index/resource-indexer.js');
const m = await import('../dist/src/fhir/search/index.js').catch(() => ({})); console.log(Object.keys(m));
