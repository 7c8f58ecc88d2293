/** What FHIR resources say in words beside their codes. */
export const enResources = {
  'resource.report': 'Wound image assessment',
  'resource.photo': 'Source photograph',
  'resource.previousPhoto': 'Previous photograph',
  'method.photo': 'Automated segmentation of a photograph',
  'method.calibrated': 'Automated segmentation of a calibrated photograph',
  'method.reviewerScale': 'Automated segmentation of a photograph whose scale a clinician set',
  'method.stated': 'Stated by a clinician',
  'method.outlined': 'Outlined by a clinician in a photograph',
  'note.colourRule': 'Necrosis is found by a colour rule and is not confirmed by a clinician.',
  'note.quality': 'Photo quality: {warnings}',
  'note.overlap': "Expected overlap (Dice) with an expert's outline: {value} ({lower} to {upper}).",
  'note.unreliable': 'The outline is more likely wrong than right: check it.',
  'note.detectable': 'Minimal detectable change: {percent}.',
  'note.notComparable': 'Not safely comparable: {reasons}',
} as const;
