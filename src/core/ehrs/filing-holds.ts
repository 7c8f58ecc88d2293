/** Why a result is held until a person has done something, and what to do. A code is final once released. */
export const HOLDS = {
  ehr_patient_unnumbered:
    'The patient has no number of the EHR’s patientSystem. Give the number by the door that the patient comes by, then replay.',
  ehr_patient_unknown:
    'The EHR has no patient with this number. Have the patient admitted there or the number corrected, then replay.',
  ehr_patient_ambiguous:
    'The EHR does not answer exactly one patient with this number. Have its records joined, or patientSystem corrected, then replay.',
  ehr_patient_doubtful:
    'The EHR’s patient with this number has another birth date, or does not have the number now. Have the number or the birth date corrected, there or here, then replay.',
  ehr_patient_changed:
    'What was filed of the report stands in the chart of another patient of the EHR than the one who has the number now. Where both are one person, have their records joined there; else have it entered in error there. Then replay: the delivery goes to the patient who has the number.',
  ehr_encounter_unnumbered:
    'The visit of the photo has no number here. Send it with the photo or the order, or change encounterRule, then replay.',
  ehr_encounter_unknown:
    'The EHR has no such visit of this patient. Have it opened there, or change encounterRule, then replay.',
  ehr_encounter_ambiguous: 'Several visits of the patient fit. Change encounterRule to identifier, then replay.',
  ehr_author_unknown:
    'The EHR does not know exactly one Practitioner with the reviewer’s id. Have the id corrected, then replay.',
  ehr_outcome_unknown:
    'A request of this version or of one before may have been filed, and a search does not tell. Look in the patient’s chart. Nothing of it there: replay. This version there: discard the delivery. An earlier version there: have it entered in error, then replay.',
  ehr_duplicate: 'The EHR has the result more than once. Have all but one entered in error there, then replay.',
  ehr_changed_there:
    'Somebody changed the result in the EHR since it was filed, and is not overwritten. Correct it there, then discard.',
  ehr_removed_there: 'The EHR no longer has what is to be corrected. Decide there, then discard.',
  ehr_refused:
    'The EHR refused the result: the codes of its answer stand beside it. Correct what they name, then replay.',
  ehr_settings_changed:
    'It was made for another dialect of the registration. Discard it: the next version of the report is filed by the present one.',
  ehr_own_fault:
    'A fault of this service kept the result from being filed, or from being written down as filed; the log names it as "ehr.own_fault". Replay after an update that mends it: what may have been sent is looked for first.',
  ehr_superseded:
    'A later version of the report was filed, withdrawn or discarded before this one was: it is not filed after that. Have it entered in error in the patient’s chart should it stand there, then discard the delivery.',
  ehr_report_gone: 'The report is no longer here. Discard the delivery.',
} as const;
export type Hold = keyof typeof HOLDS;
