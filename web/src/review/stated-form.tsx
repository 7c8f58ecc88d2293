import type { ReactNode } from 'react';
import { Button } from '../shared/components/controls.js';
import type { DeskForm } from './desk-form.js';
import type { DeskPart } from './desk-part.js';
import { Centimetres, Chips, Select, Signs, Tunnels, Underminings } from './stated-parts.js';
import { saidOf } from './stated-words.js';
import {
  centimetresOf,
  faultsOf,
  FIELD_OF,
  isSame,
  lastStatements,
  restated,
  statementsOf,
  type AllStatements,
  type StatementName,
} from './statements.js';
import { dayNamed } from './time-taken.js';
import type { DeskFormFacts, Report } from './types.js';
import { fill } from './words/words.js';

const PAIN = Array.from({ length: 11 }, (_, value) => ({ value: String(value), word: String(value) }));

/** Deeper than most wounds: perhaps millimetres were meant. */
const UNUSUALLY_DEEP_CM = 8;

interface StatedFormProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly report: Report;
  readonly form: DeskForm;
  readonly facts: DeskFormFacts;
}

/** What a person sees of the wound and no photo shows. Last visit's statements stand beside it and are taken over by a tap, never by themselves. */
export function StatedForm(props: StatedFormProps) {
  const sheet = sheetOf(props);
  return (
    <div className="desk-form">
      <p className="hint">{props.words.formHelp}</p>
      {depthRows(props, sheet)}
      {chosenRows(props, sheet)}
      {signRows(props, sheet)}
    </div>
  );
}

/** What stands in the form now, and how a row of it is set and changed. */
function sheetOf({ report, form, facts, words, language }: StatedFormProps) {
  const known = statementsOf(report.clinicianObservations, language);
  const last = lastStatements(facts, language);
  const now: AllStatements = { ...known, ...form.stated };
  const wrong = faultsOf(form.stated);
  const isWrong = (name: StatementName) => wrong.includes(name);
  const change = <Name extends StatementName>(name: Name, value: AllStatements[Name]) =>
    form.change({ stated: restated(form.stated, name, value, known) });
  const row = (name: StatementName, label: string, content: ReactNode) => (
    <Row
      key={name}
      {...{ name, label, known, last, now, facts, words, language, change }}
      isWrong={isWrong(name)}
      statedAt={report.clinicianObservations?.statedAt?.[FIELD_OF[name]]}
    >
      {content}
    </Row>
  );
  return { now, isWrong, change, row };
}

type Sheet = ReturnType<typeof sheetOf>;

function depthRows({ form, facts, words }: StatedFormProps, { now, isWrong, change, row }: Sheet) {
  const { depth, undermining, tunnelling } = facts.words.labels;
  return (
    <>
      {row(
        'depth',
        depth,
        <Centimetres
          label={depth}
          typed={now.depth}
          isWrong={isWrong('depth')}
          onChange={(typed) => change('depth', typed)}
        />,
      )}
      {form.stated.depth !== undefined && (centimetresOf(now.depth) ?? 0) > UNUSUALLY_DEEP_CM ? (
        <p className="notice warn">{fill(words.deepAsk, { depth: now.depth })}</p>
      ) : null}
      {row(
        'undermining',
        undermining,
        <Underminings
          label={undermining}
          words={words}
          isWrong={isWrong('undermining')}
          pockets={now.undermining}
          onChange={(list) => change('undermining', list)}
        />,
      )}
      {row(
        'tunnelling',
        tunnelling,
        <Tunnels
          label={tunnelling}
          words={words}
          isWrong={isWrong('tunnelling')}
          pockets={now.tunnelling}
          onChange={(list) => change('tunnelling', list)}
        />,
      )}
    </>
  );
}

function chosenRows({ facts, words }: StatedFormProps, { now, change, row }: Sheet) {
  const { labels, stages } = facts.words;
  const single = (name: 'exudate' | 'exudateType' | 'odour', label: string) =>
    row(
      name,
      label,
      <Chips
        isSingle
        label={label}
        choices={facts.words[name]}
        chosen={now[name] === '' ? [] : [now[name]]}
        onChange={(chosen) => change(name, chosen[0] ?? '')}
      />,
    );
  const several = (name: 'edges' | 'periwound') =>
    row(
      name,
      labels[name],
      <Chips
        label={labels[name]}
        choices={facts.words[name]}
        chosen={now[name]}
        onChange={(chosen) => change(name, chosen)}
      />,
    );
  const select = (name: 'pain' | 'stage', choices: typeof stages) =>
    row(
      name,
      labels[name],
      <Select
        label={labels[name]}
        value={now[name]}
        empty={words.notStated}
        choices={choices}
        onChange={(value) => change(name, value)}
      />,
    );
  return (
    <>
      {single('exudate', labels.exudate)}
      {single('exudateType', words.exudateType)}
      {single('odour', labels.odour)}
      {select('pain', PAIN)}
      {stages.length > 0 || now.stage !== '' ? select('stage', stages) : null}
      {several('edges')}
      {several('periwound')}
    </>
  );
}

function signRows({ facts, words }: StatedFormProps, { now, isWrong, change, row }: Sheet) {
  const { labels, signs: choices } = facts.words;
  return (
    <>
      {row(
        'signs',
        labels.signs,
        <Signs
          label={labels.signs}
          signs={now.signs}
          onChange={(signs) => change('signs', signs)}
          {...{ choices, words }}
        />,
      )}
      {row(
        'ownWords',
        labels.ownWords,
        <textarea
          className="input"
          rows={2}
          maxLength={2000}
          aria-label={labels.ownWords}
          aria-invalid={isWrong('ownWords')}
          value={now.ownWords}
          onChange={(event) => change('ownWords', event.target.value)}
        />,
      )}
    </>
  );
}

interface RowProps extends Pick<StatedFormProps, 'facts' | 'words' | 'language'> {
  /** The day of what the report has, where that is not the photo's. */
  readonly statedAt: string | undefined;
  readonly name: StatementName;
  readonly label: string;
  readonly known: AllStatements;
  readonly last: AllStatements;
  readonly now: AllStatements;
  readonly isWrong: boolean;
  readonly change: <Name extends StatementName>(name: Name, value: AllStatements[Name]) => void;
  readonly children: ReactNode;
}

/** A thing that can be stated, with what was stated last time, and what the report has where that is another. */
function Row({ name, label, statedAt, known, last, now, isWrong, facts, words, language, change, children }: RowProps) {
  const told = facts.lastTime[FIELD_OF[name]];
  const said = (from: AllStatements) => saidOf(name, from, facts, words);
  const day = told === undefined ? '' : dayOf(told, language);
  const lastTime = fill(words.lastTime, { value: said(last), date: day });
  return (
    <div className="desk-row">
      <h3>{label}</h3>
      {children}
      {statedAt === undefined || !isSame(now[name], known[name]) ? null : (
        <span className="hint">
          {fill(words.statedOn, { date: dayNamed({ capturedAt: statedAt, capturedAsStated: statedAt }, language) })}
        </span>
      )}
      {told === undefined ? (
        <span className="hint">{words.lastTimeNone}</span>
      ) : isSame(now[name], last[name]) ? (
        <span className="hint">{lastTime}</span>
      ) : (
        <Button
          aria-label={`${lastTime}. ${fill(words.takeOver, { what: label })}`}
          onPress={() => change(name, last[name])}
        >
          {lastTime} <span aria-hidden="true">↵</span>
        </Button>
      )}
      {isSame(now[name], known[name]) ? null : (
        <Button
          aria-label={`${fill(words.inReport, { value: said(known) })}. ${fill(words.backToReport, { what: label })}`}
          onPress={() => change(name, known[name])}
        >
          {fill(words.inReport, { value: said(known) })} <span aria-hidden="true">↶</span>
        </Button>
      )}
      {isWrong ? <p className="notice bad">{fill(words.cannotState, { what: label })}</p> : null}
    </div>
  );
}

/** Of the day on which it was stated, where that is not the photo's. */
function dayOf(told: NonNullable<DeskFormFacts['lastTime']['depthCm']>, language: string): string {
  const { statedAt, capturedAt, capturedAsStated } = told;
  if (statedAt !== undefined) return dayNamed({ capturedAt: statedAt, capturedAsStated: statedAt }, language);
  return dayNamed({ capturedAt, capturedAsStated }, language);
}
