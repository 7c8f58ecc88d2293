import type { enEvents } from './en-events.js';

export const frEvents: Readonly<Record<keyof typeof enEvents, string>> = {
  'reset.new':
    'Nouvelle valeur de départ après {treatment} du {date}\u00a0: le changement par rapport aux {area} d’avant n’est ni une amélioration ni une aggravation.',
  'reset.first': 'Valeur de départ après {treatment} du {date}.',
  'reset.since':
    'Nouvelle valeur de départ après {treatment} du {date}\u00a0: les changements sont comptés à partir de la première évaluation qui suit.',
  'reset.alike': 'Elle est comparée aux surfaces laissées par les traitements précédents du même type.',
  'relation.joined':
    'Depuis le {date}, cette plaie résulte de la réunion de {count} plaies\u00a0; la surface comparée est celle de l’ensemble.',
  'relation.joined.sum': 'Ensemble, elles mesuraient {from}\u00a0; à présent {to}.',
  'relation.split':
    'Le {date}, la plaie s’est divisée et ceci en est une partie\u00a0; depuis, chacune est comparée séparément.',
  'relation.split.sum': 'Elle mesurait {from}\u00a0; ses {count} parties mesurent ensemble {to}.',
  'relation.noSum': 'Les surfaces de cette période ne sont pas toutes connues\u00a0: l’évolution repart de zéro.',
  'treatment.debridement': 'le débridement',
  'treatment.graft': 'la greffe de peau',
  'treatment.surgery': 'l’intervention chirurgicale',
  'event.debridement': 'débridement',
  'event.graft': 'greffe de peau',
  'event.skin_substitute': 'substitut cutané',
  'event.compression': 'compression',
  'event.offloading': 'décharge',
  'event.negative_pressure': 'thérapie par pression négative',
  'event.antibiotics': 'antibiotiques',
  'event.surgery': 'intervention chirurgicale',
  'event.amputation': 'amputation',
  'event.dressing_change': 'changement de pansement',
  'event.trauma': 'traumatisme',
  'event.other': 'autre événement',
  'event.list': 'Événements\u00a0: {list}.',
  'event.earlier': 'et {count} plus anciens',
};
