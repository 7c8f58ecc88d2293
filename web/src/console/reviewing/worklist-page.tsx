import type { ForReview, InCare } from '../shared/answers.js';
import type { Column } from '../shared/long-table.js';
import { Tag } from '../shared/tag.js';
import { moment } from '../shared/zone.js';
import { CONCERN_WORDS, verdictOf } from './concern-words.js';
import { ReviewingPage } from './reviewing-page.js';

const patient = {
  title: 'Patient',
  width: 'minmax(180px, 1.2fr)',
  cell: ({ patient: { name, birthDate, number } }: ForReview | InCare) =>
    [name ?? number ?? 'nobody named', birthDate === null ? null : `*${birthDate}`].filter(Boolean).join(' '),
};
const wound = {
  title: 'Wound',
  width: 'minmax(160px, 1fr)',
  cell: ({ wound: { woundId, laterality, bodySite } }: ForReview | InCare) =>
    [woundId, laterality, bodySite].filter(Boolean).join(' ') || 'not stated',
};
const verdict = {
  title: 'Course',
  width: '150px',
  cell: (row: ForReview | InCare) => {
    const [words, tone] = verdictOf(row.verdict);
    return <Tag tone={tone}>{words}</Tag>;
  },
};

const FOR_REVIEW: readonly Column<ForReview>[] = [
  patient,
  wound,
  verdict,
  {
    title: 'Why here',
    width: 'minmax(200px, 1.4fr)',
    cell: ({ concern, waitsFor }) =>
      waitsFor.length === 0 ? CONCERN_WORDS[concern] : `a person has to say: ${waitsFor.join(', ')}`,
  },
  { title: 'Waits since', width: '230px', cell: ({ since }) => moment(since) },
];

const IN_CARE: readonly Column<InCare>[] = [
  patient,
  wound,
  verdict,
  { title: 'Area', width: '110px', cell: ({ areaCm2 }) => (areaCm2 === null ? 'none measured' : `${areaCm2} cm²`) },
  {
    title: 'Area since',
    width: '110px',
    cell: ({ areaChangePct }) => (areaChangePct === null ? '–' : `${areaChangePct > 0 ? '+' : ''}${areaChangePct} %`),
  },
  { title: 'Last photo', width: '120px', cell: ({ daysSincePhoto }) => `${daysSincePhoto} days ago` },
  {
    title: 'For review',
    width: '100px',
    cell: ({ waiting }) => (waiting === 0 ? '–' : <Tag tone="warn">{waiting}</Tag>),
  },
];

/** Reports that wait for the reviewer, the gravest first. With `open=next` in its address the first one is opened at once. */
export function WorklistPage() {
  return (
    <ReviewingPage
      title="Worklist"
      hint="Reports that wait for a person’s decision, the gravest first, then those that wait longest."
      list="worklist"
      columns={FOR_REVIEW}
      keyOf={({ reportId }) => reportId}
      nothing={(environment) => `No report of the ${environment} environment waits for a decision here.`}
    />
  );
}

/** Open wounds, by their last photo. */
export function CaseloadPage() {
  return (
    <ReviewingPage
      title="Caseload"
      hint="Open wounds by what their last photo says, the gravest first, then those that were longest not photographed. A wound without a report is not here."
      list="caseload"
      columns={IN_CARE}
      keyOf={({ wound: { id } }) => id}
      nothing={(environment) => `No open wound of the ${environment} environment has a report.`}
    />
  );
}
