import type { OpenAPIObject } from '@nestjs/swagger';

/** Whom a document is for: everybody, or those who hold an API key of an organization. */
export const AUDIENCES = ['all', 'tenant'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The operator's part, which an organization's program never calls. */
const OPERATORS_TAGS: readonly string[] = ['admin', 'operations'];
const REFERENCE = '#/components/schemas/';
/** Named by no operation, and for programs all the same. */
const ALWAYS = ['ErrorCode'];

/**
 * The document without the operator's routes, without the schemas and schemes that they alone need, and without `webhooks`: generators make
 * calls of these requests of the service, Python's and TypeScript's wrongly. The schemas of their bodies stay.
 */
export function documentFor(audience: Audience, document: OpenAPIObject): OpenAPIObject {
  if (audience === 'all') return document;
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, item]) => [path, withoutOperators(item)] as const)
      .filter(([, item]) => Object.keys(item).length > 0),
  );
  const { schemas = {}, securitySchemes = {}, ...components } = document.components ?? {};
  const { webhooks, ...others } = document;
  const needed = namesNeeded({ paths, webhooks }, schemas);
  const text = JSON.stringify(paths);
  return {
    ...others,
    tags: (document.tags ?? []).filter(({ name }) => !OPERATORS_TAGS.includes(name)),
    paths,
    components: {
      ...components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => needed.has(name))),
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).filter(([name]) => text.includes(`{${JSON.stringify(name)}:[`)),
      ),
    },
  };
}

function withoutOperators(item: object): OpenAPIObject['paths'][string] {
  return Object.fromEntries(
    Object.entries(item as Record<string, { readonly tags?: readonly string[] }>).filter(
      ([, { tags = [] }]) => !tags.some((tag) => OPERATORS_TAGS.includes(tag)),
    ),
  );
}

function namesNeeded(used: unknown, schemas: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const found = new Set<string>(ALWAYS);
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') {
        walk(inner);
        continue;
      }
      const name = inner.slice(REFERENCE.length);
      if (!found.has(name)) walk(schemas[found.add(name) && name]);
    }
  };
  walk(used);
  return found;
}
