import type { enCautions } from './en-cautions.js';

export const frCautions: Readonly<Record<keyof typeof enCautions, string>> = {
  'flag.area_reduction_below_50_at_4_weeks':
    '{happened} depuis la première évaluation\u00a0; les ulcères du pied diabétique qui cicatrisent ont en général diminué de moitié à quatre semaines.',
  'flag.area_reduction_below_90_at_8_weeks':
    '{happened} depuis la première évaluation\u00a0; parmi les ulcères du pied diabétique qui avaient diminué de moitié à quatre semaines, la plupart de ceux qui n’avaient pas diminué de 90\u00a0% à huit semaines n’étaient pas cicatrisés à douze.',
  'flag.area_reduction_below_40_at_4_weeks':
    '{happened} depuis la première évaluation\u00a0; dans une étude sur les ulcères veineux de jambe, une réduction de 40\u00a0% à la troisième semaine distinguait la plupart de ceux qui ont cicatrisé de la plupart des autres.',
  'flag.area_growth':
    'La surface a augmenté de {amount}{interval} {inDays} depuis {previous}\u00a0: plus que le changement minimal détectable.',
  'flag.necrosis_rising':
    'Part de nécrose {change} {inDays} depuis {previous}\u00a0; indiquée les deux fois par un soignant.',
  'flag.area_growth_since_baseline':
    'La surface a augmenté de {amount}{interval} {inDays} depuis la première évaluation.',
  'flag.area_growth_since_smallest':
    'La surface a augmenté de {amount}{interval} {inDays} depuis qu’elle a été la plus petite.',
  'flag.area_growth_by_slope': 'La surface a augmenté de {amount} par semaine{interval} sur les {days} écoulés.',
  'flag.stalled_14_days':
    'Aucune réduction visible sur les photographies depuis au moins deux semaines\u00a0: surface {change}{interval} {inDays}.',
  'flag.stalled_28_days':
    'Aucune réduction visible sur les photographies depuis au moins quatre semaines\u00a0: surface {change}{interval} {inDays}.',
  'flag.reopened': 'Une plaie est de nouveau visible, {days} après qu’un soignant l’a close.',
  'flag.infection_signs_recorded':
    'Un soignant a noté des signes d’infection\u00a0: {words}. Ce sont les mots du soignant, non une constatation du logiciel.',
  'flag.size_mismatch':
    'La taille mesurée au lit du patient et celle de la photographie diffèrent d’un facteur {factor}\u00a0: vérifiez l’échelle, le contour et de quelle plaie il s’agit.',
  'flag.interval': ' (intervalle à 90\u00a0%\u00a0: {range})',
  'advice.no_wound_outlined':
    'Regarder la plaie elle-même\u00a0: indiquer si elle est fermée, ou prendre une nouvelle photographie.',
  'advice.multiple_outlines': 'Indiquer lesquels des contours numérotés appartiennent à cette plaie.',
  'advice.no_scale': 'Prendre la prochaine photographie avec une carte de calibration ou une échelle indiquée.',
  'look.necrosis':
    'Le logiciel voit {to} du lit de la plaie comme nécrose, sans confirmation d’un clinicien\u00a0: à regarder.',
  'look.necrosisMore':
    'Le logiciel voit plus de nécrose que la dernière fois ({from} → {to}), sans confirmation d’un clinicien\u00a0: à regarder.',
  'flag.none': 'Aucun.',
  'flag.source': 'Source\u00a0: {source}',
  'flag.scopeKnown':
    'Les données publiées portent sur l’ulcère du pied diabétique\u00a0; cette plaie a été indiquée comme telle.',
  'flag.scopeUnknown':
    'Les données publiées portent sur l’ulcère du pied diabétique. Il n’a pas été indiqué si cette plaie en est un\u00a0: il revient au soignant de juger si elles s’appliquent ici.',
  'flag.scopeVenous':
    'Les données publiées portent sur l’ulcère veineux de jambe\u00a0; cette plaie a été indiquée comme telle.',
  'milestone.unstated':
    'Aucun repère publié n’est appliqué\u00a0: ceux qui sont connus ici portent sur l’ulcère du pied diabétique et l’ulcère veineux de jambe, et le type de cette plaie n’a pas été indiqué.',
  'milestone.other':
    'Aucun repère publié n’est appliqué\u00a0: ceux qui sont connus ici portent sur l’ulcère du pied diabétique et l’ulcère veineux de jambe, et cette plaie a été indiquée comme étant d’un autre type.',
  'milestone.child':
    'Aucun repère publié n’est appliqué\u00a0: ceux qui sont connus ici portent sur des adultes, et le patient avait moins de 18 ans.',
  'flag.notPrediction':
    'Mesures mises en regard de chiffres publiés sur d’autres patients\u00a0: ce n’est pas une prédiction pour ce patient.',
  'flag.withDate': '{date}\u00a0: {flag}',
  'evidence.sheehan-2003':
    'Sheehan et al. 2003, Diabetes Care 26:1879–1882\u00a0: 203 patients avec un ulcère du pied diabétique\u00a0; pour une réduction de la surface supérieure à la médiane à 4 semaines (53\u00a0%), 58\u00a0% étaient cicatrisés à 12 semaines\u00a0; en dessous, 9\u00a0%.',
  'evidence.coerper-2009':
    'Coerper et al. 2009, J Diabetes Complications 23:49–53\u00a0: 704 patients diabétiques, un seul centre\u00a0; une réduction de la surface de 50\u00a0% en 4 semaines était un indicateur de cicatrisation.',
  'evidence.warriner-2011':
    'Warriner et al. 2011, Int Wound J 8:632–637\u00a0: 120 ulcères du pied diabétique réduits d’au moins 50\u00a0% à 4 semaines\u00a0; une réduction inférieure à 90\u00a0% à 8 semaines avait une valeur prédictive négative de 82\u00a0% pour la cicatrisation à 12 semaines.',
  'evidence.phillips-2000':
    'Phillips et al. 2000, J Am Acad Dermatol 43:627–630\u00a0: 165 patients avec un ulcère veineux sous compression\u00a0; une réduction d’au moins 40\u00a0% à 3 semaines, ou son absence, prédisait correctement plus de 70\u00a0% des évolutions à 12 semaines. Le seuil est celui de cette étude.',
  'evidence.kantor-2000':
    'Kantor et Margolis 2000, Br J Dermatol 142:960–964\u00a0: 104 patients avec un ulcère veineux de jambe\u00a0; parmi les mesures des 4 premières semaines, la variation de la surface en pourcentage indiquait le mieux lesquels étaient cicatrisés à 24 semaines (valeurs prédictives de 68,2\u00a0% et 74,7\u00a0%).',
  'evidence.cardinal-2008':
    'Cardinal et al. 2008, Wound Repair Regen 16:19–22\u00a0: 306 ulcères veineux de jambe et 241 ulcères du pied diabétique\u00a0; ceux qui évoluaient mal à 4 semaines étaient très probablement non cicatrisés 8 semaines plus tard.',

  'quality.acceptable': 'La photographie est d’une qualité suffisante pour cette évaluation.',
  'quality.acceptableNoWound':
    'La photographie est nette et bien éclairée, mais aucune plaie ouverte n’y a été délimitée\u00a0: il revient à un soignant de voir si elle montre la plaie.',
  'quality.poor': 'Une autre photographie devrait être prise\u00a0: la qualité de celle-ci est mauvaise.',
  'quality.sharpness': 'Netteté (0 à 1)',
  'quality.exposure': 'Luminosité moyenne (L*, 0 à 100)',
  'quality.glareShare': 'Part de la photographie avec des reflets',
  'quality.blurred': 'La photographie est floue.',
  'quality.under_exposed': 'La photographie est trop sombre.',
  'quality.over_exposed': 'La photographie est trop claire.',
  'quality.glare': 'La lumière se reflète sur la plaie ou à proximité.',
  'quality.no_scale': 'La photographie n’a pas d’échelle.',
  'quality.touches_edge': 'Le contour touche le bord de la photographie\u00a0: la plaie peut se prolonger au-delà.',
  'quality.no_wound': 'Aucune plaie n’a été délimitée.',
  'quality.multiple_outlines': 'Plus d’une plaie a été délimitée.',
  'quality.low_resolution': 'La plaie ou la photographie compte trop peu de pixels.',
  'quality.unfamiliar': 'Le modèle connaît peu de photographies comme celle-ci\u00a0: vérifiez le contour.',
  'quality.oblique': 'La photographie a été prise trop en biais.',
  'quality.marker_refused': 'Une carte de calibration a été vue, mais n’a pas pu être utilisée.',
  'quality.scale_mismatch': 'L’échelle indiquée et la carte de calibration diffèrent de plus de 10\u00a0%.',
  'quality.scale_implausible':
    'D’après l’échelle de cette photo, la plaie serait plus grande qu’un corps ne le permet. L’échelle n’a pas été utilisée et rien n’est indiqué en centimètres.',
  'quality.uncertain': 'Le logiciel n’est pas sûr de ce qu’il a trouvé.',
  'quality.captured_at_from_photo':
    'La date de la photographie n’a pas été indiquée\u00a0: c’est celle de l’appareil, dont l’horloge peut être mal réglée.',
  'quality.camera_time_unused':
    'Personne n’a indiqué quand la photographie a été prise, et l’horloge de l’appareil donne une date impossible. La photographie compte au moment où son analyse a été demandée\u00a0: sa place dans l’évolution peut être fausse.',
  'quality.outline_unlikely':
    'Un contour a été tracé autour de presque toute la photographie, ou de plusieurs fois ce que le logiciel a délimité, sans être confirmé\u00a0: vérifiez-le avant d’utiliser ses mesures.',
  'quality.outline_doubtful':
    'Le modèle n’est pas sûr de ce contour, qui peut très bien être faux\u00a0: vérifiez-le avant d’utiliser ses mesures.',
  'quality.expectedDice': 'Concordance attendue avec le contour d’un expert (0 à 1)',
  'attention.site_mismatch':
    'Vérifiez le patient et la plaie\u00a0: le siège ou le côté indiqué n’est pas celui des photographies précédentes de cette plaie.',
  'attention.duplicate_photo':
    'La même photographie a déjà été classée, ou l’a été pour un autre patient ou une autre date\u00a0: vérifiez de qui elle est et quand elle a été prise.',
  'attention.which_outline':
    'La photographie montre plus d’une plaie, et il n’est pas certain de laquelle il s’agit\u00a0: choisissez le contour qui appartient à cette plaie.',
  'attention.no_wound_in_region':
    'Aucune plaie n’a été délimitée à l’endroit de la photographie que l’expéditeur a indiqué. Ce que la photographie montre ailleurs n’a pas été pris pour cette plaie.',
  'attention.area_jump':
    'À regarder tout de suite\u00a0: la surface a changé comme les plaies ne le font guère. Si elle est plus grande, la plaie s’étend peut-être vite\u00a0; ou la photographie montre une autre plaie, ou son échelle ou son contour est faux.',
  'attention.area_implausible':
    'Vérifiez l’échelle et le contour\u00a0: une plaie de cette surface serait plus grande que la face antérieure d’une jambe.',
  'attention.area_implausible_child':
    'Vérifiez l’échelle et le contour\u00a0: à cet âge, une plaie de cette surface serait plus grande que la face antérieure d’une jambe.',
  'attention.sandbox':
    'L’expéditeur a demandé dans l’environnement de test un résultat en attente\u00a0: la photo n’en donne aucune raison.',
  'attention.before_birth':
    'Vérifiez de qui est la photographie et quand elle a été prise\u00a0: d’après les dossiers, le patient n’était pas encore né.',
  'caution.child':
    'Le patient avait moins de 18 ans sur cette photographie, et les modèles n’ont pas été testés chez l’enfant\u00a0: vérifiez le contour, les tissus et les chiffres avant de les utiliser.',
  'caution.newborn':
    'Le patient était un nouveau-né sur cette photographie, et les modèles n’ont pas été testés chez le nouveau-né\u00a0: ils peuvent prendre une électrode, un pansement ou un membre pour une plaie. Vérifiez le contour, les tissus et les chiffres avant de les utiliser.',
  'quality.open_wounds_only':
    'Le logiciel ne cherche que les plaies ouvertes. Les lésions sous peau intacte (escarre de stade 1, suspicion de lésion des tissus profonds) ne sont ni recherchées ni exclues.',
  'limit.interval':
    'Les intervalles à 90\u00a0% contiennent ce qu’un expert mesurerait dans environ neuf cas sur dix, si la plaie a été correctement trouvée. Ils ne couvrent pas une plaie passée inaperçue.',
  'limit.plane':
    'La peau est considérée comme plane. La profondeur, les décollements et les tunnels ne sont pas mesurés.',
  'limit.statedScale':
    'L’échelle a été indiquée, sans carte\u00a0: une photographie prise de biais mesure trop petit, à 45° jusqu’à 30\u00a0% de moins. Les bornes supérieures en tiennent compte.',
  'limit.length':
    'La longueur et la largeur sont les plus grandes distances du contour, et non de la tête aux pieds et d’un côté à l’autre.',
  'limit.tissue':
    'La répartition des tissus varie avec la couleur de la lumière et a été apprise sur des pieds\u00a0: ailleurs, elle peut être fausse. Elle n’a pas d’intervalle.',
  'limit.child': 'Les modèles n’ont pas été testés chez l’enfant.',
  'limit.tumour':
    'Le logiciel ne connaît pas les tumeurs\u00a0: l’une d’elles peut ressembler à du tissu de granulation.',
  'limit.necrosis':
    'De la nécrose, la règle de couleur ne trouve que le tissu noir et peut le confondre avec une ombre\u00a0; la nécrose brune, jaune ou grise n’est pas trouvée.',
};
