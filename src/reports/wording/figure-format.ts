import { ClinicalTime } from '../../core/times/clinical-time.js';
import type { Language } from './language.js';
import { speak, type Say } from './wording.js';

type Moment = Date | string;

/** The time of a photo, and as its sender stated it. */
interface Captured {
  readonly capturedAt: Moment;
  readonly capturedAsStated?: string | undefined;
}

/** With 24 hours and months by name, a date cannot be misread. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es-ES', de: 'de-DE', fr: 'fr-FR' };
/** Figures are rounded where they are measured; beyond this lies only binary residue. */
const MOST_DIGITS = 6;
/** From an interval of ± 10 cm² on, the hundredths of an area are noise. */
const COARSE_CM2 = 10;
/** Of `1951-07`. */
const MONTH_LETTERS = 7;
const NO_BREAK_SPACE = '\u00a0';
const MINUS = '\u2212';

/** Writes figures, dates and units as one language does, moments in one zone. Figures keep the digits they carry: nothing is rounded here. */
export class FigureFormat {
  private readonly locale: string;
  private readonly plural: Intl.PluralRules;
  private readonly dateTime: Intl.DateTimeFormat;
  private readonly date: Intl.DateTimeFormat;
  private readonly calendarDate: Intl.DateTimeFormat;
  private readonly calendarMonth: Intl.DateTimeFormat;
  private readonly numbers = new Map<string, Intl.NumberFormat>();
  private readonly say: Say;

  constructor(language: Language, timeZone: string) {
    const locale = LOCALES[language];
    const day = { timeZone, day: 'numeric', month: 'short', year: 'numeric' } as const;
    this.locale = locale;
    this.say = speak(language);
    this.plural = new Intl.PluralRules(locale);
    this.date = new Intl.DateTimeFormat(locale, day);
    this.calendarDate = new Intl.DateTimeFormat(locale, { ...day, timeZone: 'UTC' });
    this.calendarMonth = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
    this.dateTime = new Intl.DateTimeFormat(locale, {
      ...day,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    });
  }

  /** At least so many digits after the decimal sign. */
  number(value: number, digits = 0): string {
    return withMinus(this.numberFormat(digits, false).format(value + 0));
  }

  areaCm2(value: number): string {
    return this.say('unit.cm2', { value: this.number(value, 2) });
  }

  /** With digits that its interval bears out: a wound of 220 cm², known to ± 40, has no hundredths. */
  areaWithin(area: { readonly value: number; readonly lower: number; readonly upper: number }): string {
    return this.say('unit.cm2', { value: this.within(area.value, area) });
  }

  /** An area, or a limit of it, with the digits that its interval bears out. */
  within(value: number, { lower, upper }: { readonly lower: number; readonly upper: number }): string {
    return (upper - lower) / 2 >= COARSE_CM2 ? this.number(Math.round(value)) : this.number(value, 2);
  }

  lengthCm(value: number): string {
    return this.say('unit.cm', { value: this.number(value, 2) });
  }

  /** With the digits that a person wrote. */
  lengthAsGiven(centimetres: number): string {
    return this.say('unit.cm', { value: this.number(centimetres) });
  }

  percent(value: number): string {
    return this.say('unit.percent', { value: this.number(value, 1) });
  }

  /** A share from 0 to 1, known to three digits, in per cent. */
  share(share: number): string {
    return this.percent(inPercent(share));
  }

  /** The same without the sign. */
  bareShare(share: number): string {
    return this.number(inPercent(share), 1);
  }

  signedAreaCm2(value: number): string {
    return this.say('unit.cm2', { value: this.signed(value, 2) });
  }

  signedPercent(value: number): string {
    return this.say('unit.percent', { value: this.signed(value, 1) });
  }

  signedPoints(value: number): string {
    return this.say('unit.points', { value: this.signed(value, 1) });
  }

  areaCm2PerWeek(value: number): string {
    return this.say('unit.cm2PerWeek', { value: this.signed(value, 2) });
  }

  mmPerDay(value: number): string {
    return this.say('unit.mmPerDay', { value: this.signed(value, 2) });
  }

  /** `7 days` */
  days(count: number): string {
    return this.say(this.isOne(count) ? 'days.one' : 'days.other', { count: this.number(count) });
  }

  /** `in 7 days`: some languages inflect the word. */
  inDays(count: number): string {
    return this.say(this.isOne(count) ? 'inDays.one' : 'inDays.other', { count: this.number(count) });
  }

  /** Date and time to the second, with the zone named. */
  moment(moment: Moment): string {
    return unbroken(this.dateTime.format(new Date(moment)));
  }

  /** The date alone, of the same zone. */
  day(moment: Moment): string {
    return unbroken(this.date.format(new Date(moment)));
  }

  /** A date of the calendar, as `1951-07-14`; of a month its name and year, of a year that alone. */
  partialDate(text: string): string {
    const first = new Date(`${text}${text.length === MONTH_LETTERS ? '-01' : ''}T00:00:00Z`);
    if (!/^\d{4}-\d{2}(-\d{2})?$/.test(text) || Number.isNaN(first.getTime())) return text;
    return unbroken((text.length === MONTH_LETTERS ? this.calendarMonth : this.calendarDate).format(first));
  }

  /** When a photo was taken: the moment, or no more than the day, month or year that its sender stated. */
  captured(photo: Captured): string {
    return this.dateStated(photo) ?? this.moment(photo.capturedAt);
  }

  /** The same without the time of day. */
  capturedDay(photo: Captured): string {
    return this.dateStated(photo) ?? this.day(photo.capturedAt);
  }

  /** A time as it was stated (`ClinicalTime`): a moment in this zone, or no more than the day, month or year. */
  stated(text: string): string {
    const time = ClinicalTime.read(text);
    if (time === null) return text;
    return this.captured({ capturedAt: time.earliest, capturedAsStated: text });
  }

  private dateStated({ capturedAsStated }: Captured): string | null {
    const stated = ClinicalTime.read(capturedAsStated);
    return stated === null || stated.hasTimeOfDay ? null : this.partialDate(stated.text);
  }

  private isOne(count: number): boolean {
    return this.plural.select(count) === 'one';
  }

  private signed(value: number, digits: number): string {
    return withMinus(this.numberFormat(digits, true).format(value + 0));
  }

  private numberFormat(digits: number, signed: boolean): Intl.NumberFormat {
    const key = `${digits}${signed}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const format = new Intl.NumberFormat(this.locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: MOST_DIGITS,
      useGrouping: false,
      signDisplay: signed ? 'exceptZero' : 'auto',
    });
    this.numbers.set(key, format);
    return format;
  }
}

const FORMATS = new Map<string, FigureFormat>();

/** Making the tables of a language and an IANA zone takes longer than a document's figures. */
export function figureFormatOf(language: Language, timeZone: string): FigureFormat {
  const key = `${language} ${timeZone}`;
  const known = FORMATS.get(key) ?? new FigureFormat(language, timeZone);
  FORMATS.set(key, known);
  return known;
}

/** A minus sign is no hyphen: as wide as a plus, and no line ends after it. Plain text and messages write a hyphen again (`plainMinus`). */
function withMinus(text: string): string {
  return text.replace('-', MINUS);
}

/** For character sets that have no minus sign. */
export function plainMinus(text: string): string {
  return text.replaceAll(MINUS, '-');
}

/** A date stays on one line, the time may go to the next; whichever spaces this version of the language's tables has. */
function unbroken(text: string): string {
  return text.replace(/\s/g, NO_BREAK_SPACE).replace(`,${NO_BREAK_SPACE}`, ', ');
}

/** Without the binary residue of the product. */
function inPercent(share: number): number {
  return Number((share * 100).toPrecision(12));
}
