import { join, resolve } from 'node:path';
import type { Language } from '../../../src/reports/wording/language.js';
import { dayOf, type DrawnHistory } from '../../support/drawn-history.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { playFiveHistories, type FiveHistories } from '../../support/five-histories.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { toldByFhir, toldByReport, toldByTimeline } from '../../support/told-of-visit.js';

const MODELS = join(resolve(__dirname, '../../..'), 'models');
/** A new model outlines a drawing less exactly than a colour rule; it is still to see what everybody sees. */
const MOST_ERROR = 0.06;

describe('what is told, visit by visit, of a wound that', () => {
  let gateway: Gateway;
  let played: FiveHistories;

  beforeAll(async () => {
    gateway = await startGateway({
      env: { SUTURA_MODELS_DIR: MODELS, SUTURA_SEGMENTATION_MODEL: 'fast' },
    });
    played = await playFiveHistories(await gateway.createClient());
    await eventually(
      'FHIR has all of it',
      async () => (await queryDatabase(gateway.databaseUrl, 'select from outbox_events')).length === 0,
      60_000,
      250,
    );
  }, 300_000);
  afterAll(() => gateway?.stop());

  /** By the report, and the same by FHIR and in the timeline. */
  const expectTold = async (history: DrawnHistory, lines: readonly string[]): Promise<void> => {
    const byReport = await Promise.all(history.days.map((day) => toldByReport(history, day)));
    expect(byReport.map(({ line }) => line)).toEqual(lines);
    const byFhir = await Promise.all(history.days.map((day) => toldByFhir(history, day)));
    expect(byFhir).toEqual(byReport.map(({ told }) => told));
    const inTimeline = byReport.map(({ told: { after: _, against: __, closure: ___, ...told }, why }) => ({
      ...told,
      why,
    }));
    expect((await history.timeline()).map(toldByTimeline)).toEqual(inTimeline);
  };
  const versionsOf = (history: DrawnHistory): Promise<number[]> =>
    Promise.all(history.days.map(async (day) => (await history.report(day)).version as number));
  const conclusionOf = async (history: DrawnHistory, day: number): Promise<string> =>
    (await history.read(`/fhir/DiagnosticReport/${history.reportId(day)}`)).conclusion;

  it('is measured as it was drawn', async () => {
    for (const history of Object.values(played) as DrawnHistory[]) {
      for (const { capturedAt, areaCm2 } of await history.timeline()) {
        const day = dayOf(capturedAt)!;
        const off = areaCm2 === null ? 0 : areaCm2.value / history.drawnCm2(day) - 1;
        expect({ day, off: Math.abs(off) < MOST_ERROR ? 'little' : off }).toEqual({ day, off: 'little' });
      }
    }
  });

  describe('grows a little every visit', () => {
    const GROWTH = 'area_growth_since_baseline against 0 | area_growth_by_slope';
    const MILESTONE = 'area_reduction_below_50_at_4_weeks against 0';

    it('is flagged from the third visit on, though no two visits in turn show it', async () => {
      await expectTold(played.grows, [
        '1: day 0 | the first | no course yet',
        '2: day 14 | after 0, against 0 | within_detectable_change by pair | stalled_14_days against 0',
        `3: day 28 | after 14, against 14 | larger by slope, rises | ${MILESTONE} | ${GROWTH}`,
        `4: day 42 | after 28, against 28 | larger by slope, rises | ${MILESTONE} | ${GROWTH}`,
        `5: day 56 | after 42, against 42 | larger by slope, rises | ${MILESTONE} | ${GROWTH}`,
      ]);
      expect(await versionsOf(played.grows)).toEqual([1, 1, 1, 1, 1]);
      expect(await conclusionOf(played.grows, 56)).toContain('The area is getting larger.');
    });

    it.each<[Language, string, string, string]>([
      ['en', 'The area is getting larger.', 'The area has grown by', 'taking the photo anew'],
      ['de', 'Die Fläche wird größer.', 'gewachsen (seit dem ersten Befund)', 'vom neuen Foto'],
      ['es', 'El área está creciendo.', 'El área ha crecido un', 'a la nueva fotografía'],
      ['fr', 'La surface augmente.', 'La surface a augmenté de', 'la seule nouvelle photographie'],
    ])('is said to grow in %s, and not that it may be the photo', async (language, verdict, flag, doubt) => {
      const words = await played.grows.words(56, language);
      expect(words).toContain(verdict);
      expect(words).toContain(flag);
      expect(words).not.toContain(doubt);
    });
  });

  describe('heals by half and then stalls', () => {
    it('is getting smaller until four weeks show no reduction', async () => {
      await expectTold(played.stalls, [
        '1: day 0 | the first | no course yet',
        '2: day 14 | after 0, against 0 | smaller by pair',
        '3: day 28 | after 14, against 14 | smaller by slope, falls',
        '4: day 42 | after 28, against 28 | within_detectable_change by slope, falls',
        '5: day 56 | after 42, against 42 | smaller by slope, falls | stalled_28_days against 28',
        '6: day 70 | after 56, against 56 | within_detectable_change by slope, falls | stalled_28_days against 42',
      ]);
      expect(await versionsOf(played.stalls)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(await conclusionOf(played.stalls, 70)).toContain('for some weeks it has not');
    });

    it.each<[Language, string, string]>([
      ['en', 'The wound had been getting smaller; for some weeks it has not.', 'The area is getting smaller'],
      ['de', 'Die Wunde wurde kleiner; seit einigen Wochen nicht mehr.', 'Die Fläche wird kleiner'],
      ['es', 'La herida se estaba reduciendo; desde hace unas semanas ya no.', 'El área se está reduciendo'],
      ['fr', 'La plaie diminuait ; depuis quelques semaines, elle ne diminue plus.', 'La surface diminue.'],
    ])('is said to have stalled in %s, and not to get smaller', async (language, stalled, smaller) => {
      expect(await played.stalls.words(28, language)).toContain(smaller);
      const words = await played.stalls.words(70, language);
      expect(words).toContain(stalled);
      expect(words).not.toContain(smaller);
    });
  });

  describe('a person closes and reopens', () => {
    it('begins anew with the photo that shows it again, and the reopening is told once', async () => {
      await expectTold(played.comesBack, [
        '1: day 0 | the first | no course yet',
        '2: day 14 | after 0, against 0 | smaller by pair',
        '3: day 28 | after 14, against 14 | smaller by slope, falls',
        '4: day 70 | after 28, against none | no course yet | reopened | reopened',
        '5: day 77 | after 70, against 70 | within_detectable_change by pair | reopened',
      ]);
      expect(await versionsOf(played.comesBack)).toEqual([1, 1, 1, 2, 1]);
      const { status, events } = await played.comesBack.read(`/api/v1/wounds/${await played.comesBack.woundOf(77)}`);
      expect([status, events.map(({ decision }: { decision: string }) => decision)]).toEqual([
        'open',
        ['closed', 'reopened'],
      ]);
    });

    it.each<[Language, string, string, string]>([
      [
        'en',
        'nobody has reopened it: check whether it is open again.',
        'it was reopened on 11 Nov 2025.',
        'first assessment of 1 Sept',
      ],
      [
        'de',
        'Bitte prüfen, ob sie wieder offen ist.',
        'am 11. Nov. 2025 wurde sie wieder eröffnet.',
        'ersten Befund vom 1. Sept.',
      ],
      ['es', 'compruebe si está abierta de nuevo.', 'se reabrió el 11 nov 2025.', 'primera valoración del 1 sept'],
      [
        'fr',
        'vérifier si elle est de nouveau ouverte.',
        'elle a été rouverte le 11 nov. 2025.',
        'première évaluation du 1 sept.',
      ],
    ])(
      'is to be checked until somebody has reopened it, in %s, and nothing is compared across',
      async (language, check, reopened, across) => {
        expect(await played.comesBack.words(70, language, 1)).toContain(check);
        for (const words of [await played.comesBack.words(70, language), await played.comesBack.words(77, language)]) {
          expect(words).toContain(reopened);
          expect(words).not.toContain(check);
          expect(words).not.toContain(across);
        }
        expect(await played.comesBack.words(28, language)).toContain(across);
      },
    );
  });

  describe('was taken for two until a person merged them', () => {
    it('has one course, from the photos of both, and goes on under either number', async () => {
      await expectTold(played.wasTwo, [
        '1: day 0 | the first | no course yet',
        '2: day 7 | after 0, against 0 | within_detectable_change by pair',
        '3: day 14 | after 7, against 7 | smaller by slope, falls',
        '4: day 21 | after 14, against 14 | smaller by slope, falls',
        '5: day 28 | after 21, against 21 | smaller by slope, falls',
      ]);
      expect(await versionsOf(played.wasTwo)).toEqual([1, 2, 2, 2, 1]);
      const wounds = await Promise.all(played.wasTwo.days.map((day) => played.wasTwo.woundOf(day)));
      expect(new Set(wounds).size).toBe(1);
    });

    it.each<[Language, string, string]>([
      ['en', 'First measured assessment of this wound', 'Over the last 5 comparable assessments, 28 days'],
      ['de', 'Erster Befund dieser Wunde', 'Über die letzten 5 vergleichbaren Befunde, 28 Tage'],
      ['es', 'Primera valoración medida de esta herida', 'En las últimas 5 valoraciones comparables, 28 días'],
      ['fr', 'Première évaluation mesurée de cette plaie', 'Sur les 5 dernières évaluations comparables, 28 jours'],
    ])('is told as one in %s; what was told before is kept as it was', async (language, first, course) => {
      expect(await played.wasTwo.words(7, language, 1)).toContain(first);
      expect(await played.wasTwo.words(7, language)).not.toContain(first);
      expect(await played.wasTwo.words(28, language)).toContain(course);
    });
  });

  describe('loses its scale and finds it again', () => {
    it('is compared with the last photo that has one, and never without', async () => {
      await expectTold(played.losesItsScale, [
        '1: day 0 | the first | no course yet',
        '2: day 7 | after 0, against none | no_scale',
        '3: day 14 | after 7, against 0 | smaller by pair',
        '4: day 21 | after 14, against none | no_scale',
        '5: day 28 | after 21, against 14 | smaller by slope, falls',
      ]);
      expect(await versionsOf(played.losesItsScale)).toEqual([1, 1, 1, 1, 1]);
      expect(await conclusionOf(played.losesItsScale, 21)).toContain('No scale in the photo');
    });

    it.each<[Language, string, string, string]>([
      [
        'en',
        'without a scale the area in cm² is not known',
        'smaller than at the last comparable assessment',
        'previous assessment',
      ],
      [
        'de',
        'Ohne Maßstab ist die Fläche in cm² nicht bekannt',
        'kleiner als beim letzten vergleichbaren Befund',
        'vorigen Befund',
      ],
      [
        'es',
        'sin escala no se conoce el área en cm²',
        'más pequeña que en la última valoración comparable',
        'valoración anterior',
      ],
      [
        'fr',
        'sans échelle, la surface en cm² n’est pas connue',
        'plus petite qu’à la dernière évaluation comparable',
        'évaluation précédente',
      ],
    ])(
      'has no area without it, and no comparison with a photo that has none, in %s',
      async (language, unknown, comparable, previous) => {
        expect(await played.losesItsScale.words(7, language)).toContain(unknown);
        const words = await played.losesItsScale.words(14, language);
        expect(words).toContain(comparable);
        expect(words).not.toContain(previous);
      },
    );
  });
});
