import { accountZone, oddities, recordOddities } from './catalog.ts';
import { createDealer, type Dealer } from './dealer.ts';
import { inZone, isDateText } from './dates.ts';
import type { Oddity } from './oddity.ts';
import type { SignatureScheme } from '../webhooks/signature.ts';
import { createOddRecords, type OddRecords } from './records.ts';

/** The time zone in which the rough account writes its dates: the public help names Mountain Time as the default. */
const roughTimeZone = 'America/Denver';

export interface RoughOptions {
  /** Decides which records and calls are odd. */
  seed?: number | undefined;
  /** One in this many records is odd. 1: every record that fits. Default: 8. */
  oneIn?: number | undefined;
  /** The names of the oddities that occur. Default: all. */
  oddities?: readonly string[] | undefined;
}

/**
 * With this seed, the users, quizzes and groups of the smooth account are not odd themselves, so that scenarios can
 * name them on both faces. A test checks it; after a change of the catalog it may ask for another seed.
 */
const defaultSeed = 20_260_545;

/** What the face and the sample data of the rough account share. */
export interface RoughAccount {
  seed: number;
  dealer: Dealer;
  records: OddRecords;
  /** Whether an oddity occurs. */
  has: (oddity: Oddity) => boolean;
  timeZone: string;
  /** The scheme of configured webhooks that name none. */
  webhookScheme: SignatureScheme;
  /** Rewrites a date of the service in the zone of the account. */
  dateText: (utcText: string) => string;
}

/** @throws RangeError when there is no oddity of a name */
export function createRoughAccount(options: RoughOptions = {}): RoughAccount {
  const { seed = defaultSeed, oneIn = 8 } = options;
  const known = new Set(oddities.map(({ name }) => name));
  const names = new Set(options.oddities ?? known);
  for (const name of names) if (!known.has(name)) throw new RangeError(`There is no oddity ${name}.`);
  const has = ({ name }: Oddity) => names.has(name);
  const timeZone = has(accountZone) ? roughTimeZone : 'UTC';
  const dealer = createDealer({ seed, oneIn });
  return {
    seed,
    dealer,
    records: createOddRecords(recordOddities.filter(has), dealer, timeZone),
    has,
    timeZone,
    webhookScheme: names.has('signature-plain-sha256') ? 'timestamp-secret' : 'body',
    dateText: (utcText) => (isDateText(utcText) ? inZone(utcText, timeZone) : utcText),
  };
}
