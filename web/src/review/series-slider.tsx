import { Button } from '../shared/components/controls.js';
import { dayTaken } from './time-taken.js';
import type { SeriesEntry } from './types.js';

interface SeriesSliderProps {
  readonly label: string;
  readonly series: readonly SeriesEntry[];
  readonly shown: string;
  readonly show: (reportId: string) => void;
  readonly language: string;
}

/** The photos of a wound over time, oldest first. */
export function SeriesSlider({ label, series, shown, show, language }: SeriesSliderProps) {
  const place = series.findIndex((one) => one.reportId === shown);
  const last = series.at(-1);
  // A report that was rejected or given away has no place in it: the last photo is the way back.
  if (place < 0)
    return last === undefined ? null : (
      <nav className="desk-tools desk-series" aria-label={label}>
        <strong>{label}</strong>
        <Button onPress={() => show(last.reportId)}>{dayTaken(last, language)}</Button>
      </nav>
    );
  const date = dayTaken(series[place]!, language);
  return (
    <label className="desk-size desk-series">
      {label}: {date}
      <input
        className="desk-slider"
        type="range"
        min={0}
        max={series.length - 1}
        value={place}
        aria-valuetext={date}
        onChange={(event) => show(series[Number(event.target.value)]!.reportId)}
      />
    </label>
  );
}
