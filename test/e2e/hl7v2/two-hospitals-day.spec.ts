import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { fieldOf, Hl7Hospital, orderMessage, type OrderOptions } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** Who is meant, as the house has them. */
interface Person {
  readonly facility: 'NORTH' | 'SOUTH';
  readonly number: string;
  readonly name: string;
  readonly birth: string;
}
const ANNA: Person = { facility: 'NORTH', number: '4711', name: 'Meier^Anna', birth: '19500101' };
const BERND: Person = { facility: 'SOUTH', number: '4711', name: 'Schulz^Bernd', birth: '19801231' };
const CLARA: Person = { facility: 'NORTH', number: '5001', name: 'Vogel^Clara', birth: '19390412' };
const DORA: Person = { facility: 'NORTH', number: '5002', name: 'Winter^Dora', birth: '19460820' };
const EMIL: Person = { facility: 'SOUTH', number: '6001', name: 'Sommer^Emil', birth: '19330303' };

const PANEL = '39135-9^Wound assessment panel^LN';

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly actions: readonly string[];
}

describe('a day of two hospitals with bare numbers behind one listener', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let photo: Buffer;
  let listenerId: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    hospital = await Hl7Hospital.open(gateway);
    photo = await drawWoundPhoto();
    const [listener] = await queryDatabase<{ id: string }>(
      gateway.databaseUrl,
      'select id from hl7_listeners where organization_id = $1',
      [hospital.organizationId],
    );
    listenerId = listener!.id;
  });
  afterAll(async () => {
    await hospital?.close();
  });

  /** Each photo has bytes of its own: a JPEG ends at its end marker, whatever stands behind. */
  async function send(person: Person, options: Omit<OrderOptions, 'photo'>, code = PANEL): Promise<string> {
    const text = orderMessage({ photo: Buffer.concat([photo, Buffer.from(options.order)]), ...options, wound: '1' })
      .replace('|EHR|HOSP|', `|EHR|${person.facility}|`)
      .replace(PANEL, code)
      .replace(/\rPID\|[^\r]*/, `\rPID|1||${person.number}||${person.name}||${person.birth}|F`);
    const answer = (await hospital.send(text))!;
    return fieldOf(answer, 'MSA', 1);
  }

  /** As a person types it at the gateway's machine. */
  async function cli(...words: string[]): Promise<string> {
    const { code, out, err } = await runCommand(words, {
      DATABASE_URL: gateway.databaseUrl,
      SUTURA_DATA_DIR: gateway.dataDir,
    });
    if (code !== 0) throw new Error(`${words.join(' ')}: ${err}`);
    return out;
  }

  async function held(): Promise<readonly Item[]> {
    const out = await cli('held', 'list', '--org', hospital.organizationId, '--json');
    return (JSON.parse(out) as { readonly items: readonly Item[] }).items;
  }

  async function decide(...resolution: string[]): Promise<void> {
    const [item] = await eventually('something to wait', async () => {
      const items = await held();
      return items.length === 1 && items;
    });
    await cli('held', 'resolve', '--org', hospital.organizationId, '--id', item!.id, ...resolution);
  }

  const nameOn = async (order: string): Promise<string> =>
    fieldOf(await hospital.result(order), 'PID', 5)
      .split('^')
      .slice(0, 2)
      .join('^');

  it('ends with the right person’s result for every photo, and an empty list', async () => {
    // The same number in the other house, which is its own: somebody else.
    expect(await send(ANNA, { order: 'N-1' })).toBe('AA');
    expect(await nameOn('N-1')).toBe(ANNA.name);
    expect(await send(BERND, { order: 'S-1' })).toBe('AA');
    expect(await nameOn('S-1')).toBe(BERND.name);

    // The same number, name and birth date in both houses: whose it is only a person knows.
    expect(await send(DORA, { order: 'N-0' })).toBe('AA');
    expect(await nameOn('N-0')).toBe(DORA.name);
    expect(await send({ ...DORA, facility: 'SOUTH' }, { order: 'S-0' })).toBe('AA');
    expect(hospital.resultsOf('S-0')).toEqual([]);
    await decide('--action', 'own_authority');
    expect(await nameOn('S-0')).toBe(DORA.name);

    // A birth date that somebody had mistyped.
    expect(await send({ ...CLARA, birth: '19930412' }, { order: 'N-2' })).toBe('AA');
    await hospital.result('N-2');
    expect(await send(CLARA, { order: 'N-3' })).toBe('AA');
    expect(hospital.resultsOf('N-3')).toEqual([]);
    await decide('--action', 'same', '--note', 'A typing error at admission.');
    expect(fieldOf(await hospital.result('N-3'), 'PID', 7)).toBe(CLARA.birth);

    // A code of the house that is not in the table yet.
    expect(await send(DORA, { order: 'N-4' }, 'WUND^Wunddoku^L')).toBe('AA');
    expect(hospital.resultsOf('N-4')).toEqual([]);
    await cli('hl7', 'listener', 'set', '--id', listenerId, '--settings', '{"codes":{"OBR-4":{"WUND^L":"39135-9"}}}');
    const again = ['hl7', 'replay', '--reprocess', '--listener', listenerId, '--warned'];
    const told = JSON.parse(await cli(...again, '--dry-run', '--json')) as { readonly changed: number };
    expect(told.changed).toBe(1);
    expect(JSON.parse(await cli(...again, '--json'))).toMatchObject({ changed: 1 });
    expect(await nameOn('N-4')).toBe(DORA.name);

    // A photo that comes before its order, under a code that asks for nothing.
    expect(await send(EMIL, { order: 'S-2', kind: 'ORU' }, 'FOTO^Fotodoku^L')).toBe('AA');
    expect(hospital.resultsOf('S-2')).toEqual([]);
    const order = orderMessage({ order: 'S-2', photo, control: 'S-2-NW' })
      .replace('|EHR|HOSP|', `|EHR|${EMIL.facility}|`)
      .replace(/\rPID\|[^\r]*/, `\rPID|1||${EMIL.number}||${EMIL.name}||${EMIL.birth}|F`)
      .replace(/\rOBX\|[^]*$/, '\r');
    expect(fieldOf((await hospital.send(order))!, 'MSA', 1)).toBe('AA');
    expect(await nameOn('S-2')).toBe(EMIL.name);

    // Nothing is parked, and the command says so.
    const [destination] = await queryDatabase<{ id: string }>(
      gateway.databaseUrl,
      'select id from hl7_destinations where organization_id = $1',
      [hospital.organizationId],
    );
    expect(JSON.parse(await cli('hl7', 'requeue', '--rebuild', '--destination', destination!.id, '--json'))).toEqual(
      expect.objectContaining({ rebuilt: 0 }),
    );

    expect(await cli('held', 'list', '--org', hospital.organizationId)).toContain('Nothing waits for a person.');
    const reports = await hospital.read<{ total: number }>('DiagnosticReport?_summary=count');
    expect(reports.total).toBe(8);
    const people = await hospital.read<{ total: number }>('Patient?_summary=count');
    // Anna, Bernd, Clara, Emil, and Dora once in each house.
    expect(people.total).toBe(6);
  });
});
