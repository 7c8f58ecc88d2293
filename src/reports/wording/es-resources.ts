import type { enResources } from './en-resources.js';

/** What FHIR resources say in words beside their codes. */
export const esResources: Readonly<Record<keyof typeof enResources, string>> = {
  'resource.report': 'Evaluación de la herida por foto',
  'resource.photo': 'Foto evaluada',
  'resource.previousPhoto': 'Foto anterior',
  'method.photo': 'Segmentación automática de una foto',
  'method.calibrated': 'Segmentación automática de una foto con escala',
  'method.reviewerScale': 'Segmentación automática de una foto cuya escala fijó un profesional sanitario',
  'method.stated': 'Indicado por un profesional sanitario',
  'method.outlined': 'Delineado por un profesional sanitario en una foto',
  'note.colourRule': 'La necrosis se halló por una regla de color y ningún profesional sanitario la ha confirmado.',
  'note.quality': 'Calidad de la foto: {warnings}',
  'note.overlap': 'Superposición esperada (Dice) con el contorno de un experto: {value} ({lower} a {upper}).',
  'note.unreliable': 'Es más probable que el contorno sea incorrecto que correcto: compruébelo.',
  'note.detectable': 'Cambio mínimo detectable: {percent}.',
  'note.notComparable': 'No comparable con seguridad: {reasons}',
};
