/** Better or worse: comparisons, their curve, and closed wounds. */
export const enFollowUp = {
  'change.since': 'Compared with',
  'change.previous': 'previous assessment',
  'change.comparable': 'last comparable assessment',
  'change.previousIsFirst': 'previous assessment, the first',
  'change.baseline': 'first assessment',
  'change.smallest': 'smallest area so far',
  'change.date': 'Photo taken',
  'change.areaThen': 'Area then',
  'change.days': 'Time between',
  'change.areaPct': 'Change of area',
  'change.areaCm2': 'Change of area in cm²',
  'change.rate': 'Rate',
  'change.margin': 'Advance of the margin inwards',
  'change.beyond': 'Minimal detectable change (95%)',
  'change.isBeyond': '{detectable}: exceeded',
  'change.isWithin': '{detectable}: not exceeded',
  'change.tooShort': 'too short to state',
  'change.none': '–',
  'change.first': 'First measured assessment of this wound: there is nothing to compare it with yet.',
  'change.firstSinceClosure':
    'First measured assessment since the wound was closed: there is nothing to compare it with yet.',
  'change.lastMeasured': 'Last measured assessment: {date}, {area}.',
  'trend.smaller': 'The wound is smaller than at the previous assessment, by more than the minimal detectable change.',
  'trend.larger': 'The wound is larger than at the previous assessment, by more than the minimal detectable change.',
  'trend.within_detectable_change':
    'The difference from the previous assessment is within the minimal detectable change: it may come from taking the photo anew.',
  'trend.notComparable': 'No trend is stated: this assessment and the previous one are not safely comparable.',
  'verdict.slope.smaller': 'The wound is getting smaller.',
  'verdict.slope.stalled': 'The wound had been getting smaller; for some weeks it has not.',
  'verdict.slope.grownAgain': 'The wound had been getting smaller; since the previous assessment it has grown.',
  'verdict.slope.larger': 'The wound is getting larger.',
  'verdict.slope.within_detectable_change': 'It is not certain whether the wound is getting smaller or larger.',
  'verdict.pair.smaller': 'The wound is smaller than at the previous assessment.',
  'verdict.pair.larger': 'The wound is larger than at the previous assessment.',
  'verdict.pair.within_detectable_change': 'No certain change since the previous assessment.',
  'verdict.basis.slope':
    'Over the last {count} comparable assessments, {span}, the area changed by {rate} a week (90% interval {lower} to {upper}).',
  'verdict.basis.beyond': 'The change is larger than the minimal detectable change of {detectable}.',
  'verdict.basis.within':
    'The difference is within the minimal detectable change of {detectable}: it may come from taking the photo anew.',
  'attention.waits':
    'This result waits for a clinician to accept, correct, reject or reassign it; until then the course goes on without it.',
  'closure.notReopened':
    'A clinician had closed this wound on {closed}, before this photo was taken, and nobody has reopened it: check whether it is open again.',
  'closure.reopened':
    'A clinician had closed this wound on {closed}; it was reopened on {reopened}. Changes are counted from the first assessment after the closure.',
  'area.reduced': 'The area has shrunk by {amount} {inDays}',
  'area.grown': 'The area has grown by {amount} {inDays}',
  'area.same': 'The area is unchanged {inDays}',
  'warning.other_scale_source': 'The scale of the two photos comes from different sources.',
  'warning.poor_quality': 'At least one of the two photos is of poor quality.',
  'warning.other_model_version': 'The two outlines were drawn by different models or model versions.',
  'trend.bySlope.smaller':
    'Over the last {count} comparable assessments, {span}, the area changed by {rate} a week (90% interval {lower} to {upper}): the wound is getting smaller.',
  'trend.bySlope.larger':
    'Over the last {count} comparable assessments, {span}, the area changed by {rate} a week (90% interval {lower} to {upper}): the wound is getting larger.',
  'trend.bySlope.within_detectable_change':
    'Over the last {count} comparable assessments, {span}, the area changed by {rate} a week (90% interval {lower} to {upper}): photos cannot tell whether the wound is getting smaller or larger.',
  'warning.doubtful_outline':
    'On at least one of the two photos the outline is likely to be wrong, and no clinician has accepted or corrected it.',
  'noTrend.awaiting_confirmation': 'No change is stated: this result waits until a clinician has looked at it.',
  'noTrend.superseded':
    'No change is stated: the same photo was analysed again, and that analysis stands in the series.',
  'noTrend.withdrawn': 'No change is stated: this result was withdrawn.',
  'noTrend.no_wound_outlined': 'No change is stated: no wound was outlined in this photo.',
  'noTrend.multiple_outlines':
    'No change is stated: several outlines compete, and nobody has said which belong to this wound.',
  'noTrend.no_scale': 'No change is stated: without a scale the area in cm² is not known.',
  'chart.axis': 'Area in cm²',
  'chart.alt':
    'Chart of the wound’s area over time, {count} assessments from {from} to {to}. The figures are in the annex.',
  'chart.sign.dot': 'area',
  'chart.sign.current': 'this assessment',
  'chart.sign.interval': '90% interval',
  'chart.sign.flag': 'had points to look at',
  'chart.sign.number': 'points to look at, by their numbers',
  'chart.sign.slope': 'course of the last assessments, with its 90% interval',
  'chart.sign.expected': 'expected: diabetic foot ulcers that heal have usually halved in 4 weeks',
  'chart.sign.moment': 'closed or reopened by a clinician',
  'chart.closed': 'closed {date}',
  'chart.reopened': 'reopened {date}',
  'chart.date': 'Photo taken',
  'chart.this': 'this assessment',
  'chart.latest': 'The {shown} latest of {count} measured assessments are listed; the course report has all.',
} as const;
