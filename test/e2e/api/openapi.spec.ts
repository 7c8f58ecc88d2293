import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { ValidateFunction } from 'ajv';
import { ERROR_CATALOGUE } from '../../../src/core/errors/catalogue.js';
import { SCOPES } from '../../../src/core/tenancy/api-key.js';
import { serveApplication, type ServedApplication } from '../../support/served-application.js';

/** Routes for every key, whatever its scopes. */
const NEEDS_ANY_KEY = ['GET /api/v1/calibration-card.pdf'];

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly 'x-error-codes'?: readonly string[];
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, Content>; readonly headers?: object }
  >;
}

interface Content {
  readonly schema?: { readonly format?: string };
  readonly examples?: Record<string, { readonly value: unknown }>;
  readonly example?: unknown;
}

const OF_TENANTS = '/api-docs/openapi.json?audience=tenant';

describe('the OpenAPI document', () => {
  let application: ServedApplication;
  let base: string;
  let document: OpenAPIObject;
  let tenant: { readonly document: OpenAPIObject; readonly etag: string };
  let operations: { route: string; operation: Operation }[];

  beforeAll(async () => {
    application = await serveApplication();
    base = application.baseUrl;
    // One after the other: a connection that is left alone for long is closed.
    const [whole, ofTenants] = [await fetch(`${base}/api-docs/openapi.json`), await fetch(`${base}${OF_TENANTS}`)];
    document = (await whole.json()) as OpenAPIObject;
    tenant = { document: (await ofTenants.json()) as OpenAPIObject, etag: ofTenants.headers.get('etag')! };
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path}`,
        operation: operation as Operation,
      })),
    );
  });

  afterAll(() => application?.close());

  it('lists exactly the routes that are served', () => {
    // HEAD goes with every GET; the page and its files are not part of the interface; FHIR and OAuth describe themselves, at /fhir/metadata and
    // /.well-known/smart-configuration; a login at the identity provider, the console's files, the review desk and its launch from an EHR,
    // the docs and the page at / are for browsers; CDS Hooks describe themselves, at /cds-services; a set of keys is what RFC 7517 says.
    const served = application.routes.filter(
      (route) =>
        !/^HEAD |^GET \/(?:$|api-docs)|\/jwks\.json$| \/(fhir|auth|console|review|launch|cds-services|docs|web|\.well-known|admin\/v1\/session\/oidc)(\/|$)/.test(
          route,
        ),
    );
    expect(operations.map(({ route }) => route.replace(/\{(\w+)\}/g, ':$1')).sort()).toEqual(served);
  });

  it('is what docs/conformance/api.md lists, with the same scopes and statuses', async () => {
    const page = await readFile(join(__dirname, '../../../docs/conformance/api.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z]+) (\/api\/v1\/[^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)];
    const said = rows.map(([, method, path, scope = '', statuses = '']) => [
      `${method} ${path!.replace(/\{[\w,]+\}/g, '{}')}`,
      scope.trim().replace(/`/g, ''),
      statuses.trim().split(', ')[0],
    ]);
    const served = operations
      .filter(({ route }) => route.includes(' /api/v1/') && !route.startsWith('PUT /api/v1/uploads'))
      .map(({ route, operation }) => [
        route.replace(/\{[\w]+\}/g, '{}'),
        Object.values(operation.security?.[0] ?? {})[0]?.[0] ?? 'any key',
        Object.keys(operation.responses)[0],
      ]);
    expect(said.sort()).toEqual(served.sort());
    expect(page).not.toMatch(/not in this version[^]*(?:wounds|reports|timelines|reviews)/i);
  });

  it('has no schema that generators of clients cannot read', () => {
    const unreadable: string[] = [];
    JSON.stringify(document, function (this: object, name: string, value: unknown) {
      // One type, or one and null.
      const isOfSeveralTypes =
        name === 'type' && Array.isArray(value) && value.filter((type) => type !== 'null').length !== 1;
      if ((name === 'items' && typeof value === 'boolean') || name === 'prefixItems' || isOfSeveralTypes)
        unreadable.push(JSON.stringify(this).slice(0, 100));
      return value;
    });
    expect(unreadable).toEqual([]);
  });

  it('is version 3.1 and names no address outside', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: '/' }]);
  });

  it('is the one in docs/openapi.json (npm run openapi writes it anew)', async () => {
    const kept: unknown = JSON.parse(await readFile(join(__dirname, '../../../docs/openapi.json'), 'utf8'));
    expect(document).toEqual(kept);
  });

  it('gives every operation an id of its own, a summary and a known tag', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags?.map(({ name }) => name);
    for (const { route, operation } of operations) {
      expect([route, operation.summary === undefined || operation.summary === '']).toEqual([route, false]);
      expect([route, operation.tags?.filter((tag) => !tags?.includes(tag))]).toEqual([route, []]);
    }
  });

  it('shows an example of every JSON body and of every refusal', () => {
    const bare = operations.flatMap(({ route, operation }) => {
      const contents = [
        operation.requestBody?.content ?? {},
        ...Object.values(operation.responses).map(({ content }) => content ?? {}),
      ].flatMap((content) => Object.entries(content));
      return contents
        .filter(([type, content]) => /json/.test(type) && !hasExample(content))
        .map(([type]) => `${route} ${type}`);
    });
    expect(bare).toEqual([]);
  });

  it('lists the refusals of every operation, all of them in the catalogue and under their own status', () => {
    for (const { route, operation } of operations) {
      const refusals = Object.entries(operation.responses).filter(
        ([status, { content }]) => Number(status) >= 400 && content?.['application/problem+json'] !== undefined,
      );
      expect([route, refusals.length > 0]).toEqual([route, true]);
      for (const [status, { content }] of refusals) {
        const examples = Object.entries(content?.['application/problem+json']?.examples ?? {});
        expect(examples.filter(([code]) => !(code in ERROR_CATALOGUE))).toEqual([]);
        for (const [code, { value }] of examples)
          expect([route, value]).toEqual([
            route,
            expect.objectContaining({ code, type: `urn:sutura:error:${code}`, status: Number(status) }),
          ]);
      }
    }
  });

  it('names the scope of every route of the contract, and opens none by oversight', () => {
    for (const { route, operation } of operations.filter((one) => one.route.includes(' /api/v1/'))) {
      const scopes = (operation.security ?? []).flatMap((scheme) => Object.values(scheme).flat());
      expect([route, operation.security?.length]).toEqual([route, 2]);
      expect([route, scopes.length]).toEqual([route, NEEDS_ANY_KEY.includes(route) ? 0 : 2]);
      expect(scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope))).toEqual([]);
    }
    const schemes = Object.keys(document.components?.securitySchemes ?? {});
    const used = operations.flatMap(({ operation }) => (operation.security ?? []).flatMap(Object.keys));
    expect(used.filter((scheme) => !schemes.includes(scheme))).toEqual([]);
    const open = operations
      .filter(({ operation }) => (operation.security ?? []).length === 0)
      .map(({ route }) => route);
    expect(open.sort()).toEqual([
      'GET /health/live',
      'GET /health/ready',
      'GET /metrics',
      'POST /admin/v1/session',
      'POST /admin/v1/session/setup',
      'PUT /storage/uploads/{imageId}',
    ]);
  });

  it('declares every parameter of a path', () => {
    for (const { route, operation } of operations) {
      const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([route, (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name)]).toEqual([
        route,
        inPath,
      ]);
    }
  });

  it('refers to nothing that it does not hold', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name ?? '',
    );
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((name) => !(name in (document.components?.schemas ?? {})))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"\$ref":"#\/\$defs|"\$schema"|"\$id"/);
  });

  it('has nothing that generators of clients write code from that does not compile', () => {
    const found: string[] = [];
    JSON.stringify(document, function (this: object, name: string, value: unknown) {
      if (name === 'anyOf' && (value as object[]).some((part) => Object.keys(part).length === 0))
        found.push(`${JSON.stringify(this).slice(0, 80)}: anything, or null (Java, Go)`);
      const one = (value ?? {}) as {
        uniqueItems?: boolean;
        items?: { enum?: unknown; $ref?: string };
        default?: unknown;
      };
      if (one.uniqueItems === true && one.items?.enum !== undefined)
        found.push(`${name}: a set of an unnamed enum (Java)`);
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (name === 'default' && isObject && !('description' in value))
        found.push(`${JSON.stringify(this).slice(0, 80)}: a default that is an object (Go)`);
      return value;
    });
    expect(found).toEqual([]);
    const constants = Object.values(document.components?.schemas ?? {}).flatMap((schema) => {
      const { enum: words = [], 'x-enum-varnames': names } = schema as NamedSchema;
      return names ?? words.map((word) => word.toUpperCase());
    });
    expect(constants.filter((one, index) => constants.indexOf(one) !== index)).toEqual([]);
  });

  it('gives every list of the contract one envelope, beside the names that came first', () => {
    const lists = operations.filter(
      ({ route, operation }) =>
        route.startsWith('GET /api/v1/') && /^list|^readCalibrationCards$/.test(operation.operationId),
    );
    expect(lists.length).toBe(12);
    for (const { route, operation } of lists) {
      const { content = {} } = operation.responses['200']!;
      const { schema, examples = {} } = content['application/json'] as { schema: { $ref: string } } & Content;
      const { properties = {}, required = [] } = schemaOf(document, schema.$ref);
      expect([route, properties]).toEqual([
        route,
        expect.objectContaining({ items: expect.anything(), nextCursor: expect.anything() }),
      ]);
      expect([route, required]).toEqual([route, expect.arrayContaining(['items', 'nextCursor'])]);
      for (const { value } of Object.values(examples))
        expect(Object.keys(value as object)).toEqual(expect.arrayContaining(['items', 'nextCursor']));
    }
  });

  it('says the codes of every operation to programs, and all codes of this release in one schema', () => {
    expect(schemaOf(document, '#/components/schemas/ErrorCode').enum).toEqual(Object.keys(ERROR_CATALOGUE));
    for (const { route, operation } of operations.filter((one) => / \/(api|storage)\//.test(one.route))) {
      const shown = Object.values(operation.responses).flatMap(({ content }) =>
        Object.keys(content?.['application/problem+json']?.examples ?? {}),
      );
      expect([route, operation['x-error-codes']]).toEqual([route, shown.sort()]);
    }
  });

  it('says of every operation whether it needs a credential', () => {
    expect(operations.filter(({ operation }) => operation.security === undefined).map(({ route }) => route)).toEqual(
      [],
    );
  });

  it('keeps to its own schemas in every example', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    // Its types name the module as its default.
    const addFormats = (await import('ajv-formats')).default as unknown as (ajv: object) => void;
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      validateFormats: true,
      logger: false,
      code: { optimize: false },
    });
    addFormats(ajv);
    ajv.addSchema({ ...document, $id: 'document' });
    // Most refusals have one schema: each is compiled once.
    const compiled = new Map<string, ValidateFunction>();
    const wrong: string[] = [];
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
        const at = ['paths', path, method];
        const bodies = [
          [[...at, 'requestBody'], operation.requestBody] as const,
          ...Object.entries(operation.responses).map(([status, one]) => [[...at, 'responses', status], one] as const),
        ];
        for (const [place, body] of bodies)
          for (const [type, { schema, examples = {} }] of Object.entries(body?.content ?? {})) {
            if (!type.includes('json')) continue;
            const pointer = [...place, 'content', type, 'schema'].map((step) =>
              encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
            );
            const text = JSON.stringify(schema);
            const holds = compiled.get(text) ?? ajv.getSchema(`document#/${pointer.join('/')}`)!;
            compiled.set(text, holds);
            for (const [name, { value }] of Object.entries(examples))
              if (holds(value) !== true) wrong.push(`${method} ${path} ${name}: ${ajv.errorsText(holds.errors)}`);
          }
      }
    expect(wrong).toEqual([]);
  });

  it('comes without the operator’s part for those who hold a key of an organization', async () => {
    const { document: ofTenants, etag } = tenant;
    expect(Object.keys(ofTenants.paths).filter((path) => /^\/(admin|health|metrics)/.test(path))).toEqual([]);
    const shared = Object.keys(document.paths).filter((path) => /^\/(api|storage|hl7v2)/.test(path));
    expect(Object.keys(ofTenants.paths).sort()).toEqual(shared.sort());
    expect(ofTenants.tags?.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['admin']));
    expect(Object.keys(ofTenants.components?.securitySchemes ?? {}).sort()).toEqual(['apiKey', 'basic', 'bearer']);
    // Those are requests of the service, of which generators would make calls; their bodies are there.
    expect(ofTenants.webhooks).toBeUndefined();
    const { schemas = {} } = ofTenants.components ?? {};
    const text = JSON.stringify(ofTenants);
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in schemas))).toEqual([]);
    const alone = Object.keys(schemas).filter((name) => !named.includes(name));
    expect(alone.filter((name) => name !== 'ErrorCode' && !name.endsWith('Event'))).toEqual([]);
    expect(alone).toEqual(expect.arrayContaining(['ErrorCode', 'ReportReadyEvent']));
    expect(text.length).toBeLessThan(0.6 * JSON.stringify(document).length);
    const again = await fetch(`${base}${OF_TENANTS}`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const other = await fetch(`${base}/api-docs/openapi.json?audience=nobody`);
    expect([other.status, await other.json()]).toEqual([400, expect.objectContaining({ code: 'request.invalid' })]);
  });

  it('is found from the address that a start prints, by a person and by a program', async () => {
    const page = await fetch(`${base}/`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    const links = [...(await page.text()).matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(expect.arrayContaining(['docs/', 'api-docs', 'console']));
    const { links: places } = (await (await fetch(`${base}/`)).json()) as { links: Record<string, string> };
    expect(places['openapi']).toBe('api-docs/openapi.json');
    expect((await fetch(new URL(places['health']!, `${base}/`))).status).toBe(200);
  });

  it('is shown on a page that loads nothing from elsewhere', async () => {
    const page = await fetch(`${base}/api-docs`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, address]) => address ?? '')
      .filter((address) => !address.startsWith('#'));
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      expect(address).not.toMatch(/^(?:https?:)?\/\//);
      const file = await fetch(new URL(address, `${base}/api-docs`));
      expect([address, file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([address, 200, true]);
    }
    const script = await (await fetch(`${base}/api-docs/swagger-ui-init.js`)).text();
    expect(script).toContain('"validatorUrl": null');
  });
});

interface NamedSchema {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly 'x-enum-varnames'?: readonly string[];
}

function schemaOf(document: OpenAPIObject, reference: string): NamedSchema {
  return document.components?.schemas?.[reference.replace(/^.*\//, '')] as NamedSchema;
}

function hasExample(content: Content): boolean {
  return content.example !== undefined || Object.keys(content.examples ?? {}).length > 0;
}
