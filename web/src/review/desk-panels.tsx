import { useState } from 'react';
import type { Answer } from '../shared/api.js';
import { Button } from '../shared/components/controls.js';
import { DeskTabs } from './desk-tabs.js';
import { FaultNotice } from './fault-notice.js';
import { Figures } from './figures.js';
import type { DeskPart } from './report-panel.js';
import { StatedForm } from './stated-form.js';
import { TissueLegend } from './tissue-legend.js';
import type { Report } from './types.js';
import type { Desk } from './use-desk.js';
import { useFormFacts, type FormFacts } from './use-form-facts.js';
import type { ReadReport } from './use-report.js';
import { useWoundSteps } from './use-wound-steps.js';
import { WoundPanel } from './wound-panel.js';

interface PanelsProps extends DeskPart {
  readonly answer: Answer<Report>;
  readonly desk: Desk;
  readonly read: ReadReport;
  readonly adopt: (answer: Answer<Report>) => void;
  readonly canDecide: boolean;
  readonly say: (text: string) => void;
  readonly onRecorded: () => void;
}

/** Beside the photo: its figures, what a person states of the wound, and what was done to it. */
export function DeskPanels(props: PanelsProps) {
  const { answer, desk, canDecide, words, language, ...parts } = props;
  const { report, form, work, isEditable } = desk;
  const { tissue } = report.findings;
  // Where a draft brought something, it is on the screen.
  const [shown, show] = useState(form.hasStated ? 'form' : form.woundStep === null ? 'figures' : 'wound');
  // What was stated before is looked at, and read, by who opens the form.
  const [isLookedAt, lookAt] = useState(shown !== 'figures');
  const { facts, fault, readAnew } = useFormFacts(report, isEditable && isLookedAt, language);
  const steps = useWoundSteps({ answer, desk, words, onStanding: readAnew, ...parts });
  const figures = (
    <>
      <Figures {...{ report, work, words, language }} />
      {tissue === null ? null : <TissueLegend {...{ tissue, words, language }} />}
    </>
  );
  if (!isEditable) return figures;
  const unread = facts === null ? <Unread {...{ fault, readAnew, words }} /> : null;
  const known = { facts: facts!, words, language };
  return (
    // A row that is changed while a decision is sent would be in neither.
    <div inert={desk.isDeciding}>
      <DeskTabs
        label={words.panels}
        shown={shown}
        show={(name) => {
          show(name);
          if (name !== 'figures') lookAt(true);
        }}
        tabs={[
          { name: 'figures', title: words.panelFigures, mark: null, content: figures },
          {
            name: 'form',
            title: words.panelForm,
            mark: form.hasStated ? words.panelChanged : null,
            content: unread ?? <StatedForm {...known} {...{ report, form }} />,
          },
          {
            name: 'wound',
            title: words.panelWound,
            mark: form.woundStep === null ? null : words.panelBegun,
            content: unread ?? (
              <WoundPanel
                {...known}
                {...{ steps, canDecide }}
                isBusy={desk.isDeciding}
                shownAt={report.capturedAt}
                step={form.woundStep}
                change={(woundStep) => form.change({ woundStep })}
              />
            ),
          },
        ]}
      />
    </div>
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
