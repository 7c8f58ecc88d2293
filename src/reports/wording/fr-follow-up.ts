import type { enFollowUp } from './en-follow-up.js';

export const frFollowUp: Readonly<Record<keyof typeof enFollowUp, string>> = {
  'change.since': 'Par rapport à',
  'change.previous': 'évaluation précédente',
  'change.comparable': 'dernière évaluation comparable',
  'change.measured': 'dernière évaluation mesurée',
  'change.previousIsFirst': 'évaluation précédente, la première',
  'change.baseline': 'première évaluation',
  'change.smallest': 'plus petite surface jusqu’ici',
  'change.date': 'Photographie prise',
  'change.areaThen': 'Surface d’alors',
  'change.days': 'Temps écoulé',
  'change.areaPct': 'Variation de la surface',
  'change.areaCm2': 'Variation de la surface en cm²',
  'change.rate': 'Rythme',
  'change.margin': 'Progression du bord vers l’intérieur',
  'change.beyond': 'Changement minimal détectable (95\u00a0%)',
  'change.isBeyond': '{detectable}\u00a0: dépassé',
  'change.isWithin': '{detectable}\u00a0: non dépassé',
  'change.isNotJudged': '{detectable}\u00a0: non jugé, faute de comparaison sûre',
  'change.notSafe': 'Ces deux surfaces ne sont pas comparables de façon sûre.',
  'change.tooShort': 'intervalle trop court',
  'change.none': '–',
  'change.first': 'Première évaluation mesurée de cette plaie\u00a0: il n’y a encore rien à quoi la comparer.',
  'change.firstSinceClosure':
    'Première évaluation mesurée depuis la clôture de la plaie\u00a0: il n’y a encore rien à quoi la comparer.',
  'change.lastMeasured': 'Dernière évaluation mesurée\u00a0: {date}, {area}.',
  'change.lastDoubtful':
    'Cette surface n’est pas fiable\u00a0: sa photographie est de mauvaise qualité, ou son contour est probablement faux.',
  'place.previous': 'l’évaluation précédente',
  'place.comparable': 'la dernière évaluation comparable',
  'place.measured': 'la dernière évaluation mesurée',
  'trend.notComparable':
    'Aucune tendance n’est indiquée\u00a0: cette évaluation n’est pas comparable de façon sûre avec {previous}.',
  'verdict.slope.smaller': 'La surface diminue.',
  'verdict.slope.stalled': 'La plaie diminuait\u00a0; depuis quelques semaines, elle ne diminue plus.',
  'verdict.slope.grownAgain': 'La plaie diminuait\u00a0; depuis {previous}, elle s’est agrandie.',
  'verdict.slope.larger': 'La surface augmente.',
  'verdict.slope.within_detectable_change': 'On ne peut pas dire avec certitude si la plaie diminue ou s’agrandit.',
  'verdict.smallest.larger': 'La plaie s’est agrandie depuis que sa surface était la plus petite.',
  'verdict.pair.smaller': 'La plaie est plus petite qu’à {previous}.',
  'verdict.pair.larger': 'La plaie est plus grande qu’à {previous}.',
  'verdict.pair.within_detectable_change': 'Pas de changement certain depuis {previous}.',
  'verdict.basis.slope':
    'Sur les {count} dernières évaluations comparables, {span}, la surface a varié de {rate} par semaine (intervalle à 90\u00a0%\u00a0: {lower} à {upper}).',
  'verdict.basis.beyond': 'Le changement dépasse le changement minimal détectable de {detectable}.',
  'verdict.basis.within':
    'L’écart reste dans les limites du changement minimal détectable de {detectable}\u00a0: il peut venir de la seule nouvelle photographie.',
  'attention.waits':
    'Ce résultat attend qu’un soignant l’accepte, le corrige, le rejette ou l’attribue autrement\u00a0; d’ici là, l’évolution ne le compte pas.',
  'closure.notReopened':
    'Un soignant avait clos cette plaie le {closed}, avant la prise de cette photographie, et personne ne l’a rouverte\u00a0: vérifier si elle est de nouveau ouverte.',
  'closure.reopened':
    'Un soignant avait clos cette plaie le {closed}\u00a0; elle a été rouverte le {reopened}. Les changements sont comptés à partir de la première évaluation après la clôture.',
  'area.reduced': 'La surface a diminué de {amount} {inDays}',
  'area.grown': 'La surface a augmenté de {amount} {inDays}',
  'area.same': 'La surface est restée la même {inDays}',
  'warning.other_scale_source': 'L’échelle des deux photographies provient de sources différentes.',
  'warning.poor_quality': 'Au moins une des deux photographies est de mauvaise qualité.',
  'warning.other_model_version':
    'Les deux contours ont été tracés par des modèles ou des versions de modèle différents.',
  'warning.doubtful_outline':
    'Sur au moins une des deux photographies, le contour est probablement inexact et aucun soignant ne l’a accepté ni corrigé.',
  'warning.treated_between': 'Entre les deux photos se situe un traitement qui change la surface par lui-même.',
  'noTrend.day_unknown':
    'Aucun changement n’est indiqué\u00a0: le jour où cette photographie a été prise n’est pas connu.',
  'noTrend.awaiting_confirmation':
    'Aucun changement n’est indiqué\u00a0: ce résultat attend d’être vérifié par un soignant.',
  'noTrend.superseded':
    'Aucun changement n’est indiqué\u00a0: c’est une autre analyse de la même photographie qui figure dans la série.',
  'noTrend.withdrawn': 'Aucun changement n’est indiqué\u00a0: ce résultat a été retiré.',
  'noTrend.no_wound_outlined':
    'Aucun changement n’est indiqué\u00a0: aucune plaie n’a été délimitée sur cette photographie.',
  'noTrend.multiple_outlines':
    'Aucun changement n’est indiqué\u00a0: plusieurs contours sont possibles et personne n’a indiqué lesquels appartiennent à cette plaie.',
  'noTrend.no_scale': 'Aucun changement n’est indiqué\u00a0: sans échelle, la surface en cm² n’est pas connue.',
  'chart.axis': 'Surface en cm²',
  'chart.alt':
    'Graphique de l’évolution de la surface de la plaie, {count} évaluations du {from} au {to}. Les valeurs figurent dans l’annexe.',
  'chart.sign.dot': 'surface',
  'chart.sign.current': 'cette évaluation',
  'chart.sign.interval': 'intervalle à 90\u00a0%',
  'chart.sign.flag': 'points à examiner signalés',
  'chart.sign.number': 'points à examiner, avec leur numéro',
  'chart.sign.slope': 'évolution des dernières évaluations, avec son intervalle à 90\u00a0%',
  'chart.sign.expected':
    'attendu\u00a0: les ulcères du pied diabétique qui cicatrisent ont en général diminué de moitié en 4 semaines',
  'chart.sign.moment': 'close, rouverte, réunie ou divisée selon un soignant',
  'chart.sign.event': 'événement enregistré',
  'chart.sign.segment': 'nouvelle valeur de départ\u00a0: la courbe recommence',
  'chart.sign.sum': 'plusieurs plaies ensemble, ou la plaie dont celle-ci faisait partie',
  'chart.sum': 'ensemble\u00a0: {parts}',
  'chart.whole': 'plaie dont celle-ci faisait partie',
  'chart.joined': 'réunies le {date}',
  'chart.split': 'divisée le {date}',
  'course.fromSum': '{date}\u00a0: comparée à {area} (ensemble\u00a0: {parts}).',
  'chart.closed': 'close le {date}',
  'chart.reopened': 'rouverte le {date}',
  'chart.date': 'Photographie prise',
  'chart.this': 'cette évaluation',
  'chart.doubtful': '(photo ou contour douteux)',
  'chart.latest':
    'Les {shown} dernières des {count} évaluations mesurées sont listées\u00a0; le compte rendu d’évolution les contient toutes.',
};
