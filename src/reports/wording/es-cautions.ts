import type { enCautions } from './en-cautions.js';

export const esCautions: Readonly<Record<keyof typeof enCautions, string>> = {
  'flag.area_reduction_below_50_at_4_weeks':
    '{happened} desde la primera valoración; las úlceras de pie diabético que cicatrizan suelen haberse reducido a la mitad a las cuatro semanas.',
  'flag.area_reduction_below_90_at_8_weeks':
    '{happened} desde la primera valoración; de las úlceras de pie diabético que se habían reducido a la mitad a las cuatro semanas, la mayoría de las que no se habían reducido un 90\u00a0% a las ocho semanas no habían cicatrizado a las doce.',
  'flag.area_reduction_below_40_at_4_weeks':
    '{happened} desde la primera valoración; en un estudio de úlceras venosas de la pierna, un 40\u00a0% antes de acabar la tercera semana distinguía a la mayoría de las que cicatrizaron de la mayoría de las demás.',
  'flag.area_growth':
    'El área ha crecido un {amount}{interval} {inDays} desde {previous}: más que el cambio mínimo detectable.',
  'flag.necrosis_rising':
    'Proporción de necrosis {change} {inDays} desde {previous}; indicada ambas veces por un profesional sanitario.',
  'flag.area_growth_since_baseline': 'El área ha crecido un {amount}{interval} {inDays} desde la primera valoración.',
  'flag.area_growth_since_smallest': 'El área ha crecido un {amount}{interval} {inDays} desde que fue más pequeña.',
  'flag.area_growth_by_slope': 'El área ha crecido un {amount} por semana{interval} en los últimos {days}.',
  'flag.stalled_14_days':
    'Ninguna reducción que las fotografías puedan mostrar desde hace al menos dos semanas: área {change}{interval} {inDays}.',
  'flag.stalled_28_days':
    'Ninguna reducción que las fotografías puedan mostrar desde hace al menos cuatro semanas: área {change}{interval} {inDays}.',
  'flag.reopened': 'Se ve de nuevo una herida, {days} después de que un profesional sanitario la cerrara.',
  'flag.infection_signs_recorded':
    'Un profesional sanitario anotó signos de infección: {words}. Son palabras del profesional, no hallazgos del software.',
  'flag.size_mismatch':
    'El tamaño medido a pie de cama y el de la fotografía difieren en un factor de {factor}: compruebe la escala, el contorno y de quién es la herida.',
  'flag.interval': ' (intervalo del 90\u00a0%: {range})',
  'advice.no_wound_outlined': 'Observe la propia herida: indique si se ha cerrado o tome otra fotografía.',
  'advice.multiple_outlines': 'Indique cuáles de los contornos numerados pertenecen a esta herida.',
  'advice.no_scale': 'Tome la próxima fotografía con una tarjeta de calibración o una escala indicada.',
  'look.necrosis':
    'El software ve como necrosis el {to} del lecho de la herida, sin que un profesional lo haya confirmado: obsérvelo.',
  'look.necrosisMore':
    'El software ve más necrosis que la última vez ({from} → {to}), sin que un profesional la haya confirmado: obsérvela.',
  'flag.none': 'Ninguno.',
  'flag.source': 'Fuente: {source}',
  'flag.scopeKnown': 'La evidencia se refiere a úlceras de pie diabético; así se indicó el tipo de esta herida.',
  'flag.scopeUnknown':
    'La evidencia se refiere a úlceras de pie diabético. No se indicó si esta herida lo es: corresponde al profesional sanitario juzgar si la evidencia es aplicable.',
  'flag.scopeVenous': 'La evidencia se refiere a úlceras venosas de la pierna; así se indicó el tipo de esta herida.',
  'milestone.unstated':
    'No se aplica ningún umbral publicado: los conocidos aquí se refieren a úlceras de pie diabético y úlceras venosas de la pierna, y no se indicó el tipo de esta herida.',
  'milestone.other':
    'No se aplica ningún umbral publicado: los conocidos aquí se refieren a úlceras de pie diabético y úlceras venosas de la pierna, y esta herida se indicó como de otro tipo.',
  'milestone.child':
    'No se aplica ningún umbral publicado: los conocidos aquí se refieren a adultos, y el paciente tenía menos de 18 años.',
  'flag.notPrediction':
    'Mediciones junto a cifras publicadas de otros pacientes: no es una predicción para este paciente.',
  'flag.withDate': '{date}: {flag}',
  'evidence.sheehan-2003':
    'Sheehan et al. 2003, Diabetes Care 26:1879–1882: 203 pacientes con úlcera de pie diabético; con una reducción del área superior a la mediana a las 4 semanas (53\u00a0%), el 58\u00a0% había cicatrizado a las 12 semanas; por debajo de ella, el 9\u00a0%.',
  'evidence.coerper-2009':
    'Coerper et al. 2009, J Diabetes Complications 23:49–53: 704 pacientes diabéticos, un solo centro; una reducción del área del 50\u00a0% en 4 semanas fue un indicador de cicatrización.',
  'evidence.warriner-2011':
    'Warriner et al. 2011, Int Wound J 8:632–637: 120 úlceras de pie diabético que se habían reducido al menos un 50\u00a0% a las 4 semanas; una reducción inferior al 90\u00a0% a las 8 semanas tuvo un valor predictivo negativo del 82\u00a0% para la cicatrización a las 12 semanas.',
  'evidence.phillips-2000':
    'Phillips et al. 2000, J Am Acad Dermatol 43:627–630: 165 pacientes con úlcera venosa y compresión; que la úlcera se hubiera reducido al menos un 40\u00a0% a las 3 semanas predijo correctamente más del 70\u00a0% de los resultados a las 12 semanas. El umbral es de este estudio.',
  'evidence.kantor-2000':
    'Kantor y Margolis 2000, Br J Dermatol 142:960–964: 104 pacientes con úlcera venosa de la pierna; de las medidas de las primeras 4 semanas, el cambio porcentual del área fue la que mejor indicó cuáles habían cicatrizado a las 24 semanas (valores predictivos del 68,2\u00a0% y el 74,7\u00a0%).',
  'evidence.cardinal-2008':
    'Cardinal et al. 2008, Wound Repair Regen 16:19–22: 306 úlceras venosas de la pierna y 241 úlceras de pie diabético; las que evolucionaban mal a las 4 semanas tenían una alta probabilidad de no haber cicatrizado 8 semanas después.',

  'quality.acceptable': 'La fotografía es suficientemente buena para esta valoración.',
  'quality.acceptableNoWound':
    'La fotografía es nítida y está bien iluminada, pero no se delimitó en ella ninguna herida abierta: corresponde a un profesional sanitario ver si muestra la herida.',
  'quality.poor': 'Conviene tomar otra fotografía: la calidad de esta es mala.',
  'quality.sharpness': 'Nitidez (0 a 1)',
  'quality.exposure': 'Luminosidad media (L*, 0 a 100)',
  'quality.glareShare': 'Parte de la fotografía con reflejos',
  'quality.blurred': 'La fotografía está borrosa.',
  'quality.under_exposed': 'La fotografía es demasiado oscura.',
  'quality.over_exposed': 'La fotografía es demasiado clara.',
  'quality.glare': 'Hay reflejos de luz sobre la herida o cerca de ella.',
  'quality.no_scale': 'La fotografía no tiene escala.',
  'quality.touches_edge': 'El contorno toca el borde de la fotografía: la herida puede continuar fuera.',
  'quality.no_wound': 'No se delimitó ninguna herida.',
  'quality.multiple_outlines': 'Se delimitó más de una herida.',
  'quality.low_resolution': 'La herida o la fotografía tiene muy pocos píxeles.',
  'quality.unfamiliar': 'El modelo conoce pocas fotografías como esta: compruebe el contorno.',
  'quality.oblique': 'La fotografía se tomó con un ángulo demasiado oblicuo.',
  'quality.marker_refused': 'Se vio una tarjeta de calibración, pero no se pudo utilizar.',
  'quality.scale_mismatch': 'La escala indicada y la tarjeta de calibración difieren en más del 10\u00a0%.',
  'quality.scale_implausible':
    'Según la escala de esta foto, la herida sería mayor de lo que un cuerpo permite. La escala no se utilizó y no se indica nada en centímetros.',
  'quality.uncertain': 'El software no está seguro de lo que ha encontrado.',
  'quality.captured_at_from_photo':
    'No se indicó cuándo se tomó la fotografía: la hora es la de la cámara, cuyo reloj puede estar mal ajustado.',
  'quality.camera_time_unused':
    'Nadie indicó cuándo se tomó la fotografía, y el reloj de la cámara indica una hora imposible. La fotografía cuenta a partir del momento en que se solicitó su análisis: su lugar en la evolución puede ser erróneo.',
  'quality.outline_unlikely':
    'Alguien trazó un contorno alrededor de casi toda la fotografía, o de muchas veces lo que delimitó el software, y no lo ha confirmado: compruébelo antes de usar sus medidas.',
  'quality.outline_doubtful':
    'El modelo no está seguro de este contorno, que bien puede ser erróneo: compruébelo antes de usar sus medidas.',
  'quality.expectedDice': 'Coincidencia esperada con el contorno de un experto (0 a 1)',
  'attention.site_mismatch':
    'Compruebe el paciente y la herida: la localización o el lado indicados no son los de las fotografías anteriores de esta herida.',
  'attention.duplicate_photo':
    'La misma fotografía ya se había archivado, o se archivó para otro paciente u otro momento: compruebe de quién es y cuándo se tomó.',
  'attention.which_outline':
    'La fotografía muestra más de una herida y no es seguro cuál de ellas es esta: elija el contorno que corresponde a esta herida.',
  'attention.no_wound_in_region':
    'No se delimitó ninguna herida en el lugar de la fotografía que indicó el remitente. Lo que la fotografía muestra en otros lugares no se tomó por esta herida.',
  'attention.area_jump':
    'Mírela ahora: el área ha cambiado como apenas cambian las heridas. Si es mayor, puede que la herida se extienda con rapidez; o la fotografía es de otra herida, o su escala o su contorno son erróneos.',
  'attention.area_implausible':
    'Compruebe la escala y el contorno: una herida de esta área sería mayor que la cara anterior de una pierna.',
  'attention.area_implausible_child':
    'Compruebe la escala y el contorno: a esta edad, una herida de esta área sería mayor que la cara anterior de una pierna.',
  'attention.sandbox':
    'El remitente pidió en el entorno de pruebas un resultado que espera: la foto no da ningún motivo.',
  'attention.before_birth':
    'Compruebe de quién es la fotografía y cuándo se tomó: según los registros, el paciente aún no había nacido.',
  'caution.child':
    'El paciente tenía menos de 18 años cuando se tomó la fotografía, y los modelos no se probaron en niños: compruebe el contorno, los tejidos y las cifras antes de utilizarlos.',
  'caution.newborn':
    'El paciente era un recién nacido cuando se tomó la fotografía, y los modelos no se probaron en recién nacidos: pueden tomar por herida un electrodo, un apósito o una extremidad. Compruebe el contorno, los tejidos y las cifras antes de utilizarlos.',
  'quality.open_wounds_only':
    'El software busca solo heridas abiertas. Las lesiones bajo piel íntegra (lesión por presión de categoría 1, sospecha de lesión de tejidos profundos) no se buscan ni quedan descartadas.',
  'limit.interval':
    'Los intervalos del 90\u00a0% contienen lo que mediría un experto en unos nueve de cada diez casos, si la herida se encontró correctamente. No abarcan una herida que pasó inadvertida.',
  'limit.plane': 'La piel se considera plana. No se miden la profundidad, los socavamientos ni las tunelizaciones.',
  'limit.statedScale':
    'La escala fue indicada, sin tarjeta: una fotografía tomada en ángulo mide de menos, a 45° hasta un 30\u00a0%. Los límites superiores lo tienen en cuenta.',
  'limit.length':
    'La longitud y la anchura son las mayores distancias del contorno, no de cabeza a pies ni de lado a lado.',
  'limit.tissue':
    'Las proporciones de tejido cambian con el color de la luz y se aprendieron en pies: en otros sitios pueden ser falsas; no tienen intervalo.',
  'limit.child': 'Los modelos no se probaron en niños.',
  'limit.tumour': 'El software no conoce tumores: uno puede parecer tejido de granulación.',
  'limit.necrosis':
    'De la necrosis, la regla de color solo encuentra tejido negro y puede confundirlo con una sombra; no encuentra necrosis marrón, amarilla ni gris.',
};
