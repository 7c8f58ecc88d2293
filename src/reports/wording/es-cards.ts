import type { enCards } from './en-cards.js';

export const esCards: Readonly<Record<keyof typeof enCards, string>> = {
  'card.wound': 'Herida',
  'card.mayBeSpreading': 'La última área es mucho mayor: puede extenderse rápido o ser otra herida. Véala ahora.',
  'card.milestone': 'El área se ha reducido menos que un hito publicado para este tipo de herida.',
  'card.waiting': 'Resultados que esperan a un profesional: {count}.',
  'card.lastPhoto': 'Última foto: {date}.',
  'card.open': 'Abrir en Sutura',
};
