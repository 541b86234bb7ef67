/** Units of measurement with their names in English, German and French. Names are in lower case, without accents. */
import { add, divide, exact, type Fraction, multiply } from "./fraction.ts";

export interface Unit {
  readonly sign: string;
  readonly kind: string;
  /** A quantity is `value × factor + offset` in the base unit of its kind. */
  readonly factor: Fraction;
  readonly offset: Fraction;
}

/** A line for each unit: its sign, factor and names, and for temperatures the offset. */
const UNITS: Readonly<Record<string, string>> = {
  length: `mm: 0.001: millimeter millimeters millimetre millimetres millimetern
cm: 0.01: centimeter centimeters centimetre centimetres zentimeter zentimetern
m: 1: meter meters metre metres metern
km: 1000: kilometer kilometers kilometre kilometres kilometern kms
in: 0.0254: inch inches zoll pouce pouces
ft: 0.3048: foot feet fuss fuß pied pieds
yd: 0.9144: yard yards
mi: 1609.344: mile miles meile meilen`,
  mass: `mg: 0.001: milligram milligrams milligramm milligramme milligrammes
g: 1: gram grams gramm gramme grammes
kg: 1000: kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes
t: 1000000: tonne tonnes tonnen
oz: 28.349523125: ounce ounces unze unzen
lb: 453.59237: lbs pound pounds
stone: 6350.29318: stones`,
  volume: `ml: 0.001: milliliter milliliters millilitre millilitres
cl: 0.01: centiliter centiliters centilitre centilitres
l: 1: liter liters litre litres litern
US cups: 0.2365882365: cup cups
US pints: 0.473176473: pint pints
US gallons: 3.785411784: gallon gallons gallone gallonen`,
  time: `s: 1: sec secs second seconds sekunde sekunden seconde secondes
min: 60: mins minute minutes minuten
h: 3600: hr hrs hour hours stunde stunden heure heures
days: 86400: day tag tage tagen jour jours
weeks: 604800: week woche wochen semaine semaines`,
  speed: `km/h: 1000: kmh kph
mph: 1609.344: mph
m/s: 3600: m/s`,
  temperature: `°C: 1: c celsius centigrade: 273.15
°F: 5/9: f fahrenheit: 45967/180
K: 1: kelvin`,
  data: `bytes: 1: byte
kB: 1000: kilobyte kilobytes
MB: 1000000: megabyte megabytes
GB: 1000000000: gigabyte gigabytes
TB: 1000000000000: terabyte terabytes`,
  // Money has units but no conversions, because the offline model knows no rates of exchange.
  money: `$: 1: dollar dollars usd us-dollar us-dollars
€: 1: euro euros eur
£: 1: pound pounds gbp sterling
¥: 1: yen jpy
CHF: 1: franc francs franken`,
};

const KNOWN: readonly (readonly [name: string, unit: Unit])[] = Object.entries(UNITS).flatMap(([kind, lines]) =>
  lines.split("\n").flatMap((line) => {
    const [sign = "", factor = "", names = "", offset = "0"] = line.split(": ");
    const unit = { sign, kind, factor: constant(factor), offset: constant(offset) };
    return [sign.toLowerCase(), ...names.split(" ")].map((name) => [name, unit] as const);
  }),
);
const NAMED = Map.groupBy(KNOWN, ([name]) => name);

/** A name can mean several units: a pound is a mass or money. */
export function unitsNamed(name: string): readonly Unit[] {
  return (NAMED.get(name) ?? []).map(([, unit]) => unit);
}

export function toBase(value: Fraction, { factor, offset }: Unit): Fraction {
  return add(multiply(value, factor), offset);
}

export function fromBase(value: Fraction, { factor, offset }: Unit): Fraction {
  return divide(add(value, { ...offset, over: -offset.over }), factor);
}

/** A constant such as `0.0254` or `5/9`. */
function constant(written: string): Fraction {
  const [over = "", under = "1"] = written.split("/");
  return divide(exact(over), exact(under));
}
