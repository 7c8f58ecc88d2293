import type { enEvents } from './en-events.js';

export const deEvents: Readonly<Record<keyof typeof enEvents, string>> = {
  'reset.new':
    'Neuer Ausgangswert nach {treatment} am {date}: Die Änderung gegenüber {area} davor ist weder besser noch schlechter.',
  'reset.first': 'Ausgangswert nach {treatment} am {date}.',
  'reset.since': 'Neuer Ausgangswert nach {treatment} am {date}: Änderungen zählen ab dem ersten Befund danach.',
  'reset.alike': 'Verglichen wird mit den Flächen, die frühere Behandlungen dieser Art hinterließen.',
  'treatment.debridement': 'Débridement',
  'treatment.graft': 'Hauttransplantation',
  'treatment.surgery': 'Operation',
  'event.debridement': 'Débridement',
  'event.graft': 'Hauttransplantation',
  'event.skin_substitute': 'Hautersatz',
  'event.compression': 'Kompression',
  'event.offloading': 'Druckentlastung',
  'event.negative_pressure': 'Unterdrucktherapie',
  'event.antibiotics': 'Antibiotika',
  'event.surgery': 'Operation',
  'event.amputation': 'Amputation',
  'event.dressing_change': 'Verbandwechsel',
  'event.trauma': 'Trauma',
  'event.other': 'anderes Ereignis',
  'event.list': 'Ereignisse: {list}.',
  'event.earlier': 'und {count} frühere',
};
