import type { enCautions } from './en-cautions.js';

export const deCautions: Readonly<Record<keyof typeof enCautions, string>> = {
  'flag.area_reduction_below_50_at_4_weeks':
    '{happened} (seit dem ersten Befund); diabetische Fußulzera, die heilen, sind nach vier Wochen meist halb so groß.',
  'flag.area_reduction_below_90_at_8_weeks':
    '{happened} (seit dem ersten Befund); von diabetischen Fußulzera, die nach vier Wochen halb so groß waren, war die Mehrzahl derer, die nach acht Wochen nicht um 90\u00a0% kleiner waren, nach zwölf Wochen nicht verheilt.',
  'flag.area_reduction_below_40_at_4_weeks':
    '{happened} (seit dem ersten Befund); in einer Studie zu venösen Beinulzera trennten 40\u00a0% bis zur dritten Woche die meisten, die heilten, von den meisten anderen.',
  'flag.area_growth':
    'Die Fläche ist {inDays} seit dem {previous} um {amount}{interval} gewachsen: um mehr als die kleinste nachweisbare Änderung.',
  'flag.necrosis_rising':
    'Nekroseanteil {change} {inDays} seit dem {previous}; beide Male von einer Fachkraft angegeben.',
  'flag.area_growth_since_baseline': 'Die Fläche ist {inDays} seit dem ersten Befund um {amount}{interval} gewachsen.',
  'flag.area_growth_since_smallest':
    'Die Fläche ist {inDays}, seit sie am kleinsten war, um {amount}{interval} gewachsen.',
  'flag.area_growth_by_slope': 'Die Fläche wuchs über die letzten {days} um {amount} pro Woche{interval}.',
  'flag.stalled_14_days':
    'Seit mindestens zwei Wochen keine Verkleinerung, die Fotos erkennen lassen: Fläche {change}{interval} {inDays}.',
  'flag.stalled_28_days':
    'Seit mindestens vier Wochen keine Verkleinerung, die Fotos erkennen lassen: Fläche {change}{interval} {inDays}.',
  'flag.reopened': 'Es ist wieder eine Wunde zu sehen, {days} nachdem eine Fachkraft sie abgeschlossen hatte.',
  'flag.infection_signs_recorded':
    'Eine Fachkraft hat Infektionszeichen festgehalten: {words}. Das sind Worte der Fachkraft, keine Feststellung der Software.',
  'flag.size_mismatch':
    'Die von Hand gemessene Größe und die des Fotos unterscheiden sich um den Faktor {factor}: Maßstab, Umriss und Zuordnung der Wunde prüfen.',
  'flag.interval': ' (90-%-Intervall {range})',
  'advice.no_wound_outlined':
    'Die Wunde selbst ansehen: angeben, ob sie verschlossen ist, oder ein neues Foto aufnehmen.',
  'advice.multiple_outlines': 'Bitte angeben, welche der nummerierten Umrisse zu dieser Wunde gehören.',
  'advice.no_scale': 'Das nächste Foto mit Kalibrierkarte oder angegebenem Maßstab aufnehmen.',
  'look.necrosis': 'Die Software sieht {to} des Wundgrunds als Nekrose, von keiner Fachkraft bestätigt: bitte ansehen.',
  'look.necrosisMore':
    'Die Software sieht mehr Nekrose als beim letzten Mal ({from} → {to}), von keiner Fachkraft bestätigt: bitte ansehen.',
  'flag.none': 'Keine.',
  'flag.source': 'Quelle: {source}',
  'flag.scopeKnown': 'Die Quellen betreffen das diabetische Fußulkus; als solches wurde diese Wunde angegeben.',
  'flag.scopeUnknown':
    'Die Quellen betreffen das diabetische Fußulkus. Ob diese Wunde eines ist, wurde nicht angegeben: Ob sie hier gelten, ist klinisch zu beurteilen.',
  'flag.scopeVenous': 'Die Quellen betreffen das venöse Beinulkus; als solches wurde diese Wunde angegeben.',
  'milestone.unstated':
    'Kein veröffentlichter Richtwert angewendet: Die hier bekannten betreffen das diabetische Fußulkus und das venöse Beinulkus, und die Art dieser Wunde wurde nicht angegeben.',
  'milestone.other':
    'Kein veröffentlichter Richtwert angewendet: Die hier bekannten betreffen das diabetische Fußulkus und das venöse Beinulkus; diese Wunde wurde als eine andere angegeben.',
  'milestone.child':
    'Kein veröffentlichter Richtwert angewendet: Die hier bekannten betreffen Erwachsene, und der Patient war unter 18 Jahre alt.',
  'flag.notPrediction':
    'Messwerte neben veröffentlichten Zahlen anderer Patienten: keine Vorhersage für diesen Patienten.',
  'flag.withDate': '{date}: {flag}',
  'evidence.sheehan-2003':
    'Sheehan et al. 2003, Diabetes Care 26:1879–1882: 203 Patienten mit diabetischem Fußulkus; bei einer Flächenabnahme über dem Median nach 4 Wochen (53\u00a0%) waren nach 12 Wochen 58\u00a0% verheilt, darunter 9\u00a0%.',
  'evidence.coerper-2009':
    'Coerper et al. 2009, J Diabetes Complications 23:49–53: 704 Patienten mit Diabetes, ein Zentrum; eine Flächenabnahme von 50\u00a0% innerhalb von 4 Wochen war ein Anzeichen für die Heilung.',
  'evidence.warriner-2011':
    'Warriner et al. 2011, Int Wound J 8:632–637: 120 diabetische Fußulzera, die nach 4 Wochen um mindestens 50\u00a0% kleiner waren; eine Abnahme unter 90\u00a0% nach 8 Wochen hatte für die Heilung nach 12 Wochen einen negativen Vorhersagewert von 82\u00a0%.',
  'evidence.phillips-2000':
    'Phillips et al. 2000, J Am Acad Dermatol 43:627–630: 165 Patienten mit venösem Ulkus unter Kompression; ob ein Ulkus nach 3 Wochen um mindestens 40\u00a0% kleiner war, sagte mehr als 70\u00a0% der Verläufe bis zur 12. Woche richtig voraus. Der Grenzwert stammt aus dieser Studie.',
  'evidence.kantor-2000':
    'Kantor und Margolis 2000, Br J Dermatol 142:960–964: 104 Patienten mit venösem Beinulkus; von den Maßen der ersten 4 Wochen zeigte die prozentuale Flächenänderung am besten, wer nach 24 Wochen verheilt war (Vorhersagewerte 68,2\u00a0% und 74,7\u00a0%).',
  'evidence.cardinal-2008':
    'Cardinal et al. 2008, Wound Repair Regen 16:19–22: 306 venöse Beinulzera und 241 diabetische Fußulzera; wer nach 4 Wochen kaum vorangekommen war, war 8 Wochen später sehr wahrscheinlich nicht verheilt.',

  'quality.acceptable': 'Das Foto ist für diesen Befund gut genug.',
  'quality.acceptableNoWound':
    'Das Foto ist scharf und ausreichend belichtet; eine offene Wunde wurde darin nicht umrissen: ob es die Wunde zeigt, muss eine Fachkraft beurteilen.',
  'quality.poor': 'Es sollte ein neues Foto gemacht werden: Die Qualität dieses Fotos ist schlecht.',
  'quality.sharpness': 'Schärfe (0 bis 1)',
  'quality.exposure': 'Mittlere Helligkeit (L*, 0 bis 100)',
  'quality.glareShare': 'Anteil des Fotos mit Spiegelung',
  'quality.blurred': 'Das Foto ist unscharf.',
  'quality.under_exposed': 'Das Foto ist zu dunkel.',
  'quality.over_exposed': 'Das Foto ist zu hell.',
  'quality.glare': 'Licht spiegelt sich auf der Wunde oder in ihrer Nähe.',
  'quality.no_scale': 'Das Foto hat keinen Maßstab.',
  'quality.touches_edge': 'Der Umriss berührt den Rand des Fotos: Die Wunde kann außerhalb weitergehen.',
  'quality.no_wound': 'Es wurde keine Wunde umrandet.',
  'quality.multiple_outlines': 'Es wurde mehr als eine Wunde umrandet.',
  'quality.low_resolution': 'Die Wunde oder das Foto hat zu wenige Pixel.',
  'quality.unfamiliar': 'Das Modell kennt nur wenige Fotos wie dieses: Bitte den Umriss prüfen.',
  'quality.oblique': 'Das Foto wurde zu schräg aufgenommen.',
  'quality.marker_refused': 'Eine Kalibrierkarte wurde gesehen, konnte aber nicht verwendet werden.',
  'quality.scale_mismatch':
    'Der angegebene Maßstab und die Kalibrierkarte weichen um mehr als 10\u00a0% voneinander ab.',
  'quality.scale_implausible':
    'Nach dem Maßstab dieses Fotos wäre die Wunde größer, als an einem Körper möglich ist. Der Maßstab wurde nicht verwendet; nichts ist in Zentimetern angegeben.',
  'quality.uncertain': 'Die Software ist sich ihres Ergebnisses nicht sicher.',
  'quality.captured_at_from_photo':
    'Wann das Foto aufgenommen wurde, war nicht angegeben: Der Zeitpunkt stammt von der Kamera, deren Uhr falsch gehen kann.',
  'quality.camera_time_unused':
    'Niemand hat angegeben, wann das Foto aufgenommen wurde, und die Uhr der Kamera nennt eine unmögliche Zeit. Das Foto zählt zum Zeitpunkt, zu dem die Auswertung angefordert wurde: Sein Platz im Verlauf kann falsch sein.',
  'quality.outline_unlikely':
    'Jemand hat fast das ganze Foto umrandet, oder ein Vielfaches dessen, was die Software umrandet hat, und dies nicht bestätigt: Bitte vor dem Verwenden der Messwerte prüfen.',
  'quality.outline_doubtful':
    'Das Modell ist sich bei diesem Umriss nicht sicher; er kann durchaus falsch sein: Bitte vor dem Verwenden der Messwerte prüfen.',
  'quality.expectedDice': 'Erwartete Übereinstimmung mit dem Umriss einer Fachkraft (0 bis 1)',
  'attention.site_mismatch':
    'Bitte Patient und Wunde prüfen: Die angegebene Stelle oder Körperseite passt nicht zu den früheren Fotos dieser Wunde.',
  'attention.duplicate_photo':
    'Dasselbe Foto wurde schon einmal abgelegt, oder für einen anderen Patienten oder Zeitpunkt: Bitte prüfen, wessen Foto es ist und wann es aufgenommen wurde.',
  'attention.which_outline':
    'Das Foto zeigt mehr als eine Wunde, und es steht nicht fest, welche davon gemeint ist: Bitte den Umriss wählen, der zu dieser Wunde gehört.',
  'attention.no_wound_in_region':
    'An der Stelle im Foto, die der Absender genannt hat, wurde keine Wunde umrandet. Was das Foto an anderer Stelle zeigt, wurde nicht für diese Wunde genommen.',
  'attention.area_jump':
    'Bitte sofort ansehen: Die Fläche hat sich verändert, wie es bei Wunden kaum vorkommt. Ist sie größer, breitet sich die Wunde womöglich schnell aus; oder das Foto zeigt eine andere Wunde, oder Maßstab oder Umriss sind falsch.',
  'attention.area_implausible':
    'Bitte Maßstab und Umriss prüfen: Eine Wunde dieser Fläche wäre größer als die Vorderseite eines Beins.',
  'attention.area_implausible_child':
    'Bitte Maßstab und Umriss prüfen: Eine Wunde dieser Fläche wäre größer als die Vorderseite eines Beins in diesem Alter.',
  'attention.sandbox':
    'Der Absender hat in der Testumgebung ein Ergebnis bestellt, das wartet: Am Foto liegt es nicht.',
  'attention.before_birth':
    'Bitte prüfen, von wem das Foto ist und wann es aufgenommen wurde: Nach den Stammdaten war der Patient noch nicht geboren.',
  'caution.child':
    'Der Patient war bei der Aufnahme unter 18 Jahre alt, und die Modelle wurden nicht an Kindern und Jugendlichen geprüft: Bitte Umriss, Gewebe und Werte prüfen, bevor sie verwendet werden.',
  'caution.newborn':
    'Der Patient war bei der Aufnahme ein Neugeborenes, und die Modelle wurden nicht an Neugeborenen geprüft: Sie können eine Elektrode, einen Verband oder einen Arm für eine Wunde halten. Bitte Umriss, Gewebe und Werte prüfen, bevor sie verwendet werden.',
  'quality.open_wounds_only':
    'Die Software sucht nur nach offenen Wunden. Schäden unter intakter Haut (Dekubitus Kategorie 1, vermutete tiefe Gewebeschädigung) werden nicht gesucht und sind nicht ausgeschlossen.',
  'limit.interval':
    'Die 90-%-Intervalle enthalten in etwa neun von zehn Fällen, was Fachleute messen würden, sofern die Wunde richtig gefunden wurde. Eine übersehene Wunde decken sie nicht ab.',
  'limit.plane': 'Die Haut gilt als eben. Tiefe, Unterminierungen und Tunnel werden nicht gemessen.',
  'limit.statedScale':
    'Der Maßstab wurde angegeben, ohne Karte: Ein schräg aufgenommenes Foto misst zu klein, bei 45° um bis zu 30\u00a0%. Die Obergrenzen berücksichtigen das.',
  'limit.length': 'Länge und Breite sind die größten Ausdehnungen des Umrisses, nicht kopf-fußwärts und seitlich.',
  'limit.tissue':
    'Gewebeanteile ändern sich mit der Farbe des Lichts und wurden an Füßen gelernt: an anderen Stellen können sie falsch sein. Sie haben kein Intervall.',
  'limit.child': 'Die Modelle wurden nicht an Kindern und Jugendlichen geprüft.',
  'limit.tumour': 'Die Software kennt keine Tumoren: Ein Tumor kann wie Granulationsgewebe aussehen.',
  'limit.necrosis':
    'Von Nekrosen findet die Farbregel nur schwarzes Gewebe und kann einen Schatten dafür halten; braune, gelbe und graue Nekrosen findet sie nicht.',
};
