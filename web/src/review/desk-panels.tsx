import { useState, type ReactNode } from 'react';
import type { Answer } from '../shared/api.js';
import { Button, Checkbox } from '../shared/components/controls.js';
import { ComparePanel } from './compare-panel.js';
import { CourseCurve } from './course-curve.js';
import { CourseTable } from './course-table.js';
import type { ReadCourse } from './course-verdict.js';
import { DeskTabs, type DeskTab } from './desk-tabs.js';
import { FaultNotice } from './fault-notice.js';
import type { DeskPart } from './desk-part.js';
import { StatedForm } from './stated-form.js';
import { TissueLegend } from './tissue-legend.js';
import type { DeskCourse, Report } from './types.js';
import type { Desk } from './use-desk.js';
import { useFormFacts, type FormFacts } from './use-form-facts.js';
import type { ReadReport } from './use-report.js';
import { useWoundSteps } from './use-wound-steps.js';
import { VersionsPanel } from './versions-panel.js';
import { WoundPanel } from './wound-panel.js';

interface PanelsProps extends DeskPart {
  readonly answer: Answer<Report>;
  readonly desk: Desk;
  readonly read: ReadReport;
  readonly adopt: (answer: Answer<Report>) => void;
  readonly course: ReadCourse;
  readonly canDecide: boolean;
  /** Over the photo. */
  readonly tissue: { readonly isShown: boolean; readonly show: (isShown: boolean) => void };
  readonly say: (text: string) => void;
  readonly onRecorded: () => void;
  readonly show: (reportId: string) => void;
  /** Photos that are compared have the place of the photo, too. */
  readonly isWide: boolean;
  readonly widen: (isWide: boolean) => void;
}

/** Beside the photo: what a person states of the wound and what was done to it, its tissue, other photos, its course. */
export function DeskPanels(props: PanelsProps) {
  const { desk, words, widen } = props;
  const tabs = useTabs(props);
  // Where a draft brought something, it is on the screen.
  const [chosen, choose] = useState(desk.form.hasStated || desk.form.woundStep === null ? 'form' : 'wound');
  const shown = tabs.some(({ name }) => name === chosen) ? chosen : (tabs[0]?.name ?? '');
  if (tabs.length === 0) return null;
  return (
    // A row that is changed while a decision is sent would be in neither.
    <div className="desk-panel desk-panels" inert={desk.isDeciding}>
      <DeskTabs
        label={words.panels}
        shown={shown}
        show={(name) => {
          choose(name);
          widen(false);
        }}
        tabs={tabs}
      />
    </div>
  );
}

/** True where there is another photo beside the one on the screen. */
export function canCompare({ series }: DeskPart['session']): boolean {
  return series.length > 1;
}

function useTabs(props: PanelsProps): readonly DeskTab[] {
  const { answer, desk, course: read, canDecide, tissue: map, show, isWide, widen, ...part } = props;
  const { session, words, language } = part;
  const { report, form, isEditable } = desk;
  const { course: known } = read;
  const { tissue } = report.findings;
  const { facts, fault, readAnew } = useFormFacts(report, isEditable, language);
  const steps = useWoundSteps({ answer, desk, onStanding: readAnew, ...part });
  const unread = facts === null ? <Unread {...{ fault, readAnew, words }} /> : null;
  const asked = { facts: facts!, words, language };
  const tab = (name: string, title: string, content: ReactNode, mark: string | null = null) => ({
    name,
    title,
    content,
    mark,
  });
  const stated = unread ?? <StatedForm {...asked} {...{ report, form }} />;
  const wound = unread ?? (
    <WoundPanel
      {...asked}
      {...{ steps, canDecide }}
      isBusy={desk.isDeciding}
      shownAt={report.capturedAt}
      step={form.woundStep}
      change={(woundStep) => form.change({ woundStep })}
    />
  );
  const compared = <ComparePanel key={report.version} {...part} {...{ isWide, widen }} reportId={report.id} />;
  const course = (
    <>
      <CourseCurve told={known?.curve ?? null} {...{ words, language }} reportId={report.id} version={report.version} />
      <CourseTable {...part} {...{ show }} shown={report.id} />
    </>
  );
  return [
    ...(isEditable
      ? [
          tab('form', words.panelForm, stated, form.hasStated ? words.panelChanged : null),
          tab('wound', words.panelWound, wound, form.woundStep === null ? null : words.panelBegun),
        ]
      : []),
    ...(isEditable || known?.stated === null ? [] : [tab('stated', words.panelForm, <Stated {...{ read, words }} />)]),
    ...(tissue === null
      ? []
      : [tab('tissue', words.panelTissue, <TissuePanel {...{ tissue, words, language }} map={map} />)]),
    ...(canCompare(session) ? [{ ...tab('compare', words.compare, compared), isLazy: true }] : []),
    ...(session.of === 'wound' || session.of === 'patient'
      ? [{ ...tab('course', words.course, course), isLazy: true }]
      : []),
    { ...tab('report', words.panelReport, <VersionsPanel {...{ report, words, language }} />), isLazy: true },
  ];
}

/** What a person stated, where nothing is changed. That it is not read yet, or could not be, is not that nothing was stated. */
function Stated({ read: { course, fault, readAnew }, words }: { readonly read: ReadCourse } & Pick<DeskPart, 'words'>) {
  const stated = course?.stated ?? null;
  return stated === null ? <Unread {...{ fault, readAnew, words }} /> : <StatedList {...stated} />;
}

function StatedList({ facts, lines }: NonNullable<DeskCourse['stated']>) {
  return (
    <>
      <dl className="desk-figures">
        {facts.map(({ label, value }) => (
          <div key={label} className="desk-figure">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {lines.map((line, place) => (
        <p key={place}>{line}</p>
      ))}
    </>
  );
}

interface TissuePanelProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly tissue: NonNullable<Report['findings']['tissue']>;
  readonly map: PanelsProps['tissue'];
}

function TissuePanel({ map, ...part }: TissuePanelProps) {
  return (
    <>
      <Checkbox label={part.words.tissue} checked={map.isShown} onChange={map.show} />
      <TissueLegend {...part} />
    </>
  );
}

function Unread({ fault, readAnew, words }: Pick<FormFacts, 'fault' | 'readAnew'> & Pick<DeskPart, 'words'>) {
  if (fault === null) return <p role="status">{words.opening}</p>;
  return (
    <>
      <FaultNotice fault={fault} words={words} />
      <Button onPress={readAnew}>{words.tryAgain}</Button>
    </>
  );
}
