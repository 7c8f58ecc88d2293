import type { Bundle, Media, Patient } from '@medplum/fhirtypes';
import { CuttingRelay, type Cut } from '../peers/cutting-relay.js';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { fieldOf, Hl7Hospital, mergeMessage, orderChange, orderMessage } from '../support/hl7-hospital.js';
import { mediaOf, PATIENT_NUMBERS } from '../support/intake-resources.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';
import { jobsOf } from './ward.js';

/** `kill`: the gateway dies; `cut`: it loses its database for a moment. At the so-many-th thing that it sends there. */
export interface Fault {
  readonly kind: 'kill' | 'cut';
  readonly at: number;
  readonly cut: Cut;
}

/** Something that is asked of the gateway, again and again until there is an answer, as engines and people do. */
export interface Work {
  /** Settings of the listener. */
  readonly listener?: object;
  readonly prepare: (house: House) => Promise<unknown>;
  /** True once it is answered. */
  readonly ask: (house: House) => Promise<boolean>;
  /** What has to have come of it in the end, whatever died in between. */
  readonly ends: (house: House) => Promise<object>;
  readonly expected: object;
}

const LOCAL = ['39135-9^Wound assessment panel^LN', 'WUND^Wunddoku^L'] as const;
const OTHER = ['Beispiel^Änna^^^^^L||19510714', 'Schulz^Bernd^^^^^L||19801231'] as const;

/** A hospital at a gateway that dies and comes back. */
export class House {
  /** Of what was prepared. */
  id = '';

  constructor(
    private readonly ground: HeldGround,
    private readonly opened: Hl7Hospital,
  ) {}

  get here(): Hl7Hospital {
    return this.opened.at(this.ground.gateway);
  }

  admin(method: string, path: string, json?: unknown) {
    return this.ground.gateway.admin(method, path, json);
  }

  takes = async (message: string): Promise<boolean> => {
    const answer = await this.here.send(message);
    return answer !== null && fieldOf(answer, 'MSA', 1) === 'AA';
  };

  /** It is taken before anything goes wrong; of the fault before, the gateway may be recovering still. */
  async given(message: string): Promise<void> {
    const isTaken = async (): Promise<boolean> => {
      const answer = await this.here.send(message);
      if (answer === null || fieldOf(answer, 'MSA', 1) !== 'AA') throw new Error(answer ?? 'no answer');
      return true;
    };
    await eventually('it is taken', isTaken, 60_000, 500);
  }

  async count(table: string, condition = 'true'): Promise<number> {
    const sql = `select count(*)::int as count from ${table} where organization_id = $1 and ${condition}`;
    return (await queryDatabase<{ count: number }>(this.ground.databaseUrl, sql, [this.opened.organizationId]))[0]!
      .count;
  }

  async newest(table: string): Promise<string> {
    const sql = `select id::text from ${table} where organization_id = $1 order by id desc limit 1`;
    return (await queryDatabase<{ id: string }>(this.ground.databaseUrl, sql, [this.opened.organizationId]))[0]!.id;
  }

  async held(): Promise<readonly { readonly id: string; readonly reason: string }[]> {
    return ((await this.here.client.request('GET', '/api/v1/held')).body as { items: { id: string; reason: string }[] })
      .items;
  }

  async reasons(): Promise<readonly string[]> {
    return (await this.held()).map(({ reason }) => reason);
  }

  /** Control ids of what came for an order, each once. */
  results(order: string): number {
    return new Set(this.here.resultsOf(order).map((result) => fieldOf(result, 'MSH', 10))).size;
  }
}

const photo = () => drawWoundPhoto({ width: 128, height: 96 });
const known = (house: House) =>
  house.given(orderChange('O-0', 'CA', 'C-0').replace('OMG^O19^OMG_O19', 'ADT^A08^ADT_A01'));
const conflicting = async () => orderMessage({ order: 'O-1', photo: await photo() }).replace(...OTHER);

/** What waits, is decided, meets, is read anew or joined, by its name in words. */
export const WORKS: Readonly<Record<string, Work>> = {
  'a message that is held for a person': {
    prepare: known,
    ask: async (house) => house.takes(await conflicting()),
    ends: async (house) => ({
      held: await house.reasons(),
      messages: await house.count('hl7_inbound', `state = 'held'`),
      jobs: await house.count('analysis_jobs'),
    }),
    expected: { held: ['identity_conflict'], messages: 1, jobs: 0 },
  },
  'a decision of a person': {
    prepare: async (house) => {
      await known(house);
      await house.given(await conflicting());
      house.id = (await eventually('it is held', async () => (await house.held())[0])).id;
    },
    ask: async (house) => {
      const json = { action: 'another', authority: 'urn:oid:2.999.2' };
      const { status } = await house.here.client.request('POST', `/api/v1/held/${house.id}/resolve`, { json });
      // Decided already: that one's answer was lost.
      return [200, 404, 409].includes(status);
    },
    ends: async (house) => ({
      held: await house.reasons(),
      patients: await house.count('patients'),
      jobs: await house.count('analysis_jobs'),
      results: house.results('O-1'),
    }),
    expected: { held: [], patients: 2, jobs: 1, results: 1 },
  },
  'an order that meets its photo': {
    prepare: async (house) =>
      house.given(orderMessage({ order: 'O-1', kind: 'ORU', control: 'C-1', photo: await photo() }).replace(...LOCAL)),
    ask: (house) => house.takes(orderChange('O-1', 'NW', 'C-2')),
    ends: async (house) => ({
      photos: await house.count('images'),
      jobs: await house.count('analysis_jobs'),
      results: house.results('O-1'),
    }),
    expected: { photos: 1, jobs: 1, results: 1 },
  },
  'a kept message that is read anew': {
    prepare: async (house) => {
      await house.given(orderMessage({ order: 'O-1', photo: await photo() }).replace(...LOCAL));
      house.id = await house.newest('hl7_inbound');
      const settings = { analysisCodes: ['WUND^L'] };
      await house.admin('PATCH', `/hl7/listeners/${await house.newest('hl7_listeners')}`, { settings });
    },
    ask: async (house) => (await house.admin('POST', `/hl7/messages/${house.id}/reprocess`, {})).status === 200,
    ends: async (house) => ({
      photos: await house.count('images'),
      jobs: await house.count('analysis_jobs'),
      results: house.results('O-1'),
    }),
    expected: { photos: 1, jobs: 1, results: 1 },
  },
  'a parked result that is made anew': {
    prepare: async (house) => {
      const { receiver } = house.here;
      receiver.mode = 'reject';
      receiver.refusal = { condition: '103', rest: 'OBX-3', text: 'Code not known' };
      await house.given(orderMessage({ order: 'O-1', photo: await photo() }));
      await eventually('it is parked', async () => (await house.count('hl7_outbox', `state = 'parked'`)) === 1);
      receiver.mode = 'accept';
      house.id = await house.newest('hl7_outbox');
    },
    ask: async (house) => [204, 409].includes((await house.admin('POST', `/hl7/messages/${house.id}/rebuild`)).status),
    ends: async (house) => ({
      delivered: await house.count('hl7_outbox', `state = 'delivered'`),
      all: await house.count('hl7_outbox'),
      results: house.results('O-1'),
      jobs: await house.count('analysis_jobs'),
    }),
    expected: { delivered: 1, all: 1, results: 1, jobs: 1 },
  },
  'a patient for whom a photo waits': {
    prepare: async (house) => {
      const subject = { type: 'Patient', identifier: { system: PATIENT_NUMBERS, value: 'MRN-1' } };
      const basedOn = [{ type: 'ServiceRequest', identifier: { system: 'urn:oid:1.2.3.4.5.7', value: 'O-1' } }];
      const json = mediaOf({ data: (await photo()).toString('base64') }, {}, { subject, basedOn } as Partial<Media>);
      const headers = { 'content-type': 'application/fhir+json' };
      const post = () => house.here.client.request('POST', '/fhir/Media', { json, headers });
      await eventually('the photo waits', async () => (await post()).status === 201);
    },
    ask: (house) => house.takes(orderChange('O-1', 'NW', 'C-1')),
    ends: async (house) => ({
      held: await house.reasons(),
      jobs: await house.count('analysis_jobs'),
      results: house.results('O-1'),
    }),
    expected: { held: [], jobs: 1, results: 1 },
  },
  'two records that become one': {
    prepare: async (house) => {
      for (const order of ['O-1', 'O-2'])
        await house.given(
          orderMessage({
            order,
            mrn: `MRN-${order.slice(2)}`,
            photo: await drawWoundPhoto({ seed: Number(order.slice(2)) }),
          }),
        );
      await eventually('both results', () => house.results('O-1') === 1 && house.results('O-2') === 1);
    },
    ask: (house) => house.takes(mergeMessage('MRN-2', 'MRN-1', 'C-3')),
    ends: async (house) => {
      const media = (await house.here.read<Bundle<Media>>('Media')).entry ?? [];
      const found = (await house.here.read<Bundle<Patient>>(`Patient?identifier=MRN-2`)).entry ?? [];
      return {
        patients: new Set(media.map(({ resource }) => resource!.subject!.reference)).size,
        isSurvivor: media.every(({ resource }) => resource!.subject!.reference === `Patient/${found[0]?.resource?.id}`),
        jobs: await house.count('analysis_jobs'),
        standing: await house.count('patients', 'merged_into is null'),
      };
    },
    expected: { patients: 1, isSurvivor: true, jobs: 2, standing: 1 },
  },
};

/** A work that is under way. */
export interface Asked {
  readonly name: string;
  readonly work: Work;
  readonly house: House;
}

/** A gateway over a database that it loses, and that is started again where it died. */
export class HeldGround {
  private readonly houses: House[] = [];
  private starting: Promise<void> | null = null;

  private constructor(
    private readonly database: TestDatabase,
    private readonly relay: CuttingRelay,
    private readonly base: Gateway,
    public gateway: Gateway,
  ) {}

  static async open(): Promise<HeldGround> {
    const database = await createTestDatabase();
    const relay = await CuttingRelay.start(database.url);
    const base = await startGateway({ databaseUrl: relay.url });
    return new HeldGround(database, relay, base, base);
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  async close(): Promise<void> {
    for (const house of this.houses) await house.here.close();
    if (this.gateway !== this.base) await this.gateway.stop();
    await this.base.stop();
    await this.relay.stop();
    await this.database.drop();
  }

  /**
   * Asks for all of these works at once, with the fault at one of the things that the gateway sends for them, until each is answered: it meets each at
   * another of its steps. What comes of them is not waited for: the next fault may come meanwhile.
   */
  async asked(works: Readonly<Record<string, Work>>, { kind, at, cut }: Fault): Promise<readonly Asked[]> {
    const asked = await Promise.all(Object.entries(works).map(([name, work]) => this.prepared(name, work)));
    const doomed = this.gateway;
    this.relay.arm(at, cut, () => void (kind === 'kill' && doomed.process.signal('SIGKILL')));
    try {
      await Promise.all(
        asked.map(({ name, work, house }) => {
          const isAnswered = async () => (await this.alive()) && work.ask(house);
          return eventually(`${name}: it is answered`, isAnswered, 90_000, 100);
        }),
      );
      await eventually('the fault has come', () => this.relay.hasStruck);
      return asked;
    } finally {
      this.relay.disarm();
      await this.alive();
    }
  }

  /** What was asked for has come of it. */
  async expectDone({ name, work, house }: Asked): Promise<void> {
    let ended: object = {};
    const isDone = async (): Promise<boolean> => {
      ended = await work.ends(house);
      return JSON.stringify(ended) === JSON.stringify(work.expected);
    };
    await eventually('it is done', isDone, 90_000, 100).catch(() =>
      expect([name, ended]).toEqual([name, work.expected]),
    );
  }

  /** Everything else holds as always. */
  async verify(): Promise<void> {
    await verify(this.gateway, await jobsOf(this.gateway));
  }

  private async prepared(name: string, work: Work): Promise<Asked> {
    const opened = await Hl7Hospital.open(this.gateway, work.listener);
    const house = new House(this, opened);
    this.houses.push(house);
    await eventually(
      'the FHIR door is open',
      async () => (await opened.client.request('GET', '/fhir/Patient')).status === 200,
    );
    await work.prepare(house);
    return { name, work, house };
  }

  /** Starts the gateway again where it died. */
  private async alive(): Promise<true> {
    if (this.starting === null && this.gateway.process.hasExited)
      this.starting = startGateway({ databaseUrl: this.relay.url, dataDir: this.base.dataDir })
        .then((gateway) => void (this.gateway = gateway))
        .finally(() => (this.starting = null));
    await this.starting;
    return true;
  }
}

/**
 * Registers tests of these works, with each of these faults. All are asked for before the first is looked at: what a fault interrupts goes on when
 * its lease has run out, half a minute later, which they wait for together.
 */
export function describeHeldSteps(faults: readonly Fault[], works: Readonly<Record<string, Work>> = WORKS): void {
  describe(`a gateway that dies or loses its database while it works on ${Object.keys(works).length} things`, () => {
    const asked = new Map<Fault, readonly Asked[]>();
    let ground: HeldGround;
    beforeAll(async () => {
      ground = await HeldGround.open();
    });
    afterAll(() => ground?.close());

    it.each(faults)('answers them all ($kind at $at, $cut what is sent)', async (fault) => {
      asked.set(fault, await ground.asked(works, fault));
      expect(asked.get(fault)).toHaveLength(Object.keys(works).length);
    });
    it.each(faults)('has done them all ($kind at $at, $cut what is sent)', async (fault) => {
      expect(asked.has(fault)).toBe(true);
      for (const one of asked.get(fault)!) await ground.expectDone(one);
    });
    it('has done nothing twice, and keeps all that it promises', async () => {
      await ground.verify();
      for (const [fault, all] of asked)
        for (const { name, work, house } of all)
          expect([fault, name, await work.ends(house)]).toEqual([fault, name, work.expected]);
    });
  });
}
