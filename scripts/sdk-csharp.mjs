// npm run build:sdk:csharp: writes what the C# client has of docs/openapi.json; --check ends with code 1 where it is another.
import { modelOf } from './sdk-csharp/models.mjs';
import { operationParts, queryClasses } from './sdk-csharp/operations.mjs';
import { HEAD } from './sdk-csharp/text.mjs';
import { operationsOf, tenantSchemas } from './sdk-sources/contract.mjs';
import { writeOrCheck } from './sdk-sources/files.mjs';

function sourcesOf(document) {
  const operations = operationsOf(document);
  return [
    ...tenantSchemas(document)
      .map(({ name, isSent }) => modelOf(document.components.schemas, name, isSent))
      .filter((one) => one !== null),
    ...operationParts(operations),
    ...queryClasses(operations),
  ];
}

await writeOrCheck(sourcesOf, {
  folder: 'sdk/csharp/src',
  extension: '.cs',
  head: HEAD,
  command: 'build:sdk:csharp',
});
