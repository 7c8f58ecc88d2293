import { ERROR_CATALOGUE, type ErrorCode } from '../../../core/errors/catalogue.js';
import type { Language } from '../../../reports/index.js';

/** What a person is told whose launch did not open. */
interface Told {
  readonly title: string;
  /** What happened, and what to do. */
  readonly advice: string;
}

type LaunchCode = Extract<ErrorCode, `launch.${string}`>;

interface PageWords {
  readonly told: Readonly<Record<LaunchCode, Told>>;
  /** Of anything else. */
  readonly other: Told;
  readonly ownWindow: string;
  readonly forIt: string;
}

const said = (title: string, advice: string): Told => ({ title, advice });
const inEnglish = (code: LaunchCode): Told => said(ERROR_CATALOGUE[code].title, ERROR_CATALOGUE[code].advice);

const en: PageWords = {
  told: {
    'launch.unknown': inEnglish('launch.unknown'),
    'launch.state': inEnglish('launch.state'),
    'launch.cookie': inEnglish('launch.cookie'),
    'launch.frame': inEnglish('launch.frame'),
    'launch.unreachable': inEnglish('launch.unreachable'),
    'launch.answer': inEnglish('launch.answer'),
    'launch.refused': inEnglish('launch.refused'),
    'launch.person': inEnglish('launch.person'),
    'launch.patient_unknown': inEnglish('launch.patient_unknown'),
    'launch.patient_unclear': inEnglish('launch.patient_unclear'),
    'launch.no_report': inEnglish('launch.no_report'),
  },
  other: said(
    'Sutura was not opened',
    'Go back to the chart and open Sutura from there again. If it stays so, tell your IT.',
  ),
  ownWindow: 'Open in a window of its own',
  forIt: 'For your IT',
};

const de: PageWords = {
  told: {
    'launch.unknown': said(
      'Dieses Dokumentationssystem ist hier nicht bekannt',
      'Unter der Adresse, die dieser Aufruf nennt (iss), ist hier kein System angemeldet, oder sein Aufruf ist abgeschaltet. Sagen Sie es Ihrer IT: „ehr list“ zeigt, was angemeldet ist.',
    ),
    'launch.state': said(
      'Dieser Aufruf ist beendet',
      'Ein Aufruf kommt einmal zurück, binnen zehn Minuten und in dem Browser, der ihn begonnen hat. Gehen Sie zurück in die Akte und öffnen Sie Sutura von dort aus neu.',
    ),
    'launch.cookie': said(
      'Der Browser hat kein Cookie behalten',
      'Der Browser hat nicht behalten, was diesen Aufruf an ihn bindet; das kommt innerhalb eines Rahmens vor. Öffnen Sie Sutura in einem eigenen Fenster.',
    ),
    'launch.frame': said(
      'Nicht innerhalb dieser Seite',
      'Die Anmeldung des Dokumentationssystems nennt keine Seite, die Sutura in sich zeigen darf. Öffnen Sie Sutura in einem eigenen Fenster.',
    ),
    'launch.unreachable': said(
      'Das Dokumentationssystem antwortet nicht',
      'Das Dokumentationssystem wurde gefragt und hat nicht rechtzeitig vollständig geantwortet. Gehen Sie zurück in die Akte und versuchen Sie es noch einmal; bleibt es so, sagen Sie es Ihrer IT.',
    ),
    'launch.answer': said(
      'Auf das Dokumentationssystem war kein Verlass',
      'Eine Antwort des Dokumentationssystems war nicht gültig, daher wurde nichts geöffnet. Sagen Sie es Ihrer IT: Das Protokoll nennt die Antwort und was an ihr falsch war.',
    ),
    'launch.refused': said(
      'Das Dokumentationssystem hat abgelehnt',
      'Das Dokumentationssystem hat nicht zugelassen, dass Sutura mit diesem Konto geöffnet wird. Gehen Sie zurück in die Akte und versuchen Sie es noch einmal; bleibt es so, sagen Sie es Ihrer IT.',
    ),
    'launch.person': said(
      'Nur für behandelnde Personen',
      'Das Dokumentationssystem nennt jemanden, der dort nicht zum Personal gehört, oder niemanden. Melden Sie sich dort mit Ihrem eigenen Konto an und öffnen Sie Sutura aus der Akte.',
    ),
    'launch.patient_unknown': said(
      'Dieser Patient ist hier nicht bekannt',
      'Der Patient, dessen Akte offen ist, ist hier unter der Nummer des Dokumentationssystems nicht bekannt; es wurde niemand gezeigt. Ein erstes Foto oder ein Auftrag macht ihn bekannt; gab es schon eines, sagen Sie es Ihrer IT.',
    ),
    'launch.patient_unclear': said(
      'Nicht sicher, welcher Patient',
      'Die Nummer des Dokumentationssystems führt hier zu mehreren Patienten oder zu jemandem, der abweicht; es wurde niemand gezeigt. Lassen Sie die Akten prüfen, bevor Sie weitermachen.',
    ),
    'launch.no_report': said(
      'Noch kein Bericht zu diesem Patienten',
      'Der Patient ist hier bekannt und hat noch keinen Wundbericht. Nehmen Sie zuerst ein Foto auf; sein Bericht ist einige Minuten später da.',
    ),
  },
  other: said(
    'Sutura wurde nicht geöffnet',
    'Gehen Sie zurück in die Akte und öffnen Sie Sutura von dort aus neu. Bleibt es so, sagen Sie es Ihrer IT.',
  ),
  ownWindow: 'In eigenem Fenster öffnen',
  forIt: 'Für Ihre IT',
};

const es: PageWords = {
  told: {
    'launch.unknown': said(
      'Esta historia clínica no está registrada aquí',
      'No hay ningún sistema registrado con la dirección que indica esta apertura (iss), o su apertura está desactivada. Avise a su servicio de informática: «ehr list» muestra lo registrado.',
    ),
    'launch.state': said(
      'Esta apertura ha terminado',
      'Una apertura vuelve una sola vez, en diez minutos y al navegador que la inició. Vuelva a la historia y abra Sutura desde allí otra vez.',
    ),
    'launch.cookie': said(
      'El navegador no guardó la cookie',
      'El navegador no guardó lo que une esta apertura a él, como puede ocurrir dentro de un marco. Abra Sutura en una ventana propia.',
    ),
    'launch.frame': said(
      'No dentro de esta página',
      'El registro de la historia clínica no nombra ninguna página que pueda mostrar Sutura. Abra Sutura en una ventana propia.',
    ),
    'launch.unreachable': said(
      'La historia clínica no responde',
      'Se preguntó a la historia clínica y no hubo una respuesta completa a tiempo. Vuelva a la historia e inténtelo otra vez; si sigue igual, avise a su servicio de informática.',
    ),
    'launch.answer': said(
      'No se pudo confiar en la historia clínica',
      'Una respuesta de la historia clínica no era válida y no se abrió nada. Avise a su servicio de informática: el registro dice qué respuesta y qué fallaba.',
    ),
    'launch.refused': said(
      'La historia clínica lo rechazó',
      'La historia clínica no permitió abrir Sutura con esta cuenta. Vuelva a la historia e inténtelo otra vez; si sigue igual, avise a su servicio de informática.',
    ),
    'launch.person': said(
      'Solo para profesionales',
      'La historia clínica nombra a alguien que no es profesional allí, o a nadie. Entre allí con su propia cuenta y abra Sutura desde la historia.',
    ),
    'launch.patient_unknown': said(
      'Paciente no conocido aquí',
      'El paciente cuya historia está abierta no se conoce aquí por el número que indica la historia clínica; no se mostró a nadie. Una primera foto o solicitud lo da a conocer; si ya hubo una, avise a su servicio de informática.',
    ),
    'launch.patient_unclear': said(
      'No es seguro qué paciente es',
      'El número que indica la historia clínica lleva aquí a varios pacientes, o a alguien que no coincide; no se mostró a nadie. Haga revisar las historias antes de seguir.',
    ),
    'launch.no_report': said(
      'Aún no hay informe de este paciente',
      'El paciente se conoce aquí y aún no tiene informe de herida. Haga primero una foto; su informe estará unos minutos después.',
    ),
  },
  other: said(
    'Sutura no se abrió',
    'Vuelva a la historia y abra Sutura desde allí otra vez. Si sigue igual, avise a su servicio de informática.',
  ),
  ownWindow: 'Abrir en una ventana propia',
  forIt: 'Para su servicio de informática',
};

const fr: PageWords = {
  told: {
    'launch.unknown': said(
      'Ce dossier patient n’est pas connu ici',
      'Aucun système n’est enregistré ici à l’adresse que nomme cette ouverture (iss), ou son ouverture est désactivée. Prévenez votre service informatique : « ehr list » montre ce qui est enregistré.',
    ),
    'launch.state': said(
      'Cette ouverture est terminée',
      'Une ouverture revient une seule fois, dans les dix minutes et dans le navigateur qui l’a commencée. Retournez au dossier et ouvrez de nouveau Sutura.',
    ),
    'launch.cookie': said(
      'Le navigateur n’a pas gardé le cookie',
      'Le navigateur n’a pas gardé ce qui lie cette ouverture à lui, ce qui arrive dans un cadre. Ouvrez Sutura dans sa propre fenêtre.',
    ),
    'launch.frame': said(
      'Pas dans cette page',
      'L’enregistrement du dossier patient ne nomme aucune page qui peut montrer Sutura. Ouvrez Sutura dans sa propre fenêtre.',
    ),
    'launch.unreachable': said(
      'Le dossier patient ne répond pas',
      'Le dossier patient a été interrogé et n’a pas répondu entièrement à temps. Retournez au dossier et réessayez ; si cela persiste, prévenez votre service informatique.',
    ),
    'launch.answer': said(
      'Le dossier patient n’était pas fiable',
      'Une réponse du dossier patient n’était pas valable, donc rien n’a été ouvert. Prévenez votre service informatique : le journal dit quelle réponse, et ce qui n’allait pas.',
    ),
    'launch.refused': said(
      'Le dossier patient a refusé',
      'Le dossier patient n’a pas permis d’ouvrir Sutura avec ce compte. Retournez au dossier et réessayez ; si cela persiste, prévenez votre service informatique.',
    ),
    'launch.person': said(
      'Réservé aux soignants',
      'Le dossier patient nomme une personne qui n’y est pas soignante, ou personne. Connectez-vous-y avec votre propre compte et ouvrez Sutura depuis le dossier.',
    ),
    'launch.patient_unknown': said(
      'Patient inconnu ici',
      'Le patient dont le dossier est ouvert n’est pas connu ici par le numéro que donne le dossier ; personne n’a été montré. Une première photo ou demande le fait connaître ; s’il y en a eu une, prévenez votre service informatique.',
    ),
    'launch.patient_unclear': said(
      'Patient incertain',
      'Le numéro que donne le dossier mène ici à plusieurs patients, ou à une personne qui diffère ; personne n’a été montré. Faites vérifier les dossiers avant de continuer.',
    ),
    'launch.no_report': said(
      'Pas encore de rapport pour ce patient',
      'Le patient est connu ici et n’a pas encore de rapport de plaie. Prenez d’abord une photo ; son rapport sera là quelques minutes plus tard.',
    ),
  },
  other: said(
    'Sutura ne s’est pas ouvert',
    'Retournez au dossier et ouvrez de nouveau Sutura. Si cela persiste, prévenez votre service informatique.',
  ),
  ownWindow: 'Ouvrir dans sa propre fenêtre',
  forIt: 'Pour votre service informatique',
};

const ALL: Readonly<Record<Language, PageWords>> = { de, en, es, fr };

/** What is said of a refusal; `other` where it is none of a launch. */
export function wordsFor(language: Language, code: ErrorCode): Told & Pick<PageWords, 'ownWindow' | 'forIt'> {
  const { told, other, ownWindow, forIt } = ALL[language];
  const found = isLaunchCode(code) ? told[code] : other;
  return { ...found, ownWindow, forIt };
}

function isLaunchCode(code: ErrorCode): code is LaunchCode {
  return Object.hasOwn(en.told, code);
}
