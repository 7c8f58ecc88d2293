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
  const place = Math.max(
    0,
    series.findIndex((one) => one.reportId === shown),
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
