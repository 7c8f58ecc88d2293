const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** HTML 4.0, chapters 7 to 11 (without 9.4, insertions and deletions) and 15, with a, img and image maps; deprecated elements are not among them (R4 txt-1). */
export const ELEMENTS = words(`
  div span h1 h2 h3 h4 h5 h6 address bdo
  em strong dfn code samp kbd var cite abbr acronym blockquote q sub sup p br pre
  ul ol li dl dt dd
  table caption thead tfoot tbody colgroup col tr th td
  tt i b big small hr
  a img map area`);

/** Attributes of these elements; none for events. */
export const ATTRIBUTES = words(`
  id class style title lang xml:lang dir xml:space accesskey tabindex
  cite abbr axis headers scope rowspan colspan span width height align valign char charoff nowrap
  border frame rules cellspacing cellpadding summary
  name href hreflang rel rev charset type shape coords nohref
  src alt longdesc usemap ismap xmlns`);

/** Attributes whose value is an address. */
export const ADDRESSES = words('href src cite longdesc usemap');
/** Schemes that an address may begin with; one without a scheme is relative. */
export const SCHEMES = words('http https mailto tel urn');

/** Named characters of HTML 4.0, chapter 24; any other has to be declared, and nothing is declared here. */
export const NAMED_CHARACTERS = words(`
  amp lt gt quot apos nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
  middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave
  Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc
  atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash
  ugrave uacute ucirc uuml yacute thorn yuml fnof Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma
  Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon
  phi chi psi omega thetasym upsih piv bull hellip prime Prime oline frasl weierp image real trade alefsym larr uarr rarr darr harr crarr lArr
  uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus lowast radic prop infin ang and or cap cup int there4 sim cong
  asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams OElig
  oelig Scaron scaron Yuml circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger permil
  lsaquo rsaquo euro`);
