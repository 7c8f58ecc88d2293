/** Flags with their sources, and the limits of the figures. */
export const enCautions = {
  'flag.area_reduction_below_50_at_4_weeks':
    '{happened} since the first assessment; diabetic foot ulcers that heal have usually halved by four weeks.',
  'flag.area_reduction_below_90_at_8_weeks':
    '{happened} since the first assessment; of diabetic foot ulcers that had halved by four weeks, most that had not shrunk by 90% at eight weeks were not healed at twelve.',
  'flag.area_reduction_below_40_at_4_weeks':
    '{happened} since the first assessment; in a study of venous leg ulcers, 40% by the third week told most of those that healed from most that did not.',
  'flag.area_growth':
    'The area has grown by {amount}{interval} {inDays} since {previous}: by more than the minimal detectable change.',
  'flag.necrosis_rising':
    'Share of necrosis {change} {inDays} since {previous}; a clinician stated the share both times.',
  'flag.area_growth_since_baseline': 'The area has grown by {amount}{interval} {inDays} since the first assessment.',
  'flag.area_growth_since_smallest': 'The area has grown by {amount}{interval} {inDays} since it was smallest.',
  'flag.area_growth_by_slope': 'The area has grown by {amount} a week{interval} over the last {days}.',
  'flag.stalled_14_days': 'No reduction that photos can tell for two weeks or more: area {change}{interval} {inDays}.',
  'flag.stalled_28_days': 'No reduction that photos can tell for four weeks or more: area {change}{interval} {inDays}.',
  'flag.reopened': 'A wound is seen again, {days} after a clinician had closed it.',
  'flag.infection_signs_recorded':
    'A clinician recorded signs of infection: {words}. These are the clinician’s words, not findings of the software.',
  'flag.size_mismatch':
    'The size measured at the bedside and that of the photo differ by a factor of {factor}: check the scale, the outline, and whose wound it is.',
  'flag.interval': ' (90% interval {range})',
  'advice.no_wound_outlined': 'Look at the wound itself: say whether it has closed, or take another photo.',
  'advice.multiple_outlines': 'Say which of the numbered outlines belong to this wound.',
  'advice.no_scale': 'Take the next photo with a calibration card or a stated scale.',
  'look.necrosis': 'The software sees {to} of the wound bed as necrosis, which no clinician has confirmed: look at it.',
  'look.necrosisMore':
    'The software sees more necrosis than last time ({from} → {to}), which no clinician has confirmed: look at it.',
  'flag.none': 'None.',
  'flag.source': 'Source: {source}',
  'flag.scopeKnown': 'The evidence is about diabetic foot ulcers, which this wound was stated to be.',
  'flag.scopeUnknown':
    'The evidence is about diabetic foot ulcers. Whether this wound is one was not stated: whether the evidence holds here is for the clinician to judge.',
  'flag.scopeVenous': 'The evidence is about venous leg ulcers, which this wound was stated to be.',
  'milestone.unstated':
    'No published milestone is applied: those known here are of diabetic foot ulcers and venous leg ulcers, and the kind of this wound was not stated.',
  'milestone.other':
    'No published milestone is applied: those known here are of diabetic foot ulcers and venous leg ulcers, and this wound was stated to be of another kind.',
  'milestone.child': 'No published milestone is applied: those known here are of adults, and the patient was under 18.',
  'flag.notPrediction': 'Measurements beside published figures of other patients: not a prediction for this one.',
  'flag.withDate': '{date}: {flag}',
  'evidence.sheehan-2003':
    'Sheehan et al. 2003, Diabetes Care 26:1879–1882: 203 patients with diabetic foot ulcers; with an area reduction above the median at 4 weeks (53%), 58% had healed at 12 weeks; below it, 9%.',
  'evidence.coerper-2009':
    'Coerper et al. 2009, J Diabetes Complications 23:49–53: 704 diabetic patients, single centre; an area reduction of 50% within 4 weeks was an indicator of healing.',
  'evidence.warriner-2011':
    'Warriner et al. 2011, Int Wound J 8:632–637: 120 diabetic foot ulcers that had shrunk by at least 50% at 4 weeks; a reduction below 90% at 8 weeks had a negative predictive value of 82% for healing at 12 weeks.',
  'evidence.phillips-2000':
    'Phillips et al. 2000, J Am Acad Dermatol 43:627–630: 165 patients with venous ulcers under compression; whether an ulcer had shrunk by at least 40% at 3 weeks told more than 70% of the outcomes at 12 weeks correctly. The threshold is of this study.',
  'evidence.kantor-2000':
    'Kantor and Margolis 2000, Br J Dermatol 142:960–964: 104 patients with venous leg ulcers; of the measures of the first 4 weeks, the percentage change of area told best which had healed at 24 weeks (predictive values 68.2% and 74.7%).',
  'evidence.cardinal-2008':
    'Cardinal et al. 2008, Wound Repair Regen 16:19–22: 306 venous leg ulcers and 241 diabetic foot ulcers; those with poor progress at 4 weeks were highly likely not to have healed 8 weeks later.',

  'quality.acceptable': 'The photo is good enough for this assessment.',
  'quality.acceptableNoWound':
    'The photo is sharp and well lit, but no open wound was outlined in it: whether it shows the wound is for a clinician to see.',
  'quality.poor': 'Another photo should be taken: the quality of this one is poor.',
  'quality.sharpness': 'Sharpness (0 to 1)',
  'quality.exposure': 'Mean lightness (L*, 0 to 100)',
  'quality.glareShare': 'Share of the photo with glare',
  'quality.blurred': 'The photo is blurred.',
  'quality.under_exposed': 'The photo is too dark.',
  'quality.over_exposed': 'The photo is too bright.',
  'quality.glare': 'Light is reflected on the wound or near it.',
  'quality.no_scale': 'The photo has no scale.',
  'quality.touches_edge': 'The outline touches the edge of the photo: the wound may go on outside.',
  'quality.no_wound': 'No wound was outlined.',
  'quality.multiple_outlines': 'More than one wound was outlined.',
  'quality.low_resolution': 'The wound or the photo has too few pixels.',
  'quality.unfamiliar': 'The model knows few photos like this one: check the outline.',
  'quality.oblique': 'The photo was taken at too oblique an angle.',
  'quality.marker_refused': 'A calibration card was seen but could not be used.',
  'quality.scale_mismatch': 'The stated scale and the calibration card differ by more than 10%.',
  'quality.scale_implausible':
    'By this photo’s scale the wound would be larger than a body allows. The scale was not used, and nothing is given in centimetres.',
  'quality.uncertain': 'The software is not sure of what it found.',
  'quality.captured_at_from_photo':
    'Nobody stated when the photo was taken: the time is that of the camera, and its clock may be wrong.',
  'quality.camera_time_unused':
    'Nobody stated when the photo was taken, and the camera’s clock says a time that cannot be. The photo counts as of when its analysis was asked for: its place in the course may be wrong.',
  'quality.outline_unlikely':
    'A person drew an outline around nearly the whole photo, or around many times what the software outlined, and has not confirmed it: check it before using its figures.',
  'quality.outline_doubtful':
    'The model is unsure of this outline, which may well be wrong: check it before using its figures.',
  'quality.expectedDice': 'Expected overlap with an expert’s outline (0 to 1)',
  'attention.site_mismatch':
    'Check patient and wound: the stated site or side is not that of this wound’s earlier photos.',
  'attention.duplicate_photo':
    'The same photo has been filed before, or for another patient or time: check whose photo it is and when it was taken.',
  'attention.which_outline':
    'The photo shows more than one wound, and it is not certain which of them this is: choose the outline that belongs to this wound.',
  'attention.no_wound_in_region':
    'No wound was outlined at the place in the photo that the sender named. What the photo shows elsewhere was not taken for this wound.',
  'attention.area_jump':
    'Look now: the area has changed as wounds hardly do. If it is larger, the wound may be spreading fast; or the photo is of another wound, or its scale or outline is wrong.',
  'attention.area_implausible':
    'Check scale and outline: a wound of this area would be larger than the front of a leg.',
  'attention.area_implausible_child':
    'Check scale and outline: a wound of this area would be larger than the front of a leg at this patient’s age.',
  'attention.sandbox':
    'The sender asked for a result that waits, to try it in the test environment: no reason lies in the photo.',
  'attention.before_birth':
    'Check whose photo it is and when it was taken: by the records, the patient was not born yet.',
  'caution.child':
    'The patient was under 18 when the photo was taken, and the models were not tested on children: check outline, tissue and figures before using them.',
  'caution.newborn':
    'The patient was a newborn when the photo was taken, and the models were not tested on newborns: they may take an electrode, a dressing or a limb for a wound. Check outline, tissue and figures before using them.',
  'quality.open_wounds_only':
    'The software looks for open wounds only. Injury under intact skin (a stage 1 pressure injury, a suspected deep tissue injury) is not looked for and not excluded.',
  'limit.interval':
    'The 90% intervals hold what an expert would measure in about nine of ten cases, if the wound was rightly found. They do not cover a wound that was missed.',
  'limit.plane': 'The skin is taken as flat. Depth, undermining and tunnelling are not measured.',
  'limit.statedScale':
    'The scale was stated, without a card: a photo taken at an angle measures too small, at 45° by up to 30%. The upper bounds allow for that.',
  'limit.length': 'Length and width are the greatest distances in the outline, not head to toe and side to side.',
  'limit.tissue':
    'Shares of tissue change with the colour of the light and were learnt on feet: elsewhere they may be wrong. They have no interval.',
  'limit.child': 'The models were not tested on children.',
  'limit.tumour': 'The software knows no tumours: one may look like granulation tissue.',
  'limit.necrosis':
    'Of necrosis, the colour rule finds only black tissue, and may take a shadow for it; brown, yellow and grey necrosis is not found.',
} as const;
