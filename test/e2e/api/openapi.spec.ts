import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
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

describe('the OpenAPI document', () => {
  let application: ServedApplication;
  let base: string;
  let document: OpenAPIObject;
  let operations: { route: string; operation: Operation }[];

  beforeAll(async () => {
    application = await serveApplication();
    base = application.baseUrl;
    document = (await (await fetch(`${base}/api-docs/openapi.json`)).json()) as OpenAPIObject;
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
    // /.well-known/smart-configuration; a login at the identity provider, the console's files, the review desk and the docs are for browsers alone.
    const served = application.routes.filter(
      (route) =>
        !/^HEAD |^GET \/api-docs| \/(fhir|auth|console|review|docs|web|\.well-known|admin\/v1\/session\/oidc)(\/|$)/.test(
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

function hasExample(content: Content): boolean {
  return content.example !== undefined || Object.keys(content.examples ?? {}).length > 0;
}
