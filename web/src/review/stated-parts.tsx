import type { ReactNode } from 'react';
import { HOURS, MOST_LISTED } from '../../../src/core/analysis/clinician-observations.js';
import { Button } from '../shared/components/controls.js';
import type { AllStatements } from './statements.js';
import type { DeskFormFacts } from './types.js';
import { fill } from './words/words.js';
import type { Words } from './words/en.js';

export type Choices = DeskFormFacts['words']['exudate'];

interface ChosenProps {
  readonly label: string;
  readonly choices: Choices;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** One excludes the others. */
  readonly isSingle?: boolean;
}

/** Values to press; pressed again, one is no longer stated. */
export function Chips({ label, choices, chosen, onChange, isSingle = false }: ChosenProps) {
  const press = (value: string) => {
    if (chosen.includes(value)) onChange(chosen.filter((one) => one !== value));
    // In the order in which they are offered, so that the same choice is the same statement.
    else
      onChange(
        isSingle ? [value] : choices.map((one) => one.value).filter((one) => one === value || chosen.includes(one)),
      );
  };
  return (
    <div className="desk-chips" role="group" aria-label={label}>
      {choices.map(({ value, word }) => (
        <Button
          key={value}
          look={chosen.includes(value) ? 'primary' : 'plain'}
          aria-pressed={chosen.includes(value)}
          onPress={() => press(value)}
        >
          {word}
        </Button>
      ))}
    </div>
  );
}

interface CentimetresProps {
  readonly label: string;
  readonly typed: string;
  readonly isWrong: boolean;
  readonly onChange: (typed: string) => void;
}

export function Centimetres({ label, typed, isWrong, onChange }: CentimetresProps) {
  return (
    <span className="desk-unit">
      <input
        className="input"
        inputMode="decimal"
        maxLength={10}
        autoComplete="off"
        aria-label={`${label}, cm`}
        aria-invalid={isWrong}
        value={typed}
        onChange={(event) => onChange(event.target.value)}
      />
      <span aria-hidden="true">cm</span>
    </span>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly empty: string;
  readonly choices: Choices;
  readonly onChange: (value: string) => void;
}

export function Select({ label, value, empty, choices, onChange }: SelectProps) {
  const isKnown = value === '' || choices.some((one) => one.value === value);
  return (
    <select className="input" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{empty}</option>
      {isKnown ? null : <option value={value}>{value}</option>}
      {choices.map(({ value: one, word }) => (
        <option key={one} value={one}>
          {word}
        </option>
      ))}
    </select>
  );
}

const hoursIn = (words: Words): Choices =>
  Array.from({ length: HOURS }, (_, hour) => ({
    value: String(hour + 1),
    word: fill(words.oClock, { hour: hour + 1 }),
  }));

interface PocketsProps<Pocket> {
  readonly label: string;
  readonly pockets: readonly Pocket[];
  readonly isWrong: boolean;
  readonly onChange: (pockets: readonly Pocket[]) => void;
  readonly words: Words;
}

/** Undermined stretches of the edge, each clockwise from one hour to another. */
export function Underminings(props: PocketsProps<AllStatements['undermining'][number]>) {
  const { label, isWrong, words } = props;
  const hours = hoursIn(words);
  return (
    <Pockets {...props} empty={{ from: '', to: '', depth: '' }}>
      {(pocket, change) => (
        <>
          <Select
            label={`${label}, ${words.clockFrom}`}
            empty={words.clockFrom}
            value={pocket.from}
            choices={hours}
            onChange={(from) => change({ ...pocket, from })}
          />
          <Select
            label={`${label}, ${words.clockTo}`}
            empty={words.clockTo}
            value={pocket.to}
            choices={hours}
            onChange={(to) => change({ ...pocket, to })}
          />
          <Centimetres
            label={label}
            typed={pocket.depth}
            isWrong={isWrong}
            onChange={(depth) => change({ ...pocket, depth })}
          />
        </>
      )}
    </Pockets>
  );
}

export function Tunnels(props: PocketsProps<AllStatements['tunnelling'][number]>) {
  const { label, isWrong, words } = props;
  const hours = hoursIn(words);
  return (
    <Pockets {...props} empty={{ at: '', depth: '' }}>
      {(pocket, change) => (
        <>
          <Select
            label={`${label}, ${words.clockAt}`}
            empty={words.clockAt}
            value={pocket.at}
            choices={hours}
            onChange={(at) => change({ ...pocket, at })}
          />
          <Centimetres
            label={label}
            typed={pocket.depth}
            isWrong={isWrong}
            onChange={(depth) => change({ ...pocket, depth })}
          />
        </>
      )}
    </Pockets>
  );
}

interface PocketListProps<Pocket> extends PocketsProps<Pocket> {
  readonly empty: Pocket;
  readonly children: (pocket: Pocket, change: (changed: Pocket) => void) => ReactNode;
}

function Pockets<Pocket>({ label, pockets, onChange, words, empty, children }: PocketListProps<Pocket>) {
  return (
    <div className="desk-pockets" role="group" aria-label={label}>
      {pockets.map((pocket, index) => (
        <div key={index} className="desk-pocket">
          {children(pocket, (changed) => onChange(pockets.with(index, changed)))}
          <Button
            aria-label={fill(words.removePocket, { what: label, number: index + 1 })}
            onPress={() => onChange(pockets.toSpliced(index, 1))}
          >
            ×
          </Button>
        </div>
      ))}
      {pockets.length >= MOST_LISTED ? null : (
        <Button aria-label={fill(words.addPocket, { what: label })} onPress={() => onChange([...pockets, empty])}>
          +
        </Button>
      )}
    </div>
  );
}

interface SignsProps {
  readonly label: string;
  readonly choices: Choices;
  readonly signs: AllStatements['signs'];
  readonly onChange: (signs: AllStatements['signs']) => void;
  readonly words: Words;
}

/** Each sign was looked for and found, looked for and not found, or not looked for: nothing is taken for granted. */
export function Signs({ label, choices, signs, onChange, words }: SignsProps) {
  const statuses = [
    { value: 'present', word: words.signPresent },
    { value: 'absent', word: words.signAbsent },
  ];
  const state = (sign: string, status: string) => {
    const others = signs.filter((one) => one.sign !== sign);
    const all = status === '' ? others : [...others, { sign, status }];
    onChange(choices.flatMap(({ value }) => all.find((one) => one.sign === value) ?? []));
  };
  return (
    <div className="desk-signs" role="group" aria-label={label}>
      {choices.map(({ value, word }) => (
        <label key={value} className="desk-sign">
          <span>{word}</span>
          <Select
            label={word}
            empty={words.signUnseen}
            value={signs.find(({ sign }) => sign === value)?.status ?? ''}
            choices={statuses}
            onChange={(status) => state(value, status)}
          />
        </label>
      ))}
    </div>
  );
}
