import type { enEvents } from './en-events.js';

export const deEvents: Readonly<Record<keyof typeof enEvents, string>> = {
  'reset.new':
    'Neuer Ausgangswert nach {treatment} am {date}: Die Änderung gegenüber {area} davor ist weder besser noch schlechter.',
  'reset.first': 'Ausgangswert nach {treatment} am {date}.',
  'reset.since': 'Neuer Ausgangswert nach {treatment} am {date}: Änderungen zählen ab dem ersten Befund danach.',
  'reset.alike': 'Verglichen wird mit den Flächen, die frühere Behandlungen dieser Art hinterließen.',
  'relation.joined':
    'Seit dem {date} ist diese Wunde das, wozu {count} Wunden zusammengewachsen sind; verglichen wird ihre gemeinsame Fläche.',
  'relation.joined.sum': 'Zusammen hatten sie {from}; jetzt sind es {to}.',
  'relation.split':
    'Am {date} hat sich die Wunde geteilt, und dies ist einer der Teile; seither wird jeder für sich verglichen.',
  'relation.split.sum': 'Sie hatte {from}; ihre {count} Teile haben zusammen {to}.',
  'relation.noSum': 'Nicht alle Flächen aus dieser Zeit sind bekannt, daher beginnt der Verlauf neu.',
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
