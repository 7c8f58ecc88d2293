import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expectStatus, type Answer } from '../../support/api-client.js';
import { describeInBrowser } from '../../support/browser.js';
import { ConsoleGround } from '../../support/console-ground.js';
import { eventually } from '../../support/eventually.js';
import { orderChange } from '../../support/hl7-hospital.js';
import { pdfPages } from '../../support/pdf-text.js';
import { OpenedDesk } from '../../support/review-api.js';
import { closeDesks, openReviewDesk } from '../../support/review-browser.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** What runs wherever a text becomes markup: in an element, in an attribute, and in a narrative. It says which field it came by. */
const hostile = (field: string): string => `"><img src=x onerror="window.owned='${field}'">${field}`;

/** Fields of the contract with free text that a page shows: the text of each, and where it stands as it was written. */
const SHOWN = {
  'organization.name': ['organizations', 'report', 'messages', 'audit', 'worklist', 'desk', 'page', 'pdf', 'narrative'],
  'user.displayName': ['users'],
  'listener.name': ['peers', 'connections', 'failures', 'messages', 'message', 'audit'],
  'destination.name': ['peers', 'connections', 'deliveries', 'audit'],
  'ehr.name': ['peers', 'audit'],
  'subject.patientId': ['search', 'audit', 'desk', 'page', 'pdf', 'narrative'],
  'subject.patientId of nobody with a name': ['worklist', 'caseload'],
  'subject.woundId': ['worklist', 'caseload', 'desk', 'page', 'pdf', 'narrative'],
  'subject.bodySite.display': ['worklist', 'caseload', 'desk', 'page', 'pdf', 'narrative'],
  clinicalContext: ['desk', 'page', 'pdf', 'narrative'],
  'observations.infectionSigns': ['desk', 'page', 'pdf', 'narrative'],
  'event.note': ['next desk'],
  'reviewer.id': ['page', 'pdf', 'narrative'],
  'reviewer.name': ['desk', 'next desk', 'page', 'pdf', 'narrative'],
  'review.note': ['desk', 'page', 'pdf', 'narrative'],
  'Patient.name': ['worklist', 'caseload', 'desk', 'next desk', 'page', 'pdf', 'narrative'],
  'PID-5': ['held message'],
  'MSH-3': ['message'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Field = keyof typeof SHOWN;
const text = (field: Field): string => hostile(field);

/**
 * Free text of request bodies (docs/openapi.json) by its name, and by which row above it is tried, or why by none. A name that is in neither list is a new
 * field: state its row.
 */
const TRIED: Readonly<Record<string, Field>> = {
  name: 'organization.name',
  displayName: 'user.displayName',
  patientId: 'subject.patientId',
  woundId: 'subject.woundId',
  display: 'subject.bodySite.display',
  clinicalContext: 'clinicalContext',
  infectionSigns: 'observations.infectionSigns',
  note: 'review.note',
  message: 'PID-5',
};
const SHOWN_NOWHERE_ELSE: Readonly<Record<string, readonly string[]>> = {
  'names of things that are asked for, which an answer never repeats as markup': [
    'authority',
    'cause',
    'controlId',
    'error',
    'from',
    'imageId',
    'into',
    'order',
    'patient',
    'state',
    'to',
    'type',
    'advance',
    'frameOrigin',
    'kid',
    'statedAt',
    'code',
    'id',
    'scopes',
  ],
  'secrets, which no page shows': ['password', 'newPassword', 'setupCode'],
  'with a form of its own that has no markup': [
    'imageHosts',
    'reviewFrameOrigins',
    'timeZone',
    'origins',
    'frameAncestors',
    'browserOrigins',
    'oid',
    'unit',
  ],
  'settings, which the console shows in fields of forms alone': [
    'OBR-4.*',
    'OBX-11.*',
    'OBX-3.*',
    'ORC-1.*',
    'PID-8.*',
    'PR1-3.*',
    'analysisCodes',
    'caFile',
    'certFile',
    'keyFile',
    'characterSet',
    'clientId',
    'clientNames',
    'facilities',
    'fhirBaseUrl',
    'host',
    'issuer',
    'jwksUrl',
    'namespace',
    'patientAuthorities',
    'receivingApplications',
    'senders',
    'serverName',
    'system',
    'systems.*',
    'uri',
    'woundIdSystem',
    'authorities',
  ],
  'given back over the API alone': ['metadata.*', 'reason', 'statedBy', ''],
};

describeInBrowser('text that people and messages state', () => {
  let ground: ConsoleGround;
  let reports: { readonly patient: string; readonly decided: string; readonly waiting: string };
  let messages: { readonly refused: string; readonly held: string; readonly heldItem: string };

  beforeAll(async () => {
    ground = await ConsoleGround.open();
    await nameThings();
    reports = await stateFindings();
    messages = await sendMessages();
  });
  afterAll(async () => {
    await closeDesks(ground?.browser);
    await ground?.close();
  });

  async function nameThings(): Promise<void> {
    const { ada, organizationId } = ground;
    const change = async (path: string, json: object): Promise<void> =>
      void expectStatus(200, await ada.ask('PATCH', path, json));
    await change(`/organizations/${organizationId}`, { name: text('organization.name') });
    for (const [kind, field] of [
      ['listeners', 'listener.name'],
      ['destinations', 'destination.name'],
    ] as const) {
      const { body } = expectStatus(200, await ada.ask('GET', `/hl7/${kind}`));
      for (const { id } of (body as { items: { id: string }[] }).items)
        await change(`/hl7/${kind}/${id}`, { name: text(field) });
    }
    const user = {
      name: 'mallory',
      displayName: text('user.displayName'),
      roles: [{ organizationId, role: 'reviewer' }],
    };
    expectStatus(201, await ada.ask('POST', '/users', user));
    const ehr = { environment: 'test', name: text('ehr.name'), fhirBaseUrl: 'https://ehr.example.org/fhir' };
    expectStatus(201, await ada.ask('POST', `/organizations/${organizationId}/ehrs`, ehr));
    const url = `https://ward.example.org/?q=${text('organization.name')}`;
    await ada.ask('POST', '/webhooks', { organizationId, environment: 'test', url });
  }

  /** A report that everything is stated of that a person can. */
  async function stateFindings(): Promise<typeof reports> {
    const { hospital, gateway } = ground;
    const { client } = hospital;
    const patient = {
      resourceType: 'Patient',
      identifier: [{ value: text('subject.patientId') }],
      name: [{ family: text('Patient.name'), given: ['Änna'] }],
      birthDate: '1951-07-14',
    };
    const known = expectStatus(201, await client.request('POST', '/fhir/Patient', { json: patient })).body as {
      id: string;
    };
    const subject = {
      patientId: text('subject.patientId'),
      woundId: text('subject.woundId'),
      bodySite: { display: text('subject.bodySite.display') },
    };
    const job = await client.analyse(await drawWoundPhoto(), {
      subject,
      clinicalContext: text('clinicalContext'),
      calibration: { mmPerPixel: 0.2 },
      clinicianObservations: { infectionSigns: [text('observations.infectionSigns')] },
      metadata: { ward: hostile('metadata') },
    });
    const { id } = expectStatus(200, await client.request('GET', job.links.report)).body as { id: string };
    const desk = await OpenedDesk.open(gateway.baseUrl, client, id);
    const reviewer = { id: text('reviewer.id'), name: text('reviewer.name') };
    const decide = async (path: string, json: object): Promise<Answer> => {
      const { headers } = expectStatus(200, await desk.ask('GET', `/reports/${id}`));
      return desk.ask('POST', `/reports/${id}/${path}`, json, { 'if-match': headers.get('etag')! });
    };
    const event = { type: 'dressing_change', occurredAt: new Date(0).toISOString(), note: text('event.note') };
    expectStatus(201, await decide('events', { requestId: randomUUID(), ...event, reviewer }));
    expectStatus(201, await decide('reviews', { decision: 'reject', note: text('review.note'), reviewer }));
    // Two that wait, for the lists of reviewers.
    const next = await client.analyse(await drawWoundPhoto({ seed: 2 }), { subject, calibration: { mmPerPixel: 0.2 } });
    const unnamed = { ...subject, patientId: text('subject.patientId of nobody with a name') };
    await client.analyse(await drawWoundPhoto({ seed: 3 }), { subject: unnamed, calibration: { mmPerPixel: 0.2 } });
    const waiting = expectStatus(200, await client.request('GET', next.links.report)).body as { id: string };
    return { patient: known.id, decided: id, waiting: waiting.id };
  }

  /** A refused message, and one about somebody else under a known number. */
  async function sendMessages(): Promise<typeof messages> {
    const { hospital, ada, organizationId } = ground;
    const announce = (control: string, birthDate: string, name: string) =>
      hospital.send(
        orderChange('', 'NW', control, 'X-1')
          .replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01')
          .replace(/\rORC.*/s, '\r')
          .replace('19510714', birthDate)
          .replace('Beispiel^Änna', name),
      );
    await announce('X-1-A', '19510714', `${text('PID-5')}^Änna`);
    await announce('X-1-B', '19990101', `${text('PID-5')}^Bruno`);
    await hospital.send(orderChange('NEVER-CAME', 'CA', 'X-2').replace('|EHR|HOSP|', `|${text('MSH-3')}|HOSP|`));
    const listed = async <T>(path: string): Promise<readonly T[]> =>
      (expectStatus(200, await ada.ask('GET', path)).body as { items: T[] }).items;
    const of = `organizationId=${organizationId}&environment=test`;
    const refused = async () => (await listed<{ id: string }>(`/hl7/messages?direction=in&state=failed&${of}`))[0];
    const waits = async () =>
      (await listed<Held>(`/organizations/${organizationId}/held`)).find(
        ({ reason }) => reason === 'identity_conflict',
      );
    const message = await eventually('a message is refused', refused);
    const item = await eventually('a message waits', waits);
    return { refused: message!.id, held: item!.came.messageIds[0]!, heldItem: item!.id };
  }

  const fieldsAt = (place: string): Field[] =>
    (Object.keys(SHOWN) as Field[]).filter((field) => (SHOWN[field] as readonly string[]).includes(place));

  /** What a person reads on the page, in its fields as well. */
  const shownIn = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const typed = [...document.querySelectorAll('input, textarea, option')].map(
        (one) => (one as HTMLInputElement).value,
      );
      return [document.body.innerText, ...typed].join('\n').replaceAll(/\s+/g, ' ');
    });

  /** Nothing of it ran or became an element, and each text stands as it was written. */
  async function expectLiteral(page: Page, place: string): Promise<void> {
    const fields = fieldsAt(place);
    const missing = async (): Promise<readonly Field[]> => {
      const told = await shownIn(page);
      return fields.filter((field) => !told.includes(text(field)));
    };
    // What is missing after that is named.
    await eventually(place, async () => (await missing()).length === 0, 20_000).catch(() => undefined);
    expect([place, await missing()]).toEqual([place, []]);
    await expectHarmless(page, place);
  }

  /** Nothing ran, no element or attribute of a text is there that could, and no link leads into a script. */
  const dangersOn = (page: Page) =>
    page.evaluate(() => ({
      ran: (window as { owned?: string }).owned ?? null,
      pictures: document.querySelectorAll('img[src="x"]').length,
      handlers: [...document.querySelectorAll('*')].flatMap((one) =>
        one.getAttributeNames().filter((name) => name.startsWith('on')),
      ),
      scripts: [...document.querySelectorAll('a[href], area[href], form[action], iframe[src]')].filter((one) =>
        /^\s*(?:javascript|data|vbscript):/i.test(
          ['href', 'action', 'src'].map((name) => one.getAttribute(name) ?? '').join(''),
        ),
      ).length,
    }));

  async function expectHarmless(page: Page, place: string): Promise<void> {
    const found = await dangersOn(page);
    expect([place, found]).toEqual([place, { ran: null, pictures: 0, handlers: [], scripts: 0 }]);
  }

  it('would be found if it ran or became markup', async () => {
    const context = await ground.browser.newContext();
    const page = await context.newPage();
    await page.setContent(`<a href=" JavaScript:alert(1)">${text('review.note')}</a>`);
    await eventually('it ran', async () => (await dangersOn(page)).ran === 'review.note');
    expect(await dangersOn(page)).toEqual({ ran: 'review.note', pictures: 1, handlers: ['onerror'], scripts: 1 });
    await context.close();
  });

  it.each([
    ['organizations', () => '/organizations'],
    ['users', () => '/users'],
    ['peers', () => `/peers?organizationId=${ground.organizationId}&environment=test`],
    ['connections', () => '/connections'],
    ['failures', () => '/failures'],
    ['now', () => '/'],
    ['worklist', () => `/worklist?organizationId=${ground.organizationId}&environment=test`],
    ['caseload', () => `/caseload?organizationId=${ground.organizationId}&environment=test`],
    ['search', () => `/search?q=${encodeURIComponent(text('subject.patientId'))}`],
    ['patient', () => `/search?q=${reports.patient}`],
    ['report', () => `/search?q=${reports.decided}`],
    ['messages', () => '/messages?direction=in'],
    ['message', () => `/messages/${messages.refused}`],
    ['held message', () => `/messages/${messages.held}`],
    ['held list', () => `/held?organizationId=${ground.organizationId}&environment=test`],
    ['held', () => `/held/${ground.organizationId}/${messages.heldItem}`],
    ['deliveries', () => `/deliveries?organizationId=${ground.organizationId}&environment=test`],
    ['audit', () => `/audit?organizationId=${ground.organizationId}`],
  ])('is text and runs nothing in the console: %s', async (place, path) => {
    await ground.pages.open(async (page) => {
      await ground.pages.goTo(page, path());
      await page.waitForLoadState('networkidle');
      await expectLiteral(page, place);
    });
  });

  it.each([
    ['desk', () => reports.decided],
    ['next desk', () => reports.waiting],
  ])('is text and runs nothing at the %s, on all its panels', async (place, reportId) => {
    const { browser, hospital, gateway } = ground;
    const { page, complaints } = await openReviewDesk(browser, hospital.client, gateway.baseUrl, reportId());
    const seen: string[] = [];
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page.waitForLoadState('networkidle');
      await eventually('the panel is there', async () => !(await shownIn(page)).includes('Opening …'));
      seen.push(await shownIn(page));
      await expectHarmless(page, place);
    }
    const told = seen.join('\n');
    expect(fieldsAt(place).filter((field) => !told.includes(text(field)))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is text and runs nothing in the page of a report, its PDF and its narrative', async () => {
    const { browser, hospital, gateway } = ground;
    const desk = await OpenedDesk.open(gateway.baseUrl, hospital.client, reports.decided);
    const documentOf = async (as: string) =>
      expectStatus(200, await desk.ask('GET', `/reports/${reports.decided}/versions/2/document?lang=en${as}`));
    const context = await browser.newContext();
    const page = await context.newPage();
    // Without the policy that comes with it: the text itself has to be harmless.
    await page.setContent((await documentOf('&as=html')).bytes.toString('utf8'));
    await expectLiteral(page, 'page');
    const address = `/fhir/DiagnosticReport/${reports.decided}/$document`;
    const { body } = expectStatus(200, await hospital.client.request('GET', address));
    await page.setContent(narrativesIn(body).join('\n'));
    await expectLiteral(page, 'narrative');
    await context.close();
    const pdf = pdfPages((await documentOf('')).bytes)
      .join(' ')
      .replaceAll(/\s+/g, '');
    expect(fieldsAt('pdf').filter((field) => !pdf.includes(text(field).replaceAll(/\s+/g, '')))).toEqual([]);
  });

  it('names no file that is downloaded, and what a client sent is never opened as a page', async () => {
    const { hospital } = ground;
    const { client } = hospital;
    const page = { contentType: 'text/html', data: Buffer.from(text('clinicalContext')).toString('base64') };
    const sent = await client.request('POST', '/fhir/Binary', { json: { resourceType: 'Binary', ...page } });
    const { id } = expectStatus(201, sent).body as { id: string };
    const given: Answer[] = [
      await client.request('GET', `/fhir/Binary/${id}`, { headers: { accept: '*/*' } }),
      ...(await Promise.all(
        ['text/html', 'application/pdf', 'text/plain'].map((accept) =>
          client.request('GET', `/api/v1/reports/${reports.decided}`, { headers: { accept } }),
        ),
      )),
    ];
    for (const { status, headers } of given) {
      expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
      expect(headers.get('content-disposition')).toMatch(/^(?:inline|attachment)(?:; filename="[\w.-]+")?$/);
    }
    expect(given[0]!.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it.each(['javascript:window.owned=1', 'JaVaScRiPt:window.owned=1', 'data:text/html,<script>window.owned=1</script>'])(
    'is refused as an address: %s',
    async (url) => {
      const { ada, hospital, organizationId } = ground;
      const ehr = { environment: 'test', name: 'EHR', fhirBaseUrl: url };
      const answers = [
        await ada.ask('POST', `/organizations/${organizationId}/ehrs`, ehr),
        await ada.ask('POST', '/webhooks', { organizationId, environment: 'test', url }),
        await hospital.client.request('POST', '/api/v1/webhooks', { json: { url } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 422, 422]);
    },
  );
});

interface Held {
  readonly id: string;
  readonly reason: string | null;
  readonly came: { readonly messageIds: readonly string[] };
}

/** `div` of each narrative, wherever it stands. */
function narrativesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { div } = value as { readonly div?: unknown };
  return [...(typeof div === 'string' ? [div] : []), ...Object.values(value).flatMap(narrativesIn)];
}

describe('free text of the contract', () => {
  it('is tried above, field by field, or shown by no page: a new field states its row', () => {
    const known = new Set([...Object.keys(TRIED), ...Object.values(SHOWN_NOWHERE_ELSE).flat()]);
    const contract = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as Contract;
    const stated = freeTextOf(contract);
    expect([...stated].filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !stated.has(name))).toEqual([]);
  });
});

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Contract {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> } }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Names of the texts of request bodies that no list, format or pattern bounds. */
function freeTextOf({ paths, components }: Contract): Set<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const walk = (schema: Schema, name: string): void => {
    if (schema.$ref !== undefined) {
      const key = `${schema.$ref} ${name}`;
      if (seen.has(key)) return;
      seen.add(key);
      return walk(components.schemas[schema.$ref.split('/').at(-1)!]!, name);
    }
    const isFree = [schema.enum, schema.format, schema.pattern, schema.const].every((bound) => bound === undefined);
    if (schema.type === 'string' && isFree) names.add(name);
    for (const [property, one] of Object.entries(schema.properties ?? {})) walk(one, property);
    if (schema.items !== undefined) walk(schema.items, name);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${name}.*`);
    for (const one of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => all ?? [])) walk(one, name);
  };
  for (const operation of Object.values(paths).flatMap((one) => Object.values(one)))
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      if (schema !== undefined) walk(schema, '');
  return names;
}
