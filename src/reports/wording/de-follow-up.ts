import type { enFollowUp } from './en-follow-up.js';

export const deFollowUp: Readonly<Record<keyof typeof enFollowUp, string>> = {
  'change.since': 'Verglichen mit',
  'change.previous': 'vorigem Befund',
  'change.comparable': 'letztem vergleichbaren Befund',
  'change.measured': 'letztem Befund mit Messwert',
  'change.previousIsFirst': 'vorigem Befund, dem ersten',
  'change.baseline': 'erstem Befund',
  'change.smallest': 'kleinster bisheriger Fläche',
  'change.date': 'Foto aufgenommen',
  'change.areaThen': 'Damalige Fläche',
  'change.days': 'Zeitabstand',
  'change.areaPct': 'Flächenänderung',
  'change.areaCm2': 'Flächenänderung in cm²',
  'change.rate': 'Änderungsrate',
  'change.margin': 'Vorrücken des Wundrands nach innen',
  'change.beyond': 'Kleinste nachweisbare Änderung (95\u00a0%)',
  'change.isBeyond': '{detectable}: überschritten',
  'change.isWithin': '{detectable}: nicht überschritten',
  'change.tooShort': 'Zeitabstand zu kurz',
  'change.none': '–',
  'change.first': 'Erster Befund dieser Wunde mit Messwert: Es gibt noch nichts zum Vergleichen.',
  'change.firstSinceClosure':
    'Erster Befund mit Messwert, seit die Wunde als verschlossen eingetragen wurde: Es gibt noch nichts zum Vergleichen.',
  'change.lastMeasured': 'Letzter Befund mit Messwert: {date}, {area}.',
  'place.previous': 'vorigen Befund',
  'place.comparable': 'letzten vergleichbaren Befund',
  'place.measured': 'letzten Befund mit Messwert',
  'trend.notComparable': 'Kein Trend angegeben: Dieser Befund ist mit dem {previous} nicht sicher vergleichbar.',
  'verdict.slope.smaller': 'Die Wunde wird kleiner.',
  'verdict.slope.stalled': 'Die Wunde wurde kleiner; seit einigen Wochen nicht mehr.',
  'verdict.slope.grownAgain': 'Die Wunde wurde kleiner; seit dem {previous} ist sie gewachsen.',
  'verdict.slope.larger': 'Die Wunde wird größer.',
  'verdict.slope.within_detectable_change': 'Ob die Wunde kleiner oder größer wird, ist nicht sicher.',
  'verdict.pair.smaller': 'Die Wunde ist kleiner als beim {previous}.',
  'verdict.pair.larger': 'Die Wunde ist größer als beim {previous}.',
  'verdict.pair.within_detectable_change': 'Keine sichere Änderung seit dem {previous}.',
  'verdict.basis.slope':
    'Über die letzten {count} vergleichbaren Befunde, {span}, änderte sich die Fläche um {rate} pro Woche (90-%-Intervall {lower} bis {upper}).',
  'verdict.basis.beyond': 'Die Änderung ist größer als die kleinste nachweisbare Änderung von {detectable}.',
  'verdict.basis.within':
    'Der Unterschied liegt unter der kleinsten nachweisbaren Änderung von {detectable}: Er kann allein vom neuen Foto kommen.',
  'attention.waits':
    'Dieser Befund wartet darauf, dass eine Fachkraft ihn annimmt, korrigiert, ablehnt oder anders zuordnet; bis dahin zählt er nicht im Verlauf.',
  'closure.notReopened':
    'Eine Fachkraft hatte diese Wunde am {closed} als verschlossen eingetragen, bevor dieses Foto entstand, und niemand hat sie wieder eröffnet: Bitte prüfen, ob sie wieder offen ist.',
  'closure.reopened':
    'Eine Fachkraft hatte diese Wunde am {closed} als verschlossen eingetragen; am {reopened} wurde sie wieder eröffnet. Änderungen zählen ab dem ersten Befund nach dem Verschluss.',
  'area.reduced': 'Die Fläche ist {inDays} um {amount} kleiner geworden',
  'area.grown': 'Die Fläche ist {inDays} um {amount} gewachsen',
  'area.same': 'Die Fläche ist {inDays} unverändert geblieben',
  'warning.other_scale_source': 'Der Maßstab der beiden Fotos stammt aus verschiedenen Quellen.',
  'warning.poor_quality': 'Mindestens eines der beiden Fotos ist von schlechter Qualität.',
  'warning.other_model_version': 'Die beiden Umrisse stammen von verschiedenen Modellen oder Modellversionen.',
  'warning.doubtful_outline':
    'Auf mindestens einem der beiden Fotos ist der Umriss wahrscheinlich falsch, und keine Fachkraft hat ihn bestätigt oder korrigiert.',
  'noTrend.awaiting_confirmation':
    'Keine Änderung angegeben: Dieser Befund wartet darauf, dass eine Fachkraft ihn ansieht.',
  'noTrend.superseded':
    'Keine Änderung angegeben: Dasselbe Foto wurde erneut ausgewertet, und jene Auswertung steht im Verlauf.',
  'noTrend.withdrawn': 'Keine Änderung angegeben: Dieses Ergebnis wurde zurückgezogen.',
  'noTrend.no_wound_outlined': 'Keine Änderung angegeben: In diesem Foto wurde keine Wunde umrandet.',
  'noTrend.multiple_outlines':
    'Keine Änderung angegeben: Mehrere Umrisse kommen infrage, und niemand hat angegeben, welche zu dieser Wunde gehören.',
  'noTrend.no_scale': 'Keine Änderung angegeben: Ohne Maßstab ist die Fläche in cm² nicht bekannt.',
  'chart.axis': 'Fläche in cm²',
  'chart.alt':
    'Diagramm der Wundfläche im Verlauf, {count} Befunde vom {from} bis zum {to}. Die Werte stehen im Anhang.',
  'chart.sign.dot': 'Fläche',
  'chart.sign.current': 'dieser Befund',
  'chart.sign.interval': '90-%-Intervall',
  'chart.sign.flag': 'hatte Hinweise',
  'chart.sign.number': 'Hinweise mit ihren Nummern',
  'chart.sign.slope': 'Verlauf der letzten Befunde mit 90-%-Intervall',
  'chart.sign.expected': 'zu erwarten: Diabetische Fußulzera, die heilen, sind nach 4 Wochen meist halb so groß',
  'chart.sign.moment': 'von einer Fachkraft verschlossen oder wieder eröffnet',
  'chart.closed': 'verschlossen {date}',
  'chart.reopened': 'wieder eröffnet {date}',
  'chart.date': 'Foto aufgenommen',
  'chart.this': 'dieser Befund',
  'chart.latest':
    'Aufgeführt sind die letzten {shown} von {count} Befunden mit Messwert; alle stehen im Wundverlaufsbericht.',
};
