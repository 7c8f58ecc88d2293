import type { enResources } from './en-resources.js';

/** What FHIR resources say in words beside their codes. */
export const deResources: Readonly<Record<keyof typeof enResources, string>> = {
  'resource.report': 'Wundbeurteilung nach Foto',
  'resource.photo': 'Beurteiltes Foto',
  'resource.previousPhoto': 'Voriges Foto',
  'method.photo': 'Automatische Segmentierung eines Fotos',
  'method.calibrated': 'Automatische Segmentierung eines Fotos mit Maßstab',
  'method.reviewerScale': 'Automatische Segmentierung eines Fotos, dessen Maßstab eine Fachkraft festgelegt hat',
  'method.stated': 'Angabe einer Fachkraft',
  'method.outlined': 'Umriss einer Fachkraft in einem Foto',
  'note.colourRule': 'Nekrose wurde nach einer Farbregel gefunden und ist von keiner Fachkraft bestätigt.',
  'note.quality': 'Fotoqualität: {warnings}',
  'note.overlap': 'Erwartete Übereinstimmung (Dice) mit dem Umriss einer Fachkraft: {value} ({lower} bis {upper}).',
  'note.unreliable': 'Der Umriss ist eher falsch als richtig: bitte prüfen.',
  'note.detectable': 'Kleinste nachweisbare Veränderung: {percent}.',
  'note.notComparable': 'Nicht sicher vergleichbar: {reasons}',
};
