import { useId, useState } from 'react';
import { Button } from '../../shared/components/controls.js';
import { inZone } from '../shared/zone.js';
import { breaksOf, niceTop, ticksOfTime } from './scale.js';
import './chart.css';

export interface Series {
  readonly name: string;
  /** null: not known. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  /** Behind numbers: `s`; empty for counts. */
  readonly unit?: string;
  /** Ends of the spans, oldest first. */
  readonly at: readonly string[];
  readonly series: readonly Series[];
  /** What is drawn, and what a gap means, for whoever cannot see it. */
  readonly hint: string;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 170, 46, 24, 10];
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const DAY_MS = 86_400_000;

/** Lines over time with their figures as a table, so that nobody has to see the lines. */
export function Chart({ title, unit = '', at, series, hint }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = niceTop(Math.max(0, ...known));
  const x = (place: number) => LEFT + (place / Math.max(1, at.length - 1)) * (WIDTH - LEFT - 6);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
  const times = ticksOfTime(at);
  const isWeek = at.length > 1 && Date.parse(at.at(-1)!) - Date.parse(at[0]!) > 2 * DAY_MS;
  const label = (instant: string) =>
    inZone(instant, isWeek ? { weekday: 'short', day: 'numeric' } : { timeStyle: 'short' }, false);
  return (
    <section className="card stack chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}. ${inWords(series, unit)} ${hint}`}>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line className="chart-grid" x1={LEFT} x2={WIDTH - 6} y1={y(value)} y2={y(value)} />
            <text className="chart-text" x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {NUMBER.format(value)}
            </text>
          </g>
        ))}
        {times.map((place) => (
          <text key={place} className="chart-text" x={x(place)} y={HEIGHT - 6} textAnchor="middle">
            {label(at[place]!)}
          </text>
        ))}
        {series.map(({ name, values }, place) =>
          breaksOf(values).map((part) => (
            <polyline
              key={`${name} ${part[0]?.place}`}
              className={`chart-line chart-line-${place % 4}`}
              points={part.map((one) => `${x(one.place).toFixed(1)},${y(one.value).toFixed(1)}`).join(' ')}
            />
          )),
        )}
      </svg>
      <p className="row">
        {series.map(({ name, values }, place) => (
          <span key={name} className="row">
            <svg className="chart-key" viewBox="0 0 28 8" aria-hidden="true">
              <line className={`chart-line chart-line-${place % 4}`} x1="0" x2="28" y1="4" y2="4" />
            </svg>
            {name}: {textOf(values.findLast((value) => value !== null) ?? null, unit)}
          </span>
        ))}
        <Button onPress={() => setTable(!isTable)} aria-expanded={isTable} aria-label={`${title} as a table`}>
          As a table
        </Button>
      </p>
      {isTable ? <Figures at={at} series={series} unit={unit} title={title} /> : null}
    </section>
  );
}

function Figures({ at, series, unit = '', title }: Pick<ChartProps, 'at' | 'series' | 'unit' | 'title'>) {
  return (
    <div className="wide chart-table" tabIndex={0} role="region" aria-label={`${title}: figures`}>
      <table className="plain">
        <thead>
          <tr>
            <th scope="col">Until</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {at
            .map((instant, place) => (
              <tr key={instant}>
                <th scope="row">{inZone(instant, { dateStyle: 'short', timeStyle: 'short' })}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{textOf(values[place] ?? null, unit)}</td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </div>
  );
}

const textOf = (value: number | null, unit: string): string =>
  value === null ? '–' : `${NUMBER.format(value)}${unit === '' ? '' : ` ${unit}`}`;

function inWords(series: readonly Series[], unit: string): string {
  return series
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null);
      if (known.length === 0) return `${name}: no figures.`;
      return `${name}: ${textOf(known.at(-1)!, unit)} at the end, at most ${textOf(Math.max(...known), unit)}.`;
    })
    .join(' ');
}
