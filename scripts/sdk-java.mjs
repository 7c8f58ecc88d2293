// npm run build:sdk:java: writes what the Java client has of docs/openapi.json; --check ends with code 1 where it is another.
import { modelOf } from './sdk-java/models.mjs';
import { operationClasses, queryClasses } from './sdk-java/operations.mjs';
import { HEAD } from './sdk-java/text.mjs';
import { JavaTypes } from './sdk-java/types.mjs';
import { operationsOf, tenantSchemas } from './sdk-sources/contract.mjs';
import { writeOrCheck } from './sdk-sources/files.mjs';

function sourcesOf(document) {
  const { schemas } = document.components;
  const types = new JavaTypes(schemas);
  const operations = operationsOf(document);
  return [
    ...tenantSchemas(document)
      .map(({ name, isSent }) => modelOf(types, name, schemas[name], isSent))
      .filter((one) => one !== null),
    ...operationClasses(operations),
    ...queryClasses(operations),
  ];
}

await writeOrCheck(sourcesOf, {
  folder: 'sdk/java/src/main/java/dev/sutura/sdk',
  extension: '.java',
  head: HEAD,
  command: 'build:sdk:java',
});
