import { EhrSender } from '../../peers/mllp-sender.js';
import { runCommand, type CommandEnd } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital, orderChange, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** Whoever has the time sets ten thousand. */
const MESSAGES = Number(process.env['SUTURA_REPROCESSED_MESSAGES'] ?? '600');
/** Several pages apart, so that no page has both. */
const RESENT_AFTER = 220;
const CODE = '39135-9^Wound assessment panel^LN';
const LOCAL = 'WUND^Wunddoku^L';

interface Told {
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly skipped: number;
  readonly analyses: number;
  readonly messages: readonly object[];
}

/** Of ten messages one has a photo, three are orders, two change an order of before to what it is, and four are ADT. */
function messageOf(at: number, photo: Buffer): string {
  const control = `C-${at}`;
  const kind = at % 10;
  const of = kind >= 4 && kind < 6 && at >= RESENT_AFTER ? at - RESENT_AFTER - 3 : at;
  const [order, mrn] = [`O-${of}`, `M-${of % 500}`];
  if (of % 10 === 0) {
    const own = Buffer.concat([photo, Buffer.from(order)]);
    return orderMessage({ order, mrn, photo: own, control, wound: `W-${of}` }).replace(CODE, LOCAL);
  }
  const changed = orderChange(order, of === at ? 'NW' : 'XO', control, mrn);
  if (kind < 6) return changed.replace(CODE, LOCAL);
  return changed.replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01').replace(/\rORC.*/s, '\r');
}

describe(`${MESSAGES} kept messages`, () => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  beforeAll(async () => {
    gateway = await startGateway();
    hospital = await Hl7Hospital.open(gateway);
  });
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
  });

  const count = async (sql: string): Promise<number> =>
    Number((await queryDatabase<{ count: string }>(gateway.databaseUrl, sql, [hospital.organizationId]))[0]!.count);
  /** In so small a heap that it cannot keep them all. */
  const cli = (...words: string[]): Promise<CommandEnd> =>
    runCommand(words, {
      DATABASE_URL: gateway.databaseUrl,
      SUTURA_DATA_DIR: gateway.dataDir,
      NODE_OPTIONS: '--max-old-space-size=256',
    });
  const replayed = async (...words: string[]): Promise<Told> => {
    const [listener] = await queryDatabase<{ id: string }>(
      gateway.databaseUrl,
      'select id from hl7_listeners where organization_id = $1',
      [hospital.organizationId],
    );
    const began = performance.now();
    const end = await cli('hl7', 'replay', '--reprocess', '--listener', listener!.id, '--json', ...words);
    const perSecond = Math.round(MESSAGES / ((performance.now() - began) / 1000));
    process.stderr.write(`      ${['replay --reprocess', ...words].join(' ')}: ${perSecond} messages a second\n`);
    expect([end.code, end.err]).toEqual([0, '']);
    return JSON.parse(end.out) as Told;
  };

  it('are read anew as the dry run said, each thing once, with no second copy of a photo', async () => {
    const photo = await drawWoundPhoto({ width: 128, height: 96 });
    const sender: EhrSender = await hospital.connect();
    for (let at = 0; at < MESSAGES; at += 1)
      expect([at, fieldOf((await sender.ask(messageOf(at, photo)))!, 'MSA', 1)]).toEqual([at, 'AA']);
    await sender.destroy();
    const photos = await count('select count(*) from images where organization_id = $1');
    const orders = `select count(*) from fhir_resources where organization_id = $1 and type = 'ServiceRequest'`;
    const [ordered, analysed] = [
      await count(orders),
      await count('select count(*) from analysis_jobs where organization_id = $1'),
    ];
    expect([photos > 0, ordered > 0, analysed]).toEqual([true, true, 0]);

    const [listener] = await queryDatabase<{ id: string }>(
      gateway.databaseUrl,
      'select id from hl7_listeners where organization_id = $1',
      [hospital.organizationId],
    );
    const mended = { settings: { analysisCodes: ['WUND^L'] } };
    expect((await gateway.admin('PATCH', `/hl7/listeners/${listener!.id}`, mended)).status).toBe(200);

    const dry = await replayed('--dry-run');
    const run = await replayed();
    expect({ ...run, dryRun: true }).toEqual(dry);
    expect(run.changed).toBeGreaterThan(0);
    expect(run.refused + run.skipped).toBe(0);
    expect(run.changed + run.unchanged).toBe(MESSAGES);
    expect(await count('select count(*) from images where organization_id = $1')).toBe(photos);
    expect(await count(orders)).toBe(ordered);
    expect(
      await count('select count(*) - count(distinct sha256) as count from images where organization_id = $1'),
    ).toBe(0);
    await eventually(
      'each photo is analysed',
      async () =>
        (await count(`select count(*) from analysis_jobs where organization_id = $1 and status = 'completed'`)) ===
        photos,
      600_000,
    );
    expect(await replayed()).toMatchObject({ changed: 0, unchanged: MESSAGES, analyses: 0 });
    expect(await count('select count(*) from analysis_jobs where organization_id = $1')).toBe(photos);
  }, 3_600_000);
});
