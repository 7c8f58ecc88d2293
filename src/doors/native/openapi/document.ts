import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SECURITY_SCHEMES } from '../../../identity/index.js';
import { openSwagger } from '../../../platform/http/openapi.decorators.js';
import { componentSchemas } from './components.js';
import { EVENT_PATHS } from './event.paths.js';
import { OPERATIONS_PATHS } from './operations.paths.js';

const DESCRIPTION = `Photo of a wound in; outline, measures and a result for follow-up out.

1. \`POST /api/v1/images/upload-url\` gives a signed address and an \`imageId\`.
2. \`PUT\` the bytes of the photo to that address.
3. \`POST /api/v1/analysis/jobs\` with the \`imageId\` creates a job and charges one analysis.
4. \`GET /api/v1/analysis/jobs/{id}\`, best with \`Prefer: wait=30\`, until the status is \`completed\` or \`error\`.

Errors are RFC 9457 problems with a stable \`code\`. Every answer carries \`X-Request-Id\`. Fields may be added within this version;
ignore fields and states that you do not know. Decision support, not a diagnosis.`;

const TAGS = [
  ['images', 'Photos: upload and deletion'],
  ['analysis', 'Jobs and their results'],
  ['follow-up', 'Wounds over time: timelines, reports, reviews'],
  ['calibration', 'The printed card that gives a photo its scale'],
  ['models', 'Which models analyse, with their cards'],
  ['usage', 'The daily quota'],
  ['held', 'What waits for a person'],
  ['events', 'What happened, to catch up from'],
  ['samples', 'Drawn photos to test an integration with'],
  ['sandbox', 'The clock of the test environment'],
  ['webhooks', 'Addresses that are told of events, and what was delivered to them'],
  ['hl7v2', 'HL7 v2 messages over HTTP'],
  ['admin', 'For operators: organizations and keys'],
  ['operations', 'For operators: health and figures'],
] as const;

/** The OpenAPI 3.1 document of every route that the application serves, from the code that serves them; below the path of `publicUrl`. */
export async function createOpenApiDocument(
  app: INestApplication,
  publicUrl = 'http://localhost/',
): Promise<OpenAPIObject> {
  const { DocumentBuilder, SwaggerModule } = await openSwagger();
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Sutura')
    .setVersion('1')
    .setDescription(DESCRIPTION);
  // A path alone: the same text fits every installation, and one below a path of its own says so.
  builder.addServer(new URL(publicUrl).pathname);
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { autoTagControllers: false });
  return {
    ...document,
    paths: { ...document.paths, ...OPERATIONS_PATHS },
    webhooks: EVENT_PATHS,
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...componentSchemas() },
      securitySchemes: { ...SECURITY_SCHEMES },
    },
  };
}
