import type { enEvents } from './en-events.js';

export const esEvents: Readonly<Record<keyof typeof enEvents, string>> = {
  'reset.new':
    'Nuevo valor de partida tras {treatment} del {date}: el cambio respecto a los {area} anteriores no es ni mejoría ni empeoramiento.',
  'reset.first': 'Valor de partida tras {treatment} del {date}.',
  'reset.since':
    'Nuevo valor de partida tras {treatment} del {date}: los cambios se cuentan desde la primera valoración posterior.',
  'reset.alike': 'Se compara con las áreas que dejaron los tratamientos anteriores del mismo tipo.',
  'relation.joined': 'Desde el {date}, esta herida es la unión de {count} heridas; se compara el área del conjunto.',
  'relation.joined.sum': 'Juntas medían {from}; ahora mide {to}.',
  'relation.split':
    'El {date} la herida se dividió y esta es una de sus partes; desde entonces cada una se compara por separado.',
  'relation.split.sum': 'Medía {from}; sus {count} partes miden juntas {to}.',
  'relation.noSum': 'No se conocen todas las áreas de esas fechas, por lo que la evolución empieza de nuevo.',
  'treatment.debridement': 'el desbridamiento',
  'treatment.graft': 'el injerto de piel',
  'treatment.surgery': 'la cirugía',
  'event.debridement': 'desbridamiento',
  'event.graft': 'injerto de piel',
  'event.skin_substitute': 'sustituto cutáneo',
  'event.compression': 'compresión',
  'event.offloading': 'descarga',
  'event.negative_pressure': 'terapia de presión negativa',
  'event.antibiotics': 'antibióticos',
  'event.surgery': 'cirugía',
  'event.amputation': 'amputación',
  'event.dressing_change': 'cambio de apósito',
  'event.trauma': 'traumatismo',
  'event.other': 'otro acontecimiento',
  'event.list': 'Acontecimientos: {list}.',
  'event.earlier': 'y {count} anteriores',
};
