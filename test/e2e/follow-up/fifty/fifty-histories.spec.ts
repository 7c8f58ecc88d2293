import { VERDICTS, WORSE_VERDICTS, type Course, type Verdict } from '../../../../src/core/followup/course.js';
import { LANGUAGES, type Language } from '../../../../src/core/report/languages.js';
import { WORDINGS } from '../../../../src/reports/wording/wording.js';
import { WebhookReceiver } from '../../../peers/webhook-receiver.js';
import { expectStatus } from '../../../support/api-client.js';
import { queryDatabase } from '../../../support/database-query.js';
import { eventually } from '../../../support/eventually.js';
import { startGateway, type Gateway } from '../../../support/gateway.js';
import { Hl7Hospital } from '../../../support/hl7-hospital.js';
import { roundsOf } from '../../../support/rounds.js';
import { Exits, lostReasonsOf, strayOf } from './exits.js';
import { Photos } from './photos.js';
import { playHistory, type Played } from './play-history.js';
import { isAllowed, readHistories, type History } from './read-histories.js';

const ALL = readHistories();
/** A wound that has turned and is called better, and one that closes over a cavity, did harm once. */
const HARMFUL = [6, 16];
const EVERY = Math.floor(50 / roundsOf(50, 8));
/** At a commit those and each sixth; at night all. */
const HISTORIES = ALL.filter(({ number }) => HARMFUL.includes(number) || number % EVERY === 0);
/** Histories beside each other; one gateway has one worker. */
const AT_ONCE = 10;
/** Photos ask for nothing but what the history says. */
const DESTINATION = { pdf: 'none', intervals: false };

interface House {
  readonly hospital: Hl7Hospital;
  readonly exits: Exits;
}

const directionsOf = ({ because }: Course) => new Set(because.map(({ direction, domain }) => `${direction} ${domain}`));

/** `day 14: mixed; worse depth; waits for area_jump`: what was said, as the history says it. */
const lineOf = (day: number, course: Course) =>
  [`day ${day}: ${course.verdict}`, ...directionsOf(course), ...course.waitsFor.map((one) => `waits for ${one}`)].join(
    '; ',
  );

/** What is said otherwise than the history has it. */
function differencesOf({ steps }: History, { courses }: Played): string[] {
  return steps.flatMap(({ day, verdict, because, waitsFor }, index) => {
    const course = courses[index]!;
    const said = directionsOf(course);
    const isSaid =
      isAllowed(course.verdict, verdict) &&
      because.every((one) => (one.startsWith('!') ? !said.has(one.slice(1)) : said.has(one))) &&
      [...course.waitsFor].sort().join() === [...waitsFor].sort().join();
    return isSaid ? [] : [`${lineOf(day, course)} | expected ${[verdict, ...because, ...waitsFor].join('; ')}`];
  });
}

describe('fifty histories of wounds', () => {
  let gateway: Gateway;
  let webhooks: WebhookReceiver;
  let houses: Readonly<Record<'review' | 'auto-final', House>>;
  const played = new Map<number, Played | Error>();

  const open = async (): Promise<House> => {
    const hospital = await Hl7Hospital.open(gateway, {}, DESTINATION);
    const json = { url: webhooks.url, types: ['report.ready', 'report.amended'] };
    expectStatus(201, await hospital.client.request('POST', '/api/v1/webhooks', { json }));
    return { hospital, exits: new Exits(hospital, webhooks) };
  };
  const houseOf = ({ isAutoFinal }: History) => houses[isAutoFinal ? 'auto-final' : 'review'];
  const playedOf = ({ number }: History): Played => {
    const one = played.get(number)!;
    if (one instanceof Error) throw one;
    return one;
  };

  beforeAll(async () => {
    gateway = await startGateway({
      env: {
        SUTURA_LEASE_S: '60',
        SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8',
        SUTURA_DATABASE_POOL: '16',
      },
    });
    webhooks = await WebhookReceiver.start();
    houses = { review: await open(), 'auto-final': await open() };
    const path = `/organizations/${houses['auto-final'].hospital.organizationId}`;
    expectStatus(200, await gateway.admin('PATCH', path, { resultPolicy: 'auto-final' }));
    const photos = await Photos.measuredBy(houses.review.hospital.client);
    const waiting = [...HISTORIES];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { client } = houseOf(next).hospital;
          const one = await playHistory(client, photos, next).catch((fault: Error) => fault);
          played.set(next.number, one);
        }
      }),
    );
    // Once for all, and not by each of the reads below.
    await eventually(
      'every exit has been told',
      async () => (await queryDatabase(gateway.databaseUrl, 'select from outbox_events')).length === 0,
      240_000,
      250,
    );
  }, 900_000);
  afterAll(async () => {
    await Promise.all([houses?.review, houses?.['auto-final']].map((house) => house?.hospital.close()));
    await webhooks?.stop();
    await gateway?.stop();
  });

  it('are fifty, numbered in turn', () =>
    expect(ALL.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1)));

  it('are read by a rule that finds a reason that an exit leaves out', () => {
    const depth = { domain: 'depth', what: 'depth', direction: 'worse' };
    const area = { domain: 'area', what: 'area', direction: 'better' };
    const course = { verdict: 'mixed', because: [depth, area] } as unknown as Course; // Of a reason no more is read.
    const lost = (told: object) => lostReasonsOf(course, { exit: 'any', verdict: 'mixed', code: 'W', ...told });
    expect(lost({ reasons: ['better area', 'worse depth'] })).toEqual([]);
    expect(lost({ reasons: ['better area', 'worse pain'] })).toEqual(['lacks worse depth', 'adds worse pain']);
    expect([lost({ words: 'Worse: depth. Better: area.' }), lost({ words: 'Better: area.' }), lost({})]).toEqual([
      [],
      ['lacks worse depth in words'],
      [],
    ]);
  });

  it('are read by a rule that finds an exit that is kinder, or harsher', () => {
    const of = (verdict: Verdict, said: Verdict | null, code: 'B' | 'W' | 'IND' | '') =>
      strayOf(verdict, { exit: 'any', verdict: said, code });
    expect([of('mixed', null, 'B'), of('worsening', null, ''), of('reopened', 'unknown', 'W')]).toEqual(
      Array(3).fill('kinder'),
    );
    expect([of('unknown', 'improving', ''), of('ended', null, 'B'), of('worsening', 'mixed', 'W')]).toEqual(
      Array(3).fill('kinder'),
    );
    expect([of('unknown', null, 'W'), of('improving', null, ''), of('closed', 'worsening', '')]).toEqual(
      Array(3).fill('harsher'),
    );
    expect([of('mixed', 'mixed', 'W'), of('closed', 'closed', ''), of('unknown', 'unknown', 'IND')]).toEqual(
      Array(3).fill(null),
    );
  });

  it.each(HISTORIES)('$number. $name: what the history says', (history) =>
    expect(differencesOf(history, playedOf(history))).toEqual([]),
  );

  it.each(HISTORIES)(
    '$number. $name: no exit is kinder than the verdict, none harsher, and each has its reasons',
    async (history) => {
      const { exits } = houseOf(history);
      const strays = playedOf(history).reportIds.map(async (reportId) => {
        const report = await exits.report(reportId);
        const course = report.comparison.course as Course;
        const { verdict } = course;
        const told = report.status === 'entered-in-error' ? [] : await exits.tell(report);
        return told.flatMap((one) => {
          const stray = strayOf(verdict, one);
          const lost = lostReasonsOf(course, one).map((reason) => `${one.exit} ${reason}`);
          return stray === null
            ? lost
            : [...lost, `${one.exit} is ${stray} than ${verdict}: ${one.verdict} ${one.code}`];
        });
      });
      expect((await Promise.all(strays)).flat()).toEqual([]);
    },
    240_000,
  );

  it.each(HISTORIES)('$number. $name: the same on paper, in four languages', async (history) => {
    const { exits } = houseOf(history);
    const reportId = playedOf(history).reportIds.at(-1)!;
    const { comparison } = await exits.report(reportId);
    const papers = await Promise.all(LANGUAGES.map((language) => exits.words(reportId, language)));
    papers.forEach((words, index) => expect(said(words, LANGUAGES[index]!)).toEqual(expectedOn(comparison.course)));
    const inPdf = LANGUAGES[history.number % LANGUAGES.length]!;
    expect(said(await exits.words(reportId, inPdf, 'pdf'), inPdf)).toEqual(expectedOn(comparison.course));
  });

  /** The verdicts whose sentences stand there, and whether it says that there is nothing to look at. */
  function said(words: string, language: Language) {
    const wording = WORDINGS[language];
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    const begins = (verdict: Verdict) => plain(wording[`verdict.${verdict}`].split('{date}')[0]!);
    const text = plain(words);
    return {
      verdicts: VERDICTS.filter((verdict) => text.includes(begins(verdict))),
      isNothingToLookAt: text.includes(plain(`${wording['section.flags']} ${wording['flag.none']}`)),
    };
  }

  function expectedOn({ verdict, waitsFor }: Course) {
    const isQuiet = !WORSE_VERDICTS.includes(verdict) && waitsFor.length === 0;
    return {
      verdicts: verdict === 'unknown' ? [] : [verdict],
      isNothingToLookAt: isQuiet ? expect.any(Boolean) : false,
    };
  }
});
