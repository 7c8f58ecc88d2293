import type { enCards } from './en-cards.js';

export const frCards: Readonly<Record<keyof typeof enCards, string>> = {
  'card.wound': 'Plaie',
  'card.mayBeSpreading':
    'La dernière surface est bien plus grande\u00a0: extension rapide, ou autre plaie. À voir maintenant.',
  'card.milestone': 'La surface a moins diminué qu’un seuil publié pour ce type de plaie.',
  'card.waiting': 'Résultats qui attendent un soignant\u00a0: {count}.',
  'card.lastPhoto': 'Dernière photo\u00a0: {date}.',
  'card.open': 'Ouvrir dans Sutura',
};
