import { useSearchParams } from 'react-router';
import type { FigurePoint, Figures, Usage } from '../shared/answers.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { Read } from '../shared/page-state.js';
import { pathWith, useRead } from '../shared/reads.js';
import { useSession } from '../session.js';
import { Chart, type Series } from './chart.js';
import { PageHeading } from '../shared/page-heading.js';

type Known = NonNullable<FigurePoint['figures']>;
type Count = Exclude<keyof Known, 'models' | 'latencies'>;

/** A sample is taken every five minutes. */
const EVERY_MS = 60_000;
const MOST_MODELS = 4;

/** What the service did over a day or a week, from its own figures. */
export function FiguresPage() {
  const [query, setQuery] = useSearchParams();
  const { user } = useSession();
  const { organizationId, environment } = useChoice();
  const span = query.get('span') === 'week' ? 'week' : 'day';
  const isNamed = organizationId !== undefined;
  const read = useRead<Figures>(
    pathWith('/admin/v1/figures', { span, organizationId, environment: isNamed ? environment : undefined }),
    { everyMs: EVERY_MS, isAsked: user.installationAdmin || isNamed },
  );
  const usage = useRead<Usage>(`/admin/v1/organizations/${organizationId ?? ''}/usage`, { isAsked: isNamed });
  return (
    <div className="stack">
      <PageHeading title="Figures" />
      <div className="filters">
        <OrganizationChoice />
        <label className="field">
          <span className="label">Time</span>
          <select
            className="input"
            value={span}
            onChange={(event) => {
              const next = new URLSearchParams(query);
              next.set('span', event.target.value);
              setQuery(next);
            }}
          >
            <option value="day">24 hours</option>
            <option value="week">7 days</option>
          </select>
        </label>
      </div>
      <Read read={read}>
        {({ points, stepS }) =>
          points.every(({ figures }) => figures === null) ? (
            <p className="notice">
              There are no figures of this time yet. The first come within five minutes after the start.
            </p>
          ) : (
            <>
              <p className="hint">
                Each point stands for {stepS === 300 ? 'five minutes' : 'an hour, of what waits the most'}; a gap: no
                gateway ran.
              </p>
              <Charts
                points={points}
                limit={usage.data?.limit ?? null}
                hasQuota={environment === undefined || !isNamed}
              />
            </>
          )
        }
      </Read>
    </div>
  );
}

interface ChartsProps {
  readonly points: readonly FigurePoint[];
  readonly limit: number | null;
  /** Quota is charged for both environments together. */
  readonly hasQuota: boolean;
}

function Charts({ points, limit, hasQuota }: ChartsProps) {
  const at = points.map(({ at: end }) => end);
  const of = (name: string, count: Count): Series => ({
    name,
    values: points.map(({ figures }) => (figures === null ? null : figures[count])),
  });
  const hint = 'Gaps: no gateway ran.';
  const quota = of('Analyses charged since 00:00 UTC', 'quotaUsed');
  const most: Series[] = limit === null ? [] : [{ name: 'Limit of the day', values: at.map(() => limit) }];
  return (
    <div className="charts">
      <Chart title="Jobs that wait or run" at={at} hint={hint} series={[of('Jobs', 'queued')]} />
      <Chart
        title="Photos analysed"
        at={at}
        hint={hint}
        series={[of('With a report', 'analysed'), of('Failed', 'failed')]}
      />
      <Chart
        title="From photo and order to report"
        unit="s"
        at={at}
        hint="Counted in classes, and interpolated. Gaps: nothing ended."
        series={[of('Half within (p50)', 'p50S'), of('95 of 100 within (p95)', 'p95S')]}
      />
      <Chart
        title="HL7 messages"
        at={at}
        hint={hint}
        series={[of('In', 'messagesIn'), of('Refused', 'messagesRefused'), of('Made to be sent', 'messagesOut')]}
      />
      <Chart
        title="Deliveries of every exit"
        at={at}
        hint={hint}
        series={[
          of('Waiting', 'deliveriesWaiting'),
          of('Parked', 'deliveriesParked'),
          of('Failed attempts by HTTP', 'attemptsFailed'),
        ]}
      />
      {hasQuota ? <Chart title="Quota" at={at} hint={hint} series={[quota, ...most]} /> : null}
      <Chart title="Analyses by model" at={at} hint={hint} series={modelsOf(points)} />
    </div>
  );
}

/** The models that analysed most; the others as one. */
function modelsOf(points: readonly FigurePoint[]): Series[] {
  const sums = new Map<string, number>();
  for (const { figures } of points)
    for (const [name, count] of Object.entries(figures?.models ?? {})) sums.set(name, (sums.get(name) ?? 0) + count);
  const names = [...sums].sort((one, other) => other[1] - one[1]).map(([name]) => name);
  const shown = names.length <= MOST_MODELS ? names : names.slice(0, MOST_MODELS - 1);
  const count = (figures: Known | null, of: readonly string[]) =>
    figures === null ? null : of.reduce((sum, name) => sum + (figures.models[name] ?? 0), 0);
  const lines = shown.map((name) => ({ name, values: points.map(({ figures }) => count(figures, [name])) }));
  const rest = names.slice(shown.length);
  return [
    ...lines,
    ...(rest.length === 0 ? [] : [{ name: 'Others', values: points.map(({ figures }) => count(figures, rest)) }]),
    ...(names.length === 0 ? [{ name: 'Analyses', values: points.map(({ figures }) => count(figures, [])) }] : []),
  ];
}
