import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { HOLDS } from '../../../src/exits/ehr/settings/holds.js';
import { ApiClient, expectStatus } from '../../support/api-client.js';
import { EhrPage, statedOption, writtenPart } from '../../support/ehr-page.js';
import { eventually } from '../../support/eventually.js';
import { startFakeEhr, type Dialect, type FakeEhr, type Resource } from '../../support/fake-ehr/index.js';
import type { SharedGateway } from '../../support/gateway.js';
import { LaunchBrowser, outcomeOf } from '../../support/launch-browser.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const ROOT = resolve(__dirname, '../../..');
const STAFF = 'urn:oid:2.999.5';
const DAY_MS = 86_400_000;
const PAGES = ['epic', 'hapi-and-medplum', 'isik', 'oracle-health'].map((name) => EhrPage.read(name));

/** What stands in the chart of a report that was accepted, corrected and withdrawn, as its page says. */
const LEFT: Readonly<Record<'epic' | 'isik' | 'oracle' | 'transaction', readonly string[]>> = {
  epic: ['current', 'current', 'current'],
  isik: ['superseded', 'superseded', 'current'],
  oracle: ['entered-in-error'],
  transaction: ['entered-in-error', 'entered-in-error'],
};

let gateway: SharedGateway;

describe('the pages of docs/ehrs, with docs/ehrs.md', () => {
  it('are all followed here', () => {
    const files = readdirSync(join(ROOT, 'docs/ehrs')).sort();
    expect(files).toEqual(PAGES.map(({ name }) => `${name}.md`));
  });

  it('name every hold, and none that there is not', () => {
    const named = new Set([...PAGES, EhrPage.read('../ehrs')].flatMap(({ holds }) => holds));
    expect([...named].sort()).toEqual(Object.keys(HOLDS).sort());
  });
});

describe.each(PAGES.flatMap((page) => page.blocks.map((block) => ({ page, block, name: nameIn(block) }))))(
  'what the page says of $name',
  ({ page, block }) => {
    let hospital: Hospital;
    beforeAll(async () => {
      gateway = await sharedGateway();
      hospital = await Hospital.open(page, block);
    });
    afterAll(() => hospital?.close());

    it('registers it, and the test that it names finds nothing that will not work', async () => {
      const said = await hospital.paste();
      expect(said).toContain(nameIn(block));
      expect(said).toMatch(/^ok {3}The FHIR server answers/m);
      expect(said).not.toMatch(/^NOT /m);
    });

    it('has a result accepted, corrected and withdrawn there as it says, with the scopes that it asks for', async () => {
      const path = await hospital.assess();
      await hospital.decide(path, { decision: 'accept' });
      if (page.scopes.length > 1) expect(await hospital.launch()).toBe('opened');
      await hospital.decide(path, { decision: 'correct', outlines: [0] });
      await hospital.decide(path, { decision: 'reject', note: 'Wrong photo' });
      expect(hospital.documents.map(({ status }) => status)).toEqual(LEFT[hospital.dialect]);
      expect(hospital.faults()).toEqual([]);
    });

    it('shows each version in the form that it names', () => {
      const sent = hospital.documents.map((document) => JSON.stringify(document));
      const contentType = hospital.dialect === 'epic' ? 'text/plain' : 'application/pdf';
      expect(sent).not.toEqual([]);
      for (const one of sent) expect(one).toContain(`"contentType":"${contentType}"`);
      if (hospital.dialect !== 'epic') return;
      const notes = hospital.notes();
      for (const note of notes) expect(note).toMatch(/\nSutura report: \S+\n$/);
      expect(notes.map((note) => /^(CORRECTION|WITHDRAWN)?/.exec(note)![0])).toEqual(['', 'CORRECTION', 'WITHDRAWN']);
    });

    if (writtenPart(block, 'cds.json') !== undefined)
      it('is answered when it asks for cards', async () => {
        expect(await hospital.askForCards()).toEqual({ status: 200, body: { cards: [] } });
      });
  },
);

/** A counterpart that is set up as a page says, and a shell in which its commands are pasted. */
class Hospital {
  private sent = 0;
  private readonly versions: number[] = [];
  private reportId = '';

  private constructor(
    private readonly page: EhrPage,
    private readonly block: string,
    /** The counterpart, and its patient who is known on both sides. */
    private readonly ehr: FakeEhr,
    private readonly patientId: string,
    /** The organization whose EHR it is, and a caller of it. */
    private readonly own: { readonly organizationId: string; readonly client: ApiClient },
    private readonly folder: string,
  ) {}

  get dialect(): keyof typeof LEFT {
    return writtenPart(this.block, 'push.json')!['dialect'] as keyof typeof LEFT & Dialect;
  }

  static async open(page: EhrPage, block: string): Promise<Hospital> {
    const dialect = writtenPart(block, 'push.json')!['dialect'] as keyof typeof LEFT & Dialect;
    const ehr = await startFakeEhr({ dialect, hasAuthorizationElsewhere: block.includes('--origins') });
    const organizationId = await gateway.createOrganization();
    const client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
    const folder = mkdtempSync(join(tmpdir(), 'sutura-ehr-page-'));
    const cli = `node ${join(ROOT, 'scripts/cli.mjs')}`;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { cli } }));
    const system = statedOption(block, '--patient-system')!;
    const patientId = ehr.control.addPatient({ identifiers: [{ system, value: 'PAGE-1' }] });
    const start = new Date(Date.now() - DAY_MS).toISOString();
    ehr.control.addEncounter({ patientId, start });
    ehr.control.addPractitioner({ identifiers: [{ system: STAFF, value: 'HCP-1' }] });
    return new Hospital(page, block, ehr, patientId, { organizationId, client }, folder);
  }

  async close(): Promise<void> {
    await this.ehr.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The block as it stands, but for the addresses and ids that its reader fills in; what it printed. */
  async paste(): Promise<string> {
    const { ehr, page, block } = this;
    const filled = [
      ['ID-OF-THE-ORGANIZATION', this.own.organizationId],
      [statedOption(block, '--fhir-base-url')!, ehr.fhirBaseUrl],
      [statedOption(block, '--origins') ?? 'no origins', ehr.authorizationOrigin],
      ['TOKEN-OF-THE-KIS', ehr.control.issueToken(page.scopes.at(-1)!)],
      ...Object.entries({ issuer: ehr.cds.issuer, jwksUrl: ehr.cds.jwksUrl }).map(([name, address]) => [
        `"${name}": "${String(writtenPart(block, 'cds.json')?.[name])}"`,
        `"${name}": "${address}"`,
      ]),
    ].reduce((script, [stated, actual]) => script.replaceAll(stated!, actual!), block);
    const said = await run(filled, this.folder);
    const push = writtenPart(block, 'push.json')!;
    if (push['auth'] === 'none') ehr.control.open();
    for (const row of Object.values((push['codes'] ?? {}) as Record<string, { system: string; code: string }>))
      ehr.control.mapRow(row);
    await this.registerClients(push);
    return said;
  }

  /** With the scopes and addresses that the page says, and nothing more. */
  private async registerClients(push: Readonly<Record<string, unknown>>): Promise<void> {
    const { addresses } = await this.registration();
    const [launch, filing] = [this.page.scopes.at(-2), this.page.scopes.at(-1)!];
    const jwksUrl = addresses.keys;
    const client = { type: 'asymmetric', jwksUrl } as const;
    if (push['auth'] === 'backend-services')
      this.ehr.control.registerClient({
        ...client,
        clientId: push['clientId'] as string,
        isBackend: true,
        scopes: filing,
      });
    const clientId = writtenPart(this.block, 'launch.json')?.['clientId'];
    if (clientId === undefined || launch === undefined) return;
    const redirectUris = [addresses.redirect];
    this.ehr.control.registerClient({ ...client, clientId: clientId as string, redirectUris, scopes: launch });
  }

  private async registration(): Promise<Registered> {
    const { body } = expectStatus(200, await gateway.admin('GET', `/organizations/${this.own.organizationId}/ehrs`));
    return (body.items as Registered[])[0]!;
  }

  /** A photo of today, to its report; its path. */
  async assess(): Promise<string> {
    const job = await this.own.client.analyse(await drawSmallWoundPhoto(), {
      subject: { patientId: 'PAGE-1', patientSystem: statedOption(this.block, '--patient-system'), woundId: 'W-1' },
      capturedAt: new Date(Date.now() - DAY_MS / 24).toISOString(),
      calibration: { mmPerPixel: 0.2 },
    });
    return job.links.report as string;
  }

  /** Decides as the clinician whom the EHR knows, and waits until that has been filed. */
  async decide(path: string, decision: object): Promise<void> {
    const report = expectStatus(200, await this.own.client.request('GET', path));
    this.reportId = report.body.id as string;
    const reviewed = await this.own.client.request('POST', `/api/v1/reports/${this.reportId}/reviews`, {
      json: { ...decision, reviewer: { id: 'HCP-1', name: 'Ada Winter', system: STAFF } },
      headers: { 'if-match': report.headers.get('etag')! },
    });
    this.versions.push(expectStatus(201, reviewed).body.version as number);
    this.sent = await eventually(`version ${String(this.versions.at(-1))} to be filed`, async () => {
      const { waiting, sent, held } = (await this.registration()).deliveries;
      if (held > 0) throw new Error(`held: ${JSON.stringify((await this.registration()).deliveries)}`);
      return waiting === 0 && sent > this.sent ? sent : undefined;
    });
  }

  /** How a launch from the chart ends. */
  async launch(): Promise<string> {
    const [user] = this.ehr.control.resources('Practitioner').map(({ id }) => `Practitioner/${String(id)}`);
    const start = this.ehr.control.launch(`${gateway.baseUrl}/launch`, { patientId: this.patientId, user: user! });
    return outcomeOf(await new LaunchBrowser(gateway.baseUrl).follow(start));
  }

  async askForCards(): Promise<{ readonly status: number; readonly body: unknown }> {
    const patient = this.ehr.control.resources('Patient').find(({ id }) => id === this.patientId);
    const { status, body } = await this.ehr.cds.ask(gateway.baseUrl, 'sutura-wound-patient-view', {
      hook: 'patient-view',
      fhirServer: this.ehr.fhirBaseUrl,
      context: { userId: 'Practitioner/any', patientId: this.patientId },
      prefetch: { patient },
    });
    return { status, body };
  }

  get documents(): readonly Resource[] {
    return this.ehr.control.resources('DocumentReference');
  }

  /** Texts of notes, which the EHR keeps apart. */
  notes(): readonly string[] {
    return this.ehr.control.resources('Binary').map(({ data }) => Buffer.from(String(data), 'base64').toString('utf8'));
  }

  /** What is not as it must be, each version in the chart once. A withdrawal is a version of its own where nothing is changed. */
  faults(): readonly string[] {
    const isFurther = this.dialect === 'epic' || this.dialect === 'isik';
    const filed = isFurther ? this.versions : this.versions.slice(0, -1);
    const report = {
      patientId: this.patientId,
      versions: filed.map((version) => markOf(`${this.reportId}/document/v${version}`)),
      ...(this.dialect === 'epic' ? { corrects: 'in-words' as const } : {}),
    };
    return [...this.ehr.verify([report]), ...this.ehr.control.objections];
  }
}

interface Registered {
  readonly deliveries: { readonly waiting: number; readonly sent: number; readonly held: number };
  /** What to enter at the EHR. */
  readonly addresses: { readonly redirect: string; readonly keys: string };
}

/** A version as it was first sent: later it may have been marked as superseded or entered in error. */
function markOf(value: string): (sent: Resource) => boolean {
  return (sent) =>
    sent['status'] === 'current' &&
    ((sent['identifier'] ?? []) as { value?: string }[]).some((identifier) => identifier.value === value);
}

function nameIn(block: string): string {
  return statedOption(block, '--name')!;
}

async function run(script: string, folder: string): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    DATABASE_URL: gateway.databaseUrl,
    SUTURA_DATA_DIR: gateway.dataDir,
    SUTURA_EHR_NETWORKS: '127.0.0.0/8',
    PUBLIC_URL: gateway.baseUrl,
  };
  const child = spawn('bash', ['-e', '-o', 'pipefail'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  child.stdin.end(script);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await ended) !== 0) throw new Error(`The commands failed:\n${out.slice(-2000)}\n${err.slice(-2000)}`);
  return out;
}
