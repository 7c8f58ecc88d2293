import { readDocument } from '../../../test/support/read-document.js';
import { readingOf, reportsOf } from '../../../test/support/sample-report.js';
import { EVERYTHING_STATED } from '../../../test/support/stated-sample.js';
import type { ClinicianObservations } from '../../core/analysis/clinician-observations.js';
import type { WoundStage } from '../../core/analysis/wound-stage.js';
import type { CourseReason } from '../../core/followup/course.js';
import { NO_PICTURES } from '../../core/report/clinical-report.js';
import { REPORT_FORMATS } from '../../core/report/report-document.js';
import { ReportRenderer } from '../rendering/report-renderer.js';
import { figureFormatOf } from '../wording/figure-format.js';
import { LANGUAGES, type Language } from '../wording/language.js';
import { speak } from '../wording/wording.js';
import { reasonText } from './course-section.js';
import { observationSection } from './clinician-sections.js';
import type { Fact } from './document-blocks.js';

const renderer = new ReportRenderer();

function section(given: ClinicianObservations | null, language: Language = 'en') {
  return observationSection({ say: speak(language), figures: figureFormatOf(language, 'UTC') }, given);
}

/** Labels, sentences and words of the section, in their order. */
function said(given: ClinicianObservations, language: Language): string[] {
  const blocks = section(given, language)!.blocks;
  return blocks
    .flatMap((block) => {
      if (block.kind === 'facts') return block.facts.map(({ label, value }: Fact) => `${label}: ${value}`);
      if (block.kind === 'list') return block.items;
      return 'text' in block ? [block.text] : [];
    })
    .map((text) => text.replaceAll('\u00a0', ' '));
}

describe('what the clinician stated on another day than the photo’s', () => {
  it.each<[Language, string]>([
    ['en', 'Depth, Exudate: stated on 17 Nov 2026, not on the day of the photo.'],
    ['de', 'Tiefe, Exsudat: angegeben am 17. Nov. 2026, nicht am Tag des Fotos.'],
    ['fr', 'Profondeur, Exsudat : indiqué le 17 nov. 2026, et non le jour de la photographie.'],
    ['es', 'Profundidad, Exudado: indicado el 17 nov 2026, no el día de la fotografía.'],
  ])('is said to be in %s', (language, sentence) => {
    const statedAt = { depthCm: '2026-11-17', exudate: '2026-11-17', exudateType: '2026-11-17' };
    expect(said({ depthCm: 0.2, exudate: 'light', exudateType: 'serous', painNrs: 3, statedAt }, language)).toContain(
      sentence,
    );
  });

  it('has the moment by the clocks of the document, where one was stated', () => {
    const statedAt = { depthCm: '2026-11-17T17:00:00-08:00' };
    expect(said({ depthCm: 0.2, statedAt }, 'en').join()).toContain('Depth: stated on 18 Nov 2026, 01:00:00 UTC');
  });
});

describe('signs of infection and a stage', () => {
  const given: ClinicianObservations = {
    infectionSignCodes: [
      { sign: 'warmth', status: 'present' },
      { sign: 'probes_to_bone', status: 'present' },
      { sign: 'fever', status: 'absent' },
    ],
    stage: { system: 'pressure', value: '3', statedBy: 'N. Example', statedAt: '2026-11-17' },
  };

  it.each<[Language, readonly string[]]>([
    [
      'en',
      [
        'Stage or grade: pressure injury, stage 3 (stated by N. Example on 17 Nov 2026)',
        'Signs of infection, present: increased warmth, bone exposed or reached by a probe',
        'Signs of infection, absent: fever',
      ],
    ],
    [
      'de',
      [
        'Kategorie oder Grad: Dekubitus, Kategorie 3 (angegeben von N. Example am 17. Nov. 2026)',
        'Infektionszeichen vorhanden: Überwärmung, Knochen liegt frei oder ist mit der Sonde erreichbar',
        'Infektionszeichen nicht vorhanden: Fieber',
      ],
    ],
    [
      'es',
      [
        'Categoría o grado: lesión por presión, categoría 3 (indicado por N. Example el 17 nov 2026)',
        'Signos de infección presentes: aumento de temperatura local, hueso expuesto o palpable con sonda',
        'Signos de infección ausentes: fiebre',
      ],
    ],
    [
      'fr',
      [
        'Stade ou grade: escarre, stade 3 (indiqué par N. Example le 17 nov. 2026)',
        'Signes d’infection présents: chaleur locale accrue, os exposé ou atteint par le stylet',
        'Signes d’infection absents: fièvre',
      ],
    ],
  ])('are said in %s, those that are there and those that are not', (language, sentences) => {
    expect(said(given, language)).toEqual(expect.arrayContaining([...sentences]));
  });

  it('of which one kind was stated leave the other out', () => {
    const told = said({ infectionSignCodes: [{ sign: 'fever', status: 'absent' }] }, 'en').join('\n');
    expect([told.includes('absent: fever'), told.includes('present:')]).toEqual([true, false]);
  });

  it.each<[WoundStage['system'], WoundStage['value'], string]>([
    ['wagner', '2', 'Wagner grade 2'],
    ['texas', '1B', 'University of Texas, grade 1, stage B'],
    ['pressure', 'unstageable', 'pressure injury, unstageable'],
    ['pressure', 'suspected_deep_tissue_injury', 'pressure injury, suspected deep tissue injury'],
    ['pressure', 'mucosal', 'mucosal membrane pressure injury'],
  ])('of %s %s is said in words', (system, value, words) => {
    expect(said({ stage: { system, value } }, 'en')).toContain(`Stage or grade: ${words}`);
  });
});

describe('a reason of the verdict', () => {
  const reason: CourseReason = {
    domain: 'infection',
    what: 'signs_iwgdf',
    direction: 'worse',
    from: 0,
    to: 2,
    unit: 'count',
    days: 7,
    interval: null,
    comparedWithReportId: 'r1',
    signs: ['warmth', 'erythema'],
  };
  const tell = (told: CourseReason, language: Language) =>
    reasonText({ say: speak(language), figures: figureFormatOf(language, 'UTC') }, told).replaceAll('\u00a0', ' ');

  it.each<[Language, string, string]>([
    [
      'en',
      'Signs of infection (IWGDF set): from 0 to 2 in 7 days. Present: increased warmth, erythema around the wound.',
      'Stage or grade: now pressure injury, unstageable, before pressure injury, stage 2 (in 7 days).',
    ],
    [
      'de',
      'Infektionszeichen (Liste der IWGDF): von 0 auf 2 in 7 Tagen. Vorhanden: Überwärmung, Rötung um die Wunde.',
      'Kategorie oder Grad: jetzt Dekubitus, nicht klassifizierbar, zuvor Dekubitus, Kategorie 2 (in 7 Tagen).',
    ],
    [
      'es',
      'Signos de infección (lista del IWGDF): de 0 a 2 en 7 días. Presentes: aumento de temperatura local, eritema alrededor de la herida.',
      'Categoría o grado: ahora, lesión por presión inclasificable; antes, lesión por presión, categoría 2 (en 7 días).',
    ],
    [
      'fr',
      'Signes d’infection (liste de l’IWGDF) : de 0 à 2 en 7 jours. Présents : chaleur locale accrue, érythème autour de la plaie.',
      'Stade ou grade : à présent escarre inclassable, auparavant escarre, stade 2 (en 7 jours).',
    ],
  ])('names in %s the set with its signs, and both stages', (language, ofSigns, ofStage) => {
    const { signs: _, ...plain } = reason;
    const stage: CourseReason = {
      ...plain,
      domain: 'stage',
      what: 'stage',
      from: 'pressure_2',
      to: 'pressure_unstageable',
      unit: null,
    };
    expect([tell(reason, language), tell(stage, language)]).toEqual([ofSigns, ofStage]);
  });

  it.each<[Language, string]>([
    [
      'en',
      'Signs of infection (IWGDF set): not stated to be gone. Last stated: increased warmth, erythema around the wound.',
    ],
    [
      'de',
      'Infektionszeichen (Liste der IWGDF): nicht als verschwunden angegeben. Zuletzt angegeben: Überwärmung, Rötung um die Wunde.',
    ],
    [
      'es',
      'Signos de infección (lista del IWGDF): no consta su desaparición. Últimos indicados: aumento de temperatura local, eritema alrededor de la herida.',
    ],
    [
      'fr',
      'Signes d’infection (liste de l’IWGDF) : disparition non signalée. Derniers indiqués : chaleur locale accrue, érythème autour de la plaie.',
    ],
  ])('says in %s that nobody stated the signs to be gone', (language, sentence) => {
    expect(tell({ ...reason, direction: 'persists', from: 2, to: null }, language)).toBe(sentence);
  });

  it.each<[Language, string, string, string, string]>([
    [
      'en',
      'Tunnel: stated for the first time, 7 cm. Whether it is new is not known.',
      'Tunnel: not stated to be gone.',
      'Depth: rose when it was last stated, and not stated since.',
      'Redness around the wound: stated for the first time. Whether it is new is not known.',
    ],
    [
      'de',
      'Tunnelbildung: erstmals angegeben, 7 cm. Ob neu, ist nicht bekannt.',
      'Tunnelbildung: nicht als verschwunden angegeben.',
      'Tiefe: bei der letzten Angabe gestiegen, seither nicht angegeben.',
      'Rötung der Wundumgebung: erstmals angegeben. Ob neu, ist nicht bekannt.',
    ],
    [
      'es',
      'Tunelización: se indica por primera vez, 7 cm. No se sabe si es un hallazgo nuevo.',
      'Tunelización: no consta su desaparición.',
      'Profundidad: había aumentado cuando se indicó por última vez; no se ha indicado desde entonces.',
      'Enrojecimiento alrededor de la herida: se indica por primera vez. No se sabe si es un hallazgo nuevo.',
    ],
    [
      'fr',
      'Tunnellisation : première indication, 7 cm. On ignore si c’est nouveau.',
      'Tunnellisation : disparition non signalée.',
      'Profondeur : en hausse à la dernière indication, non indiqué depuis.',
      'Rougeur autour de la plaie : première indication. On ignore si c’est nouveau.',
    ],
  ])('says in %s what may be new, and what nobody looked at again', (language, first, gone, rose, sign) => {
    const { signs: _, ...plain } = { ...reason, direction: 'persists' as const, unit: 'cm' as const };
    const tunnel: CourseReason = { ...plain, domain: 'tunnelling', what: 'tunnelling', from: null, to: 7 };
    const depth: CourseReason = { ...plain, domain: 'depth', what: 'depth', from: 1, to: null };
    const redness: CourseReason = {
      ...plain,
      domain: 'periwound',
      what: 'erythema',
      from: null,
      to: 'present',
      unit: null,
    };
    const told = [tunnel, { ...tunnel, to: null }, depth, redness].map((one) => tell(one, language));
    expect(told).toEqual([first, gone, rose, sign]);
  });
});

describe('what the clinician stated', () => {
  it.each<[string, ClinicianObservations | null]>([
    ['nothing', null],
    ['no field', {}],
    ['empty lists', { undermining: [], tunnelling: [], edges: [], periwound: [], infectionSigns: [] }],
  ])('has no section where %s was stated', (_, given) => {
    expect(section(given)).toBeNull();
  });

  it.each<[Language, readonly string[]]>([
    [
      'en',
      [
        'Exudate: moderate, serosanguineous',
        'Odour: faint',
        'Wound edge: rolled, not attached',
        'Skin around the wound: erythema, oedema',
        'Undermining from 2 to 5 o’clock, 1.2 cm deep.',
        'Undermining from 11 to 1 o’clock, 0.5 cm deep.',
        'Undermining at 8 o’clock, 0.7 cm deep.',
        'Tunnel at 6 o’clock, 2.5 cm deep.',
      ],
    ],
    [
      'de',
      [
        'Exsudat: mäßig, serös-blutig',
        'Geruch: schwach',
        'Wundrand: eingerollt, nicht anhaftend',
        'Wundumgebung: Erythem, Ödem',
        'Unterminierung von 2 bis 5 Uhr, 1,2 cm tief.',
        'Unterminierung von 11 bis 1 Uhr, 0,5 cm tief.',
        'Unterminierung bei 8 Uhr, 0,7 cm tief.',
        'Tunnelbildung bei 6 Uhr, 2,5 cm tief.',
      ],
    ],
    [
      'fr',
      [
        'Exsudat: modéré, sérosanguinolent',
        'Odeur: légère',
        'Bords de la plaie: enroulés, non adhérents',
        'Peau périlésionnelle: érythème, œdème',
        'Décollement de 2 h à 5 h, 1,2 cm de profondeur.',
        'Décollement de 11 h à 1 h, 0,5 cm de profondeur.',
        'Décollement à 8 h, 0,7 cm de profondeur.',
        'Tunnel à 6 h, 2,5 cm de profondeur.',
      ],
    ],
    [
      'es',
      [
        'Exudado: moderado, serohemático',
        'Olor: leve',
        'Bordes de la herida: enrollados, no adheridos',
        'Piel perilesional: eritema, edema',
        'Socavamiento desde la posición horaria 2 hasta la 5, 1,2 cm de profundidad.',
        'Socavamiento desde la posición horaria 11 hasta la 1, 0,5 cm de profundidad.',
        'Socavamiento en la posición horaria 8, 0,7 cm de profundidad.',
        'Tunelización en la posición horaria 6, 2,5 cm de profundidad.',
      ],
    ],
  ])('is said in %s as a clinician writes it', (language, sentences) => {
    const words = said(EVERYTHING_STATED, language);
    expect(words).toEqual(expect.arrayContaining([...sentences]));
    expect(words.at(-2)).toBe('warm to the touch since Tuesday\nnew, foul smell after cleansing');
    expect(words.at(-1)).toBe(speak(language)('observation.note').replaceAll('\u00a0', ' '));
  });

  it('keeps the clinician’s own words on a line each, and lets none of them turn or end what follows', () => {
    const infectionSigns = ['red\u202e txet', 'second\r\nline', '  warm  '];
    expect(said({ infectionSigns }, 'en')).toEqual([
      'Signs of infection, in the clinician’s words:',
      'red\ufffd txet\nsecond line\nwarm',
      'As the clinician gave them; not measured in the photo.',
    ]);
  });

  it.each(REPORT_FORMATS)('stands in a report as %s, whatever is written in it', async (format) => {
    const infectionSigns = ['<script>alert(1)</script>', 'حار ومحمر', '𝔴arm', 'ρύπος & <b>pus</b>'];
    const reading = readingOf(
      reportsOf({ weeks: [9], content: { clinicianObservations: { ...EVERYTHING_STATED, infectionSigns } } }),
    );
    for (const language of LANGUAGES) {
      const bytes = await renderer.render(reading, NO_PICTURES, format, language);
      const text = readDocument(bytes, format).replaceAll('\u00a0', ' ');
      for (const words of said({ undermining: EVERYTHING_STATED.undermining }, language).slice(0, -1))
        expect(text).toContain(words);
      expect(text).toContain('<script>alert(1)</script>');
      if (format === 'html') expect(Buffer.from(bytes).toString('utf8')).not.toContain('<script>alert');
    }
  });
});
