import type { enFollowUp } from './en-follow-up.js';

export const esFollowUp: Readonly<Record<keyof typeof enFollowUp, string>> = {
  'change.since': 'En comparación con',
  'change.previous': 'valoración anterior',
  'change.comparable': 'última valoración comparable',
  'change.measured': 'última valoración medida',
  'change.previousIsFirst': 'valoración anterior, la primera',
  'change.baseline': 'primera valoración',
  'change.smallest': 'menor área hasta ahora',
  'change.date': 'Fotografía tomada',
  'change.areaThen': 'Área entonces',
  'change.days': 'Tiempo transcurrido',
  'change.areaPct': 'Cambio del área',
  'change.areaCm2': 'Cambio del área en cm²',
  'change.rate': 'Ritmo',
  'change.margin': 'Avance del borde hacia dentro',
  'change.beyond': 'Cambio mínimo detectable (95\u00a0%)',
  'change.isBeyond': '{detectable}: superado',
  'change.isWithin': '{detectable}: no superado',
  'change.tooShort': 'intervalo demasiado corto',
  'change.none': '–',
  'change.first': 'Primera valoración medida de esta herida: todavía no hay con qué compararla.',
  'change.firstSinceClosure':
    'Primera valoración medida desde que se cerró la herida: todavía no hay con qué compararla.',
  'change.lastMeasured': 'Última valoración medida: {date}, {area}.',
  'place.previous': 'la valoración anterior',
  'place.comparable': 'la última valoración comparable',
  'place.measured': 'la última valoración medida',
  'trend.notComparable': 'No se indica tendencia: esta valoración no es comparable con seguridad con {previous}.',
  'verdict.slope.smaller': 'La herida se está reduciendo.',
  'verdict.slope.stalled': 'La herida se estaba reduciendo; desde hace unas semanas ya no.',
  'verdict.slope.grownAgain': 'La herida se estaba reduciendo; desde {previous} ha crecido.',
  'verdict.slope.larger': 'La herida está creciendo.',
  'verdict.slope.within_detectable_change': 'No es seguro si la herida se está reduciendo o está creciendo.',
  'verdict.pair.smaller': 'La herida es más pequeña que en {previous}.',
  'verdict.pair.larger': 'La herida es más grande que en {previous}.',
  'verdict.pair.within_detectable_change': 'Sin cambio seguro desde {previous}.',
  'verdict.basis.slope':
    'En las últimas {count} valoraciones comparables, {span}, el área cambió un {rate} por semana (intervalo del 90\u00a0%: {lower} a {upper}).',
  'verdict.basis.beyond': 'El cambio supera el cambio mínimo detectable de {detectable}.',
  'verdict.basis.within':
    'La diferencia no supera el cambio mínimo detectable de {detectable}: puede deberse solo a la nueva fotografía.',
  'attention.waits':
    'Este resultado espera a que un profesional sanitario lo acepte, corrija, rechace o reasigne; hasta entonces no cuenta en la evolución.',
  'closure.notReopened':
    'Un profesional sanitario había cerrado esta herida el {closed}, antes de tomarse esta fotografía, y nadie la ha reabierto: compruebe si está abierta de nuevo.',
  'closure.reopened':
    'Un profesional sanitario había cerrado esta herida el {closed}; se reabrió el {reopened}. Los cambios se cuentan desde la primera valoración tras el cierre.',
  'area.reduced': 'El área se ha reducido un {amount} {inDays}',
  'area.grown': 'El área ha crecido un {amount} {inDays}',
  'area.same': 'El área no ha cambiado {inDays}',
  'warning.other_scale_source': 'La escala de las dos fotografías procede de fuentes distintas.',
  'warning.poor_quality': 'Al menos una de las dos fotografías es de mala calidad.',
  'warning.other_model_version': 'Los dos contornos fueron trazados por modelos o versiones de modelo distintos.',
  'warning.doubtful_outline':
    'En al menos una de las dos fotografías el contorno es probablemente erróneo y ningún profesional sanitario lo ha aceptado ni corregido.',
  'noTrend.awaiting_confirmation':
    'No se indica cambio: este resultado espera a que lo revise un profesional sanitario.',
  'noTrend.superseded': 'No se indica cambio: en la serie figura otro análisis de la misma fotografía.',
  'noTrend.withdrawn': 'No se indica cambio: este resultado fue retirado.',
  'noTrend.no_wound_outlined': 'No se indica cambio: no se delimitó ninguna herida en esta fotografía.',
  'noTrend.multiple_outlines':
    'No se indica cambio: hay varios contornos posibles y nadie ha indicado cuáles pertenecen a esta herida.',
  'noTrend.no_scale': 'No se indica cambio: sin escala no se conoce el área en cm².',
  'chart.axis': 'Área en cm²',
  'chart.alt':
    'Gráfico de la evolución del área de la herida, {count} valoraciones del {from} al {to}. Las cifras están en el anexo.',
  'chart.sign.dot': 'área',
  'chart.sign.current': 'esta valoración',
  'chart.sign.interval': 'intervalo del 90\u00a0%',
  'chart.sign.flag': 'tenía aspectos que requieren atención',
  'chart.sign.number': 'aspectos que requieren atención, con su número',
  'chart.sign.slope': 'evolución de las últimas valoraciones, con su intervalo del 90\u00a0%',
  'chart.sign.expected':
    'esperado: las úlceras de pie diabético que cicatrizan suelen reducirse a la mitad en 4 semanas',
  'chart.sign.moment': 'cerrada o reabierta por un profesional sanitario',
  'chart.closed': 'cerrada el {date}',
  'chart.reopened': 'reabierta el {date}',
  'chart.date': 'Fotografía tomada',
  'chart.this': 'esta valoración',
  'chart.latest':
    'Se muestran las {shown} últimas de {count} valoraciones medidas; el informe de evolución las contiene todas.',
};
