import type { enResources } from './en-resources.js';

/** What FHIR resources say in words beside their codes. */
export const frResources: Readonly<Record<keyof typeof enResources, string>> = {
  'resource.report': 'Évaluation de la plaie sur photo',
  'resource.photo': 'Photo évaluée',
  'resource.previousPhoto': 'Photo précédente',
  'method.photo': 'Segmentation automatique d’une photo',
  'method.calibrated': 'Segmentation automatique d’une photo avec échelle',
  'method.reviewerScale': 'Segmentation automatique d’une photo dont un soignant a fixé l’échelle',
  'method.stated': 'Indiqué par un soignant',
  'method.outlined': 'Contour tracé par un soignant sur une photo',
  'note.colourRule': 'La nécrose a été trouvée par une règle de couleur et n’est confirmée par aucun soignant.',
  'note.quality': 'Qualité de la photo\u00a0: {warnings}',
  'note.overlap': 'Recouvrement attendu (Dice) avec le contour d’un expert\u00a0: {value} ({lower} à {upper}).',
  'note.unreliable': 'Le contour est plus probablement faux que juste\u00a0: vérifiez-le.',
  'note.detectable': 'Changement minimal détectable\u00a0: {percent}.',
  'note.notComparable': 'Comparaison peu sûre\u00a0: {reasons}',
};
